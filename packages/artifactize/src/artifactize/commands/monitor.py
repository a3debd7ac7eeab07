"""`artifactize monitor` and `artifactize review`."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from artifactize.commands.common import place
from mcpkit.cli import usage_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifactize.service.monitoring import Monitor
    from artifactize.service.waiting_signoffs import WaitingSignOffs


_STATE = click.Path(path_type=Path)


@click.command()
@click.option("--reviewer", metavar="NAME", help="Who signs off; default: git's user.email.")
@click.option("--state-dir", type=_STATE, help="Where Runs and verdicts are kept.")
def monitor(*, reviewer: str | None, state_dir: Path | None) -> None:
    """Look at the Runs of every repository while they go on: their evals, reasons and output.

    Looking changes nothing and runs nothing of a repository; `s` opens the sign-offs that wait for a person.
    Needs a terminal and the extra artifactize[tui].
    """
    needs_terminal("monitor")
    from artifactize.monitor.app import MonitorApp  # deferred: Textual

    with _opened(state_dir, reviewer) as (looking, signoffs):
        MonitorApp(looking, signoffs).run()


@click.command()
@click.argument("request_id", required=False)
@click.option("--reviewer", metavar="NAME", help="Who signs off; default: git's user.email.")
@click.option("--state-dir", type=_STATE, help="Where Runs and verdicts are kept.")
def review(*, request_id: str | None, reviewer: str | None, state_dir: Path | None) -> None:
    """Sign off what waits for a person, of every repository: claim, look with tools, fill the form, submit.

    Needs a terminal and the extra artifactize[tui].
    """
    needs_terminal("review")
    from artifactize.monitor.review_app import ReviewApp  # deferred: Textual

    with _opened(state_dir, reviewer) as (_, signoffs):
        ReviewApp(signoffs, request_id=request_id).run()


@contextmanager
def _opened(state_dir: Path | None, reviewer: str | None) -> Iterator[tuple[Monitor, WaitingSignOffs]]:
    from artifactize.service.monitoring import Monitor  # deferred: --help stays light
    from artifactize.service.waiting_signoffs import WaitingSignOffs
    from artifactize.wiring import open_workspace

    state = _state(place(None, state_dir)[1])
    looking = Monitor(state)
    signoffs = WaitingSignOffs(
        looking, lambda repository: open_workspace(Path(repository), state), reviewer=reviewer
    )
    try:
        yield looking, signoffs
    finally:
        signoffs.close()
        looking.close()


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
