"""`artifactize completions SHELL`."""

from mcpkit.cli import completions_command

completions = completions_command("artifactize")
