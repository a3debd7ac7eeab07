"""What a review store does, without HTTP: who asks, what is known, what is put."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.models.review_store import Entry, Found, Listed, Put, Stored, WhoAmI
from artifactize.service.batching import Batches
from artifactize.service.workspace import off_loop
from artifactize.store.team import entries, tokens
from artifactize.store.team.database import RacedError
from mcpkit.canonical import compact_json
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from artifactize.models.review_store import Scope
    from artifactize.store.team.database import TeamDatabase
    from artifactize.store.team.entries import New, Row
    from artifactize.store.team.tokens import Token

DEFAULT_MOST = 1_000_000
_ATTEMPTS = 10
_EVICT_EVERY = 256


class ConflictError(Exception):
    """An execution was put before, with another verdict or other inputs."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    put: Put | None


class Keeper:
    """An open review store of at most `most` rows. `run` has to be running for anything to be put."""

    def __init__(self, database: TeamDatabase, *, most: int = DEFAULT_MOST) -> None:
        self._database = database
        self._most = most
        self._asked: set[str] = set()
        self._puts: Batches[New, _Outcome] = Batches(self._put_all)
        self._until_eviction = 0
        # moves with every start: what is asked for now was asked for later than whatever was before
        self._uses = itertools.count(time.time_ns())

    async def run(self) -> None:
        """Serve puts until cancelled."""
        await self._puts.run()

    async def token(self, secret: str) -> Token | None:
        """Return the valid token with this secret."""
        return await off_loop(lambda: self._token(secret))

    def whoami(self, token: Token) -> WhoAmI:
        """Return what a token may do."""
        scopes: list[Scope] = [scope for scope in ("read", "publish", "human") if scope in token.scopes]
        return WhoAmI(name=token.name, scopes=tuple(scopes))

    async def lookup(self, keys: Sequence[str]) -> Found:
        """Return the newest verdict of each key that has one."""
        rows = await off_loop(lambda: self._newest(keys))
        self._asked |= rows.keys()
        return Found(entries={key: stored for key, row in rows.items() if (stored := _stored(row))})

    async def put(self, entry: Entry, *, by: str) -> Put:
        """Append an entry, which is on the disk when this returns. Raises ConflictError, ReviewStoreError."""
        new = entries.New(entry.key, entry.verdict, entry.eval, entry.execution, compact_json(entry), by)
        outcome = await self._puts.do(new)
        if outcome.put is None:
            raise ConflictError
        return outcome.put

    async def listed(
        self, *, before: int | None, limit: int, key: str | None = None, verdict: str | None = None
    ) -> Listed:
        """Return entries, newest first; removed ones are left out."""
        rows = await off_loop(lambda: self._rows(before, limit + 1, key, verdict))
        shown = [stored for row in rows[:limit] if (stored := _stored(row))]
        return Listed(entries=tuple(shown), more=len(rows) > limit)

    def _token(self, secret: str) -> Token | None:
        with self._database.read() as connection:
            found = tokens.by_secret(connection, secret)
        return found if found is not None and found.is_valid(rfc3339(now())) else None

    def _newest(self, keys: Sequence[str]) -> dict[str, Row]:
        with self._database.read() as connection:
            return entries.newest(connection, keys)

    def _rows(self, before: int | None, limit: int, key: str | None, verdict: str | None) -> list[Row]:
        with self._database.read() as connection:
            return entries.listed(connection, before=before, limit=limit, key=key, verdict=verdict)

    async def _put_all(self, wanted: list[New]) -> list[_Outcome]:
        asked, self._asked = self._asked, set()
        return await off_loop(lambda: self._written(wanted, asked))

    def _written(self, wanted: list[New], asked: set[str]) -> list[_Outcome]:
        for _ in range(_ATTEMPTS - 1):
            try:
                return self._write(wanted, asked)
            except RacedError:
                continue
        return self._write(wanted, asked)

    def _write(self, wanted: list[New], asked: set[str]) -> list[_Outcome]:
        moment = rfc3339(now())
        with self._database.write() as connection:
            found = [self._one(connection, new, moment) for new in wanted]
            entries.touch(connection, asked, next(self._uses))
            self._until_eviction -= len(wanted)
            if self._until_eviction <= 0:
                entries.evict(connection, most=self._most)
        if self._until_eviction <= 0:
            self._until_eviction = _EVICT_EVERY
        return found

    def _one(self, connection: sa.Connection, new: New, moment: str) -> _Outcome:
        row = entries.known(connection, new)
        if row is None:
            sequence = entries.put(connection, new, received_at=moment, used=next(self._uses))
            return _Outcome(Put(sequence=sequence, known=False))
        # of what was purged only the execution is known, and it stays gone
        if row.document not in {"", new.document}:
            return _Outcome(None)
        return _Outcome(Put(sequence=row.sequence, known=True))


def _stored(row: Row) -> Stored | None:
    if not row.document:
        return None
    return Stored(
        sequence=row.sequence,
        published_by=row.token,
        received_at=row.received_at,
        entry=Entry.model_validate_json(row.document),
    )
