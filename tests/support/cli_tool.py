"""A small tool on `mcpkit.cli`, run as a script, with a command for every way a command can end."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from mcpkit.cli import (
    Enclosed,
    LazyGroup,
    completions_command,
    debug_option,
    failure_exit,
    mcp_command,
    run,
    run_command_line,
    usage_error,
)

if TYPE_CHECKING:
    from mcpkit.cli import ErrorBodies
    from mcpkit.models import Request, Response

HERE = "support.cli_tool"


@click.command()
@click.argument("what")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--quiet", is_flag=True, help="Print no text.")
@debug_option
def act(what: str, *, as_json: bool, quiet: bool) -> NoReturn:
    """Do what is asked."""
    run(
        _service,
        lambda: _request(what),
        lambda result: f"did {result.what}",  # type: ignore[attr-defined]
        as_json=as_json,
        quiet=quiet,
        exit_code=lambda result: int(result.code),  # type: ignore[attr-defined]
        envelope=envelope(),
    )


@failure_exit(3)
@click.command()
@click.option("--strict", is_flag=True)
@click.option("--json", "as_json", is_flag=True)
def gate(*, strict: bool, as_json: bool) -> None:
    """Answer with a verdict."""
    if strict:
        usage_error("--strict needs a policy", hint="run `tool init`")
    run(_service, lambda: _request("fail"), str, as_json=as_json)


@click.command()
def crash() -> None:
    """Fail outside of run."""
    raise RuntimeError("nobody caught this\x1b[2J")


@mcp_command(server="tool", script="no-such-script-here", module=HERE, call=("ping_tool", {}))
@click.option("--repo", type=click.Path())
@click.option("--limit", type=int)
@click.option("--fast/--slow", default=True)
@click.option("--tag", multiple=True)
def mcp(repo: str | None, *, limit: int | None, fast: bool, tag: tuple[str, ...]) -> None:
    """Serve the tools to a coding agent over stdio."""
    if os.environ.get("SERVE_PLAIN"):
        print("serving", repo, limit, fast, tag)
        return
    from support import fake_server

    fake_server.main(set(tag))


remote = LazyGroup(
    name="remote",
    help="Commands about remotes.",
    lazy={"act": (f"{HERE}:act", "Do what is asked.")},
)

cli = LazyGroup(
    name="tool",
    help="A tool.",
    lazy={
        "gate": (f"{HERE}:gate", "Answer with a verdict."),
        "act": (f"{HERE}:act", "Do what is asked."),
        "remote": (f"{HERE}:remote", "Commands about remotes."),
        "mcp": (f"{HERE}:mcp", "Serve the tools to a coding agent over stdio."),
        "crash": (f"{HERE}:crash", "Fail outside of run."),
        "broken": ("support.no_such_module:command", "A module that cannot be imported."),
    },
)
cli.add_command(completions_command("tool"))


def envelope() -> ErrorBodies:
    """The object of an error, under a key."""
    from mcpkit.envelope import CodeEnvelope

    return Enclosed(CodeEnvelope(frozenset({"busy"})))


def main() -> NoReturn:
    """The console script."""
    run_command_line(cli, prog="tool", envelope=envelope)


def _request(what: str) -> Request:
    from pydantic import Field

    from mcpkit.models import Request

    class Ask(Request):
        what: str = Field(max_length=10)

    return Ask(what=what)


async def _service(request: Request) -> Response:
    from mcpkit.errors import ToolError
    from mcpkit.models import Request, Response

    class Done(Response):
        what: str
        code: int = 0
        maybe: None = None

    class Strict(Request):
        number: int

    what = str(request.what)  # type: ignore[attr-defined]
    match what:
        case "fail":
            raise ToolError("busy", "branch \x1b[31mred\u202e is busy", hint="wait", exit_code=4, run_id="r1")
        case "undeclared":
            raise ToolError("surprise", "no such class")
        case "bug":
            raise KeyError("k")
        case "mismodel":
            Strict.model_validate({"number": "x"})
        case "signal" | "int":
            await _stop_ourselves(signal.SIGTERM if what == "signal" else signal.SIGINT)
        case "where":
            return Done(what=str(Path.cwd()))
        case "verdict":
            return Done(what=what, code=5)
        case "big":
            return Done(what="é" * 300_000)
        case "path":
            return Done(what="é🦊\u2028")
        case _:
            pass
    return Done(what=what)


async def _stop_ourselves(number: int) -> None:
    from anyio import sleep_forever

    os.kill(os.getpid(), number)
    try:
        await sleep_forever()
    finally:
        print("cleaned up", file=sys.stderr)


if __name__ == "__main__":
    main()
