"""`artifactize server …`: running a team's review store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from artifactize.commands.common import ERRORS, json_option
from mcpkit.cli import failing, usage_error
from mcpkit.cli.output import write_model, write_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from pydantic import BaseModel

    from artifactize.store.team.database import TeamDatabase

_Function = TypeVar("_Function", bound="Callable[..., Any]")
DIRECTORY_VARIABLE = "ARTIFACTIZE_STORE_HOME"
URL_VARIABLE = "ARTIFACTIZE_STORE_URL"
DEFAULT_PORT = 8421
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_DAY_UNITS = {"d": 1, "w": 7}
_MOST_DAYS = 36500


def _stored(function: _Function) -> _Function:
    """Add where the store is kept."""
    folder = click.option(
        "--store-dir",
        type=click.Path(path_type=Path),
        envvar=DIRECTORY_VARIABLE,
        show_envvar=True,
        help="The folder of its SQLite database; default: artifactize-store in the user's state folder.",
    )
    url = click.option(
        "--store-url",
        envvar=URL_VARIABLE,
        show_envvar=True,
        help="A PostgreSQL database instead: postgresql+psycopg://…",
    )
    return folder(url(function))


def _opened(store_dir: Path | None, store_url: str | None) -> TeamDatabase:
    from artifactize.store.team.database import TeamDatabase  # deferred: --help stays light
    from oskit.locations import state_dir

    if store_url:
        return TeamDatabase.at(store_url)
    return TeamDatabase.in_folder(
        (store_dir or state_dir("artifactize-store", DIRECTORY_VARIABLE)).absolute()
    )


def _answer(model: BaseModel, text: str, *, as_json: bool) -> None:
    write_model(model) if as_json else write_text(text + "\n")


@click.command("run")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="The port; 0 chooses a free one.",
)
@click.option("--tls-certificate", type=_FILE, help="A PEM file with the certificate chain.")
@click.option("--tls-key", type=_FILE, help="A PEM file with its private key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy in front of it speaks TLS.")
@click.option(
    "--max-entries",
    type=click.IntRange(1000, 100_000_000),
    default=1_000_000,
    show_default=True,
    help="Beyond that, what was asked for least lately is forgotten.",
)
@_stored
def serve(  # noqa: PLR0913 - one for each option
    *,
    host: str,
    port: int,
    tls_certificate: Path | None,
    tls_key: Path | None,
    behind_proxy: bool,
    max_entries: int,
    store_dir: Path | None,
    store_url: str | None,
) -> None:
    """Serve the review store until a signal ends it. Prints its address when it listens.

    Every client needs a token: `artifactize server token create`.
    """
    if (tls_certificate is None) != (tls_key is None):
        usage_error("--tls-certificate and --tls-key belong together")
    with failing(as_json=False, envelope=ERRORS):
        from artifactize.review_store.running import Listening  # deferred, as above
        from artifactize.review_store.running import serve as serve_store

        listening = Listening(host, port, tls_certificate, tls_key, behind_proxy)
        listening.refuse_plain()
        database = _opened(store_dir, store_url)
        serve_store(
            database,
            listening,
            most=max_entries,
            ready=lambda address: write_text(f"listening at {address}\n"),
        )


@click.command("create")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(["read", "publish", "human"]),
    multiple=True,
    default=("read",),
    show_default=True,
    help="What it may do; may be repeated.",
)
@click.option(
    "--expires", metavar="DAYS", help="How long it is valid, such as 90d or 12w; default: until revoked."
)
@json_option
@_stored
def create(
    *,
    name: str,
    scopes: tuple[Any, ...],
    expires: str | None,
    as_json: bool,
    store_dir: Path | None,
    store_url: str | None,
) -> None:
    """Make a token and print it, once: only its digest is kept.

    read looks verdicts up, publish puts those of commands and agents, human those of people.
    """
    valid_for = None if expires is None else _duration(expires)
    with failing(as_json=as_json, envelope=ERRORS):
        from artifactize.review_store.administering import create_token  # deferred, as above

        made = create_token(
            _opened(store_dir, store_url), name, scopes=tuple(dict.fromkeys(scopes)), valid_for=valid_for
        )
        _answer(made, made.token, as_json=as_json)


@click.command("list")
@json_option
@_stored
def list_all(*, as_json: bool, store_dir: Path | None, store_url: str | None) -> None:
    """List all tokens, revoked ones among them; secrets are not known."""
    with failing(as_json=as_json, envelope=ERRORS):
        from artifactize.render.team import tokens_text  # deferred, as above
        from artifactize.review_store.administering import list_tokens

        found = list_tokens(_opened(store_dir, store_url))
        _answer(found, tokens_text(found), as_json=as_json)


@click.command("revoke")
@click.argument("name")
@click.option("--purge", is_flag=True, help="Take back every key that it put a verdict of, too.")
@json_option
@_stored
def revoke(*, name: str, purge: bool, as_json: bool, store_dir: Path | None, store_url: str | None) -> None:
    """Revoke a token: from now on it is refused."""
    with failing(as_json=as_json, envelope=ERRORS):
        from artifactize.render.team import revoked_text  # deferred, as above
        from artifactize.review_store.administering import revoke_token

        found = revoke_token(_opened(store_dir, store_url), name, purge=purge)
        _answer(found, revoked_text(found), as_json=as_json)


@click.command("rm")
@click.argument("key", required=False)
@click.option("--eval", "eval_id", metavar="ID", help="Every key with a verdict of this eval.")
@click.option("--purge", is_flag=True, help="Forget what was said, too.")
@json_option
@_stored
def remove(
    *,
    key: str | None,
    eval_id: str | None,
    purge: bool,
    as_json: bool,
    store_dir: Path | None,
    store_url: str | None,
) -> None:
    """Take back the verdict of KEY (8 of its digits or more), or of an eval; no older one comes back."""
    if (key is None) == (eval_id is None):
        usage_error("name either a KEY or --eval ID")
    least = 8
    if key is not None and (len(key) < least or set(key) - set("0123456789abcdef")):
        usage_error(f"{key!r} is no key: at least {least} of its hexadecimal digits")
    with failing(as_json=as_json, envelope=ERRORS):
        from artifactize.render.team import removed_text  # deferred, as above
        from artifactize.review_store.administering import remove_verdicts

        found = remove_verdicts(_opened(store_dir, store_url), key=key, eval_id=eval_id, purge=purge)
        _answer(found, removed_text(found), as_json=as_json)


def _duration(text: str) -> timedelta:
    from datetime import timedelta

    number, unit = text[:-1], text[-1:]
    if not (
        number.isascii() and number.isdigit() and unit in _DAY_UNITS and 0 < int(number[:6]) <= _MOST_DAYS
    ):
        usage_error(f"{text!r} is no duration: a number of days or weeks, such as 90d or 12w")
    return timedelta(days=int(number) * _DAY_UNITS[unit])
