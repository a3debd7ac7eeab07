"""`artifactize request claim|unclaim|schemas|tool|submit`: what people do."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run, usage_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.service.workspace import Workspace

_Function = TypeVar("_Function", bound="Callable[..., Any]")
_STDIN = "-"


def _person(function: _Function) -> _Function:
    return click.option("--reviewer", metavar="NAME", help="Who you are; default: git's user.email.")(
        function
    )


def _named(workspace: Callable[[], Workspace], what: str) -> Callable[[Any], Any]:
    """Return what people do with a request, which part of its id may name."""

    async def call(request: Any) -> Any:  # noqa: ANN401 - the operation's own
        from artifactize.service.naming import Naming  # deferred: --help stays light
        from artifactize.service.signing_off import SigningOff

        whole = await Naming(workspace).request(request.request_id)
        service = getattr(SigningOff(workspace), what)
        return await service(request.model_copy(update={"request_id": whole}))

    return call


@click.command()
@click.argument("request_id", metavar="REQUEST")
@_person
@json_option
@placed
def claim(
    *, request_id: str, reviewer: str | None, as_json: bool, repo: Path | None, state_dir: Path | None
) -> None:
    """Take a request that waits for a person; nobody else can sign it until you do or give it back."""
    from artifactize.models.signing import ClaimRequest  # deferred: --help stays light
    from artifactize.render.signing import claim_text

    run(
        _named(opener(repo, state_dir), "claim"),
        lambda: ClaimRequest(request_id=request_id, reviewer=reviewer),
        claim_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@_person
@json_option
@placed
def unclaim(
    *, request_id: str, reviewer: str | None, as_json: bool, repo: Path | None, state_dir: Path | None
) -> None:
    """Give a request back that you have claimed."""
    from artifactize.models.signing import ClaimRequest  # deferred: --help stays light
    from artifactize.render.signing import claim_text

    run(
        _named(opener(repo, state_dir), "unclaim"),
        lambda: ClaimRequest(request_id=request_id, reviewer=reviewer),
        claim_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@json_option
@placed
def schemas(*, request_id: str, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Show what a request asks a person, and which fields each verdict takes."""
    from artifactize.models.signing import SchemasRequest  # deferred: --help stays light
    from artifactize.render.signing import schemas_text

    run(
        _named(opener(repo, state_dir), "schemas"),
        lambda: SchemasRequest(request_id=request_id),
        schemas_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@click.argument("tool_name", metavar="TOOL")
@click.argument("arguments", default="{}")
@_person
@json_option
@placed
def tool(
    *,
    request_id: str,
    tool_name: str,
    arguments: str,
    reviewer: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
) -> None:
    """Call a tool for a request that you have claimed; ARGUMENTS is a JSON object (TOOL help lists them)."""
    from artifactize.models.signing import HumanToolRequest  # deferred: --help stays light
    from artifactize.render.signing import tool_text

    given = _object(arguments, what="ARGUMENTS")
    run(
        _named(opener(repo, state_dir), "tool"),
        lambda: HumanToolRequest(request_id=request_id, reviewer=reviewer, tool=tool_name, arguments=given),
        tool_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@click.argument("verdict", type=click.Choice(["GREEN", "RED"]))
@click.option("--fields", metavar="JSON", help="The verdict's fields: a JSON object, @FILE, or - for stdin.")
@click.option("--comment", help="Words of your own, kept with the verdict.")
@_person
@json_option
@placed
def submit(  # noqa: PLR0913 - one parameter an option
    *,
    request_id: str,
    verdict: str,
    fields: str | None,
    comment: str | None,
    reviewer: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
) -> None:
    """Sign a request that you have claimed.

    What it covers is looked at again first: if it has changed, nothing is recorded. Exits with 0 for RED,
    too: your answer was taken.
    """
    from artifactize.models.signing import SignRequest  # deferred: --help stays light
    from artifactize.render.signing import sign_text

    given = {} if fields is None else _object(_text(fields), what="--fields")
    run(
        _named(opener(repo, state_dir), "submit"),
        lambda: SignRequest.model_validate(
            {
                "request_id": request_id,
                "reviewer": reviewer,
                "verdict": verdict,
                "fields": given,
                "comment": comment,
            }
        ),
        sign_text,
        as_json=as_json,
        envelope=ERRORS,
    )


def _text(given: str) -> str:
    """Return the JSON text that an option means: itself, a file's, or what comes over stdin."""
    from artifactize.models.signing import MAX_FIELDS_BYTES  # deferred, as above

    try:
        if given == _STDIN:
            found = sys.stdin.buffer.read(MAX_FIELDS_BYTES + 1)
        elif given.startswith("@"):
            with Path(given[1:]).open("rb") as file:
                found = file.read(MAX_FIELDS_BYTES + 1)
        else:
            found = given.encode("utf-8", "surrogateescape")
        if len(found) > MAX_FIELDS_BYTES:
            usage_error(f"--fields: a verdict has at most {MAX_FIELDS_BYTES} bytes of fields")
        return found.decode()
    except OSError as failure:
        usage_error(f"--fields: {given[1:]} cannot be read: {failure.strerror}")
    except UnicodeDecodeError:
        usage_error("--fields: it is no UTF-8")


def _object(text: str, *, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as failure:
        usage_error(f"{what}: it is no JSON: {failure}")
    if not isinstance(found, dict):
        usage_error(f"{what}: it must be a JSON object")
    return found
