"""What whoever runs a review store does with it besides serving: tokens, and taking verdicts back."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from artifactize.errors import ReviewStoreError
from artifactize.models.team import RemovedVerdicts, TokenCreated, TokenList, TokenRevoked, TokenShown
from artifactize.store.team import entries, tokens
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from artifactize.models.review_store import Scope
    from artifactize.store.team.database import TeamDatabase
    from artifactize.store.team.tokens import Token

PREFIX = "artf_"
"""Secret scanners find a token that somebody committed by it."""
ADMINISTRATOR = "administrator"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")
_RANDOM_BYTES = 32


def create_token(
    database: TeamDatabase, name: str, *, scopes: Sequence[Scope], valid_for: timedelta | None
) -> TokenCreated:
    """Make a token; its secret is in the answer and nowhere else. Raises ReviewStoreError."""
    if not _NAME.fullmatch(name) or name == ADMINISTRATOR:
        raise ReviewStoreError(
            f"{name!r} is no name for a token", hint="1 to 64 letters, digits and ._@-, not administrator"
        )
    secret = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    moment = now()
    expires = None if valid_for is None else rfc3339(moment + valid_for)
    with database.write() as connection:
        if not tokens.add(connection, name, secret, scopes=scopes, now=rfc3339(moment), expires_at=expires):
            raise ReviewStoreError(
                f"there is a token {name} already, or was one",
                hint="names are not used twice; choose another",
            )
    return TokenCreated(name=name, scopes=tuple(scopes), expires_at=expires, token=secret)


def list_tokens(database: TeamDatabase) -> TokenList:
    """Return every token there ever was, without its secret."""
    with database.read() as connection:
        found = tokens.all_tokens(connection)
    return TokenList(tokens=tuple(_shown(each) for each in found))


def revoke_token(database: TeamDatabase, name: str, *, purge: bool) -> TokenRevoked:
    """Revoke a token for good; with `purge` take back every key it put a verdict of.

    Raises ReviewStoreError.
    """
    moment = rfc3339(now())
    with database.write() as connection:
        found = tokens.revoke(connection, name, moment)
        if found is None:
            raise ReviewStoreError(
                f"there is no token {name}", hint="`artifactize server token list` lists them"
            )
        removed = 0
        if purge:
            keys = entries.matching(connection, key=None, eval_id=None, token=name)
            removed = entries.remove(connection, keys, by=ADMINISTRATOR, received_at=moment, purge=True)
    return TokenRevoked(token=_shown(found), removed=removed)


def remove_verdicts(
    database: TeamDatabase, *, key: str | None, eval_id: str | None, purge: bool
) -> RemovedVerdicts:
    """Take back the verdicts of the keys that begin so, or of an eval; older ones do not come back."""
    with database.write() as connection:
        keys = entries.matching(connection, key=key, eval_id=eval_id, token=None)
        removed = entries.remove(connection, keys, by=ADMINISTRATOR, received_at=rfc3339(now()), purge=purge)
    return RemovedVerdicts(removed=removed)


def _shown(token: Token) -> TokenShown:
    return TokenShown(
        name=token.name,
        scopes=token.scopes,
        created_at=token.created_at,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
    )
