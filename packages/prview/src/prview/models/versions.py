"""The names of wire formats, apart from the models: failures carry them, too."""

from __future__ import annotations

from typing import Literal

SCHEMA_VERSION: Literal["prview.mcp.v1"] = "prview.mcp.v1"
