"""`artifactize monitor`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from artifactize.commands.common import place
from mcpkit.cli import usage_error


@click.command()
@click.option("--state-dir", type=click.Path(path_type=Path), help="Where Runs and verdicts are kept.")
def monitor(state_dir: Path | None) -> None:
    """Look at the Runs of every repository while they go on: their evals, reasons and output.

    Changes nothing and runs nothing of a repository. Needs a terminal and the extra artifactize[tui].
    """
    needs_terminal("monitor")
    from artifactize.monitor.app import MonitorApp  # deferred: Textual
    from artifactize.service.monitoring import Monitor

    looked_at = Monitor(_state(place(None, state_dir)[1]))
    try:
        MonitorApp(looked_at).run()
    finally:
        looked_at.close()


def _state(given: Path | None) -> Path:
    from artifactize.errors import StateError  # deferred: --help stays light
    from artifactize.wiring import STATE_VARIABLE
    from oskit.files import StorageError
    from oskit.locations import state_dir

    try:
        return (given or state_dir("artifactize", STATE_VARIABLE)).resolve()
    except StorageError as failure:
        raise StateError(failure.message, hint=failure.hint) from failure


def needs_terminal(command: str) -> None:
    """Refuse to draw where nobody can see it, or without the library that draws."""
    if find_spec("textual") is None:
        usage_error(
            f"`artifactize {command}` draws with Textual, which is not installed; "
            "install it with: pip install 'artifactize[tui]'"
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        usage_error(f"`artifactize {command}` needs a terminal; `artifactize run list` prints the Runs")
