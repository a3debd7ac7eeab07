"""`artifactize remote …`: using a team's review store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run, usage_error

if TYPE_CHECKING:
    from pathlib import Path

TOKEN_VARIABLE = "ARTIFACTIZE_REMOTE_TOKEN"  # noqa: S105 - the name of a variable
_MOST_CHARACTERS = 1024


@click.command()
@click.argument("url")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input.")
@click.option(
    "--trust",
    "trusted",
    metavar="PUBLIC_KEY",
    multiple=True,
    help="Use only verdicts that this Ed25519 key signed (base64); may be repeated.",
)
@click.option(
    "--sign-with",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True),
    help="A PEM file with the Ed25519 key that signs what is put there.",
)
@json_option
@placed
def login(
    *,
    url: str,
    token_stdin: bool,
    trusted: tuple[str, ...],
    sign_with: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
) -> None:
    """Use the review store at URL from now on.

    The token is taken from ARTIFACTIZE_REMOTE_TOKEN, from standard input, or asked for. It is kept in the
    state directory, readable by you alone, and sent to this address alone. Verdicts of before are put there
    by `artifactize remote push --all`.
    """
    from artifactize.render.team import status_text  # deferred: --help stays light
    from artifactize.service.remotes import Login, Remotes

    token = _token(from_stdin=token_stdin)
    run(
        Remotes(opener(repo, state_dir)).login,
        lambda: Login(url=url, token=token, trusted=trusted, sign_with=sign_with),
        status_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@json_option
@placed
def logout(*, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Forget the review store and its token; nothing that was put there changes."""
    from artifactize.models.team import RemoteStatusRequest  # deferred, as above
    from artifactize.render.team import logged_out_text
    from artifactize.service.remotes import Remotes

    remotes = Remotes(opener(repo, state_dir))
    run(lambda _: remotes.logout(), RemoteStatusRequest, logged_out_text, as_json=as_json, envelope=ERRORS)


@click.command()
@json_option
@placed
def status(*, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Say which review store is used and whether it answers. Exits 1 when it does not."""
    from artifactize.models.team import RemoteStatusRequest  # deferred, as above
    from artifactize.render.team import status_text
    from artifactize.service.remotes import Remotes

    run(
        Remotes(opener(repo, state_dir)).status,
        RemoteStatusRequest,
        status_text,
        as_json=as_json,
        exit_code=lambda found: int(found.reachable is False),
        envelope=ERRORS,
    )


@click.command()
@click.option("--all", "everything", is_flag=True, help="Everything that was ever judged here.")
@json_option
@placed
def push(*, everything: bool, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Put the verdicts that wait into the review store. Exits 1 when some are left.

    `verify` does this by itself after each Run, as far as the store answers.
    """
    from artifactize.models.team import RemotePushRequest  # deferred, as above
    from artifactize.render.team import pushed_text
    from artifactize.service.remotes import Remotes

    run(
        Remotes(opener(repo, state_dir)).push,
        lambda: RemotePushRequest(everything=everything),
        pushed_text,
        as_json=as_json,
        exit_code=lambda found: int(found.problem is not None),
        envelope=ERRORS,
    )


def _token(*, from_stdin: bool) -> str:
    import os

    if from_stdin:
        found = sys.stdin.read(_MOST_CHARACTERS + 1).strip()
    else:
        found = os.environ.get(TOKEN_VARIABLE, "").strip()
        if not found and sys.stdin.isatty():
            found = click.prompt("Token", hide_input=True, err=True)
    if not found or len(found) > _MOST_CHARACTERS or not found.isascii() or not found.isprintable():
        usage_error("no token was given", hint=f"set {TOKEN_VARIABLE}, or pipe it in with --token-stdin")
    return found
