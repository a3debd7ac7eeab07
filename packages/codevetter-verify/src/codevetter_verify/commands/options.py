"""The options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from mcpkit.known_hosts import HOSTS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_Request = TypeVar("_Request")
_Result = TypeVar("_Result")
_Function = TypeVar("_Function", bound="Callable[..., object]")

REPO = click.option(
    "--repo", default=".", metavar="PATH", help="The repository, the current directory's by default."
)
ONLY_REPO = click.option("--repo", metavar="PATH", help="Only this repository.")
TTL = click.option(
    "--ttl", metavar="TIME", help="How long, as 30m, 12h or 7d; else what it was, or until it is disabled."
)
HOST = click.option(
    "--host", type=click.Choice(HOSTS), default="claude", show_default=True, help="The agent host."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


class Choice(NamedTuple):
    """Which receipt a person means: part of a run id, or the newest of a repository."""

    run_id: str | None
    repo: str


def one_receipt(function: _Function) -> _Function:
    """`[RUN_ID]` and `--repo PATH`."""
    run_id = click.argument("run_id", required=False)
    repo = click.option(
        "--repo", default=".", metavar="PATH",
        help="Without RUN_ID: whose newest receipt, the current directory's repository's by default.",
    )  # fmt: skip
    return run_id(repo(function))


def of_choice(
    service: Callable[[_Request], Awaitable[_Result]], request_of: Callable[[str], _Request]
) -> Callable[[Choice], Awaitable[_Result]]:
    """The service for a receipt that is chosen first; `request_of` makes its request of the whole run id."""

    async def call(choice: Choice) -> _Result:
        from codevetter_verify import wiring  # deferred: --help stays light

        return await service(request_of(await wiring.choose_receipt(choice.run_id, repo=choice.repo)))

    return call
