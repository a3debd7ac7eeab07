"""`python -m mcpkit`: look after what the installed servers publish."""

from __future__ import annotations

from mcpkit.cli import LazyGroup, run_command_line

cli = LazyGroup(
    name="mcpkit",
    help="Look after what the MCP servers of this installation publish.",
    lazy={"schemas": ("mcpkit.cli.schemas_command:schemas", "Write or check the published JSON Schemas.")},
)


if __name__ == "__main__":
    run_command_line(cli, prog="mcpkit")
