"""`prview completions SHELL`."""

from __future__ import annotations

from mcpkit.cli import completions_command

completions = completions_command("prview")
