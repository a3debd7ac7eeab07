"""The command line of a tool: flags, a request, a service, text. Imports click and nothing heavier.

A tool's `cli.py` is a table of subcommands and one call:

    cli = LazyGroup(name="prview", help="…", lazy={"gate": ("prview.commands:gate", "Print the verdict.")})

    def main() -> None:
        run_command_line(cli, prog="prview", envelope=lambda: import_module("prview.server").envelope)

and a command is flags → request → `run(service, make_request, render, as_json=…)`.

Exit codes that every tool shares: 0 done · what `exit_code(result)` says · `ToolError.exit_code`, 2 unless
the error says otherwise · 2 for wrong usage and for an internal error · 128+n when a signal ended it (130
for Ctrl-C). A command whose exit codes are verdicts moves all failures to another code: `failure_exit(n)`.

stdout carries the result: text, or with `as_json` exactly one JSON document, also for an error. Words for
people go to stderr. A reader that closes the pipe early ends the command quietly.

Each name is imported when somebody asks for it: `--help` needs two of them. So no module in here may have
the name of one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpkit.cli.bodies import Enclosed, ErrorBodies
    from mcpkit.cli.completions import completions_command
    from mcpkit.cli.debug import debug_option, debugging
    from mcpkit.cli.failures import failing, failure_exit, usage_error
    from mcpkit.cli.group import LazyGroup
    from mcpkit.cli.main import run_command_line
    from mcpkit.cli.running import run
    from mcpkit.cli.serving import mcp_command

_MODULES = {
    "Enclosed": "bodies",
    "ErrorBodies": "bodies",
    "LazyGroup": "group",
    "completions_command": "completions",
    "debug_option": "debug",
    "debugging": "debug",
    "failing": "failures",
    "failure_exit": "failures",
    "mcp_command": "serving",
    "run": "running",
    "run_command_line": "main",
    "usage_error": "failures",
}

__all__ = [
    "Enclosed",
    "ErrorBodies",
    "LazyGroup",
    "completions_command",
    "debug_option",
    "debugging",
    "failing",
    "failure_exit",
    "mcp_command",
    "run",
    "run_command_line",
    "usage_error",
]


def __getattr__(name: str) -> object:
    """Import a public name (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
