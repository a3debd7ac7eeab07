"""What people sign off, and who is at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.states import RequestState
from artifactize.models.stored import EvalRequest, Signing, Signoff
from artifactize.store.rows import batches, many, one, values
from artifactize.store.tables import requests, runs, signings, signoffs

if TYPE_CHECKING:
    from collections.abc import Iterable


def signing(connection: sa.Connection, request_id: str) -> Signing | None:
    """Return who is looking at a request."""
    query = sa.select(signings).where(signings.c.request_id == request_id)
    return one(Signing, connection.execute(query))


def put_signing(connection: sa.Connection, found: Signing) -> None:
    """Give a request to a person, whoever had it before."""
    drop_signings(connection, [found.request_id])
    connection.execute(sa.insert(signings), values(found))


def drop_signings(connection: sa.Connection, request_ids: Iterable[str]) -> None:
    """Give requests back."""
    for some in batches(request_ids):
        connection.execute(sa.delete(signings).where(signings.c.request_id.in_(some)))


def of_request(connection: sa.Connection, request_id: str) -> list[Signoff]:
    """Return what was said of a request, in order."""
    query = sa.select(signoffs).where(signoffs.c.request_id == request_id)
    return many(Signoff, connection.execute(query.order_by(signoffs.c.submitted_at, signoffs.c.reviewer)))


def add(connection: sa.Connection, found: Signoff) -> None:
    """Save what a person said."""
    connection.execute(sa.insert(signoffs), values(found))


def waiting_for(connection: sa.Connection, key: str, *, repository: str) -> list[EvalRequest]:
    """Return every request of a repository that waits for a person under this reuse key.

    Other checkouts may have another policy, which is no part of the key.
    """
    query = sa.select(requests).join(runs, runs.c.id == requests.c.run_id)
    query = query.where(runs.c.repository == repository, requests.c.key == key)
    query = query.where(requests.c.state == RequestState.WAITING_HUMAN)
    return many(EvalRequest, connection.execute(query))


def answered(connection: sa.Connection, request_ids: Iterable[str]) -> list[EvalRequest]:
    """Return those of these requests that wait for nobody any more."""
    found: list[EvalRequest] = []
    for some in batches(request_ids):
        query = sa.select(requests).where(
            requests.c.id.in_(some), requests.c.state != RequestState.WAITING_HUMAN
        )
        found += many(EvalRequest, connection.execute(query))
    return found
