"""The `prview` command: a table of subcommands, imported when they run."""

from __future__ import annotations

from importlib import import_module

import click

from mcpkit.cli import LazyGroup, run_command_line
from prview import __version__

COMMANDS = {
    "review": ("prview.commands.review:review", "Review what TARGET adds to its base, and write a pack."),
    "gate": ("prview.commands.gate:gate", "Review quickly and let the exit code speak."),
    "explain": ("prview.commands.explain:explain", "Say why a run has its verdict, and what to do about it."),
    "findings": (
        "prview.commands.findings:findings",
        "List everything that a run found, new and old, with its place.",
    ),
    "open": (
        "prview.commands.open:open_run",
        "Show a run's dashboard in the browser, or print where it is.",
    ),
    "state": ("prview.commands.state:state", "Show branch, base, size of the change and latest runs."),
    "runs": ("prview.commands.runs:runs", "List the runs of a repository, and remove old ones."),
    "init": ("prview.commands.init:init", "Write policy, hook, CI and MCP registration into the project."),
    "doctor": ("prview.commands.doctor:doctor", "Say which programs were found, and where."),
    "mcp": ("prview.commands.mcp:mcp", "Serve the tools to a coding agent over stdio."),
    "completions": ("prview.commands.completions:completions", "Print a shell's completion script."),
}

HELP = """Review a branch: prview [TARGET] [BASES...] reads what TARGET adds to its base.

Without arguments the checked-out branch is reviewed against the repository's default branch. A branch that
is named like a command is reviewed with `prview review NAME`, whose --help shows all options of a review:
--quick, --deep, --pr NUMBER, --skip-tests and others.

Exit codes: 0 reviewed, 1 the verdict is BLOCK, 2 there is no review (the reason is on stderr).
"""

cli = LazyGroup(
    name="prview",
    help=HELP,
    lazy=COMMANDS,
    default="review",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
click.version_option(__version__, prog_name="prview")(cli)


def main() -> None:
    """Run the command line."""
    run_command_line(cli, prog="prview", envelope=lambda: import_module("prview.models.envelope").envelope)
