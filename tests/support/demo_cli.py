"""The demo's operations as commands, the way a tool does it; `python -m` runs it."""

from __future__ import annotations

from typing import NoReturn

import click

from mcpkit.cli import run, run_command_line


@click.group()
def cli() -> None:
    """Try things."""


@cli.command()
@click.argument("a", type=int)
@click.option("--b", type=int, default=1)
@click.option("--json", "as_json", is_flag=True)
def add(a: int, *, b: int, as_json: bool) -> NoReturn:
    """Add two numbers."""
    from support.demo_server.models import AddRequest
    from support.demo_server.server import ENVELOPE
    from support.demo_server.service import add as service

    run(service, lambda: AddRequest(a=a, b=b), lambda r: str(r.sum), as_json=as_json, envelope=ENVELOPE)


@cli.command()
@click.option("--json", "as_json", is_flag=True)
def fail(*, as_json: bool) -> NoReturn:
    """Fail."""
    from support.demo_server.models import FailRequest
    from support.demo_server.server import ENVELOPE
    from support.demo_server.service import fail as service

    run(service, lambda: FailRequest(how="declared"), str, as_json=as_json, envelope=ENVELOPE)


if __name__ == "__main__":
    run_command_line(cli, prog="demo")
