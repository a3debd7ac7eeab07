"""Sphinx settings of the manual: Markdown pages, and the MCP reference written from the operations."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Review tools"
author = "The review tools authors"
project_copyright = f"2026, {author}"
extensions = ["myst_parser", "mcp_reference"]
exclude_patterns = ["_build", "schemas", "_ext"]
html_theme = "furo"
html_title = "Review tools"
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
"""Deep enough for links to a section of a page."""
