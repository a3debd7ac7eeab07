"""Bearer tokens: only their SHA-256 is kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from artifactize.store.team.tables import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret. Moments are RFC 3339; `scopes` are separated by commas in the table."""

    name: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None
    revoked_at: str | None

    def is_valid(self, now: str) -> bool:
        """Whether it counts at a moment, RFC 3339 in UTC."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def add(
    connection: sa.Connection,
    name: str,
    secret: str,
    *,
    scopes: Sequence[str],
    now: str,
    expires_at: str | None,
) -> bool:
    """Save a token; false when there is one of this name."""
    if connection.execute(sa.select(tokens.c.name).where(tokens.c.name == name)).first() is not None:
        return False
    values = {
        "name": name,
        "digest": digest(secret),
        "scopes": ",".join(scopes),
        "created_at": now,
        "expires_at": expires_at,
    }
    connection.execute(sa.insert(tokens).values(values))
    return True


def by_secret(connection: sa.Connection, secret: str) -> Token | None:
    """Return the token with this secret, valid or not."""
    found = _tokens(connection, sa.select(tokens).where(tokens.c.digest == digest(secret)))
    return found[0] if found else None


def all_tokens(connection: sa.Connection) -> list[Token]:
    """Return every token, by name."""
    return _tokens(connection, sa.select(tokens).order_by(tokens.c.name))


def revoke(connection: sa.Connection, name: str, now: str) -> Token | None:
    """Revoke a token and return it as it is then; None when there is none. Revoking again changes nothing."""
    query = sa.update(tokens).where(tokens.c.name == name, tokens.c.revoked_at.is_(None))
    connection.execute(query.values(revoked_at=now))
    found = _tokens(connection, sa.select(tokens).where(tokens.c.name == name))
    return found[0] if found else None


def _tokens(connection: sa.Connection, query: sa.Select[Any]) -> list[Token]:
    return [
        Token(row.name, tuple(row.scopes.split(",")), row.created_at, row.expires_at, row.revoked_at)
        for row in connection.execute(query)
    ]
