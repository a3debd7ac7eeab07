"""The requests of Runs, and the output that executions left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from artifactize.models.stored import EvalRequest, Output
from artifactize.store.rows import batches, many, one, values
from artifactize.store.tables import outputs, requests, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from artifactize.models.states import RequestState


def add_all(connection: sa.Connection, found: Sequence[EvalRequest]) -> None:
    """Insert the requests of a new Run."""
    if found:
        connection.execute(sa.insert(requests), [values(each) for each in found])


def of_run(connection: sa.Connection, run_id: str, *, newer_than: int = 0) -> list[EvalRequest]:
    """Return the requests of a Run that changed after a revision of it, in selection order."""
    query = sa.select(requests).where(requests.c.run_id == run_id, requests.c.revision > newer_than)
    return many(EvalRequest, connection.execute(query.order_by(requests.c.position)))


class Wanted(NamedTuple):
    """Which requests of a repository to list."""

    run_id: str | None
    state: RequestState | None
    limit: int
    offset: int


def listed(connection: sa.Connection, repository: str, wanted: Wanted) -> list[EvalRequest]:
    """Return requests of a repository, those of the newest Run first, in selection order within it."""
    query = sa.select(requests).join(runs, runs.c.id == requests.c.run_id)
    query = query.where(runs.c.repository == repository)
    if wanted.run_id is not None:
        query = query.where(requests.c.run_id == wanted.run_id)
    if wanted.state is not None:
        query = query.where(requests.c.state == wanted.state)
    query = query.order_by(requests.c.run_id.desc(), requests.c.position)
    return many(EvalRequest, connection.execute(query.limit(wanted.limit).offset(wanted.offset)))


def output_sizes(connection: sa.Connection, request_id: str) -> dict[str, int]:
    """Return how many bytes a request's execution printed to each stream."""
    query = sa.select(outputs.c.stream, outputs.c.total_bytes).where(outputs.c.request_id == request_id)
    return {str(row.stream): int(row.total_bytes) for row in connection.execute(query)}


def get(connection: sa.Connection, request_id: str, *, repository: str) -> EvalRequest | None:
    """Return a request of a repository."""
    query = sa.select(requests).join(runs, runs.c.id == requests.c.run_id)
    query = query.where(requests.c.id == request_id, runs.c.repository == repository)
    return one(EvalRequest, connection.execute(query))


_SETTLED = (
    *("state", "key", "fingerprints", "source", "source_run", "source_request", "exit_code", "code"),
    *("message", "blocked_by", "attempt", "duration_ms", "started_at", "finished_at"),
)


def save_all(connection: sa.Connection, run_id: str, found: Sequence[EvalRequest]) -> None:
    """Save what may change of these requests of one Run, with its revision: move that one first."""
    if not found:
        return
    revision = connection.execute(sa.select(runs.c.revision).where(runs.c.id == run_id)).scalar_one()
    update = sa.update(requests).where(requests.c.id == sa.bindparam("request"))
    names = {name: sa.bindparam(f"to_{name}", type_=requests.c[name].type) for name in _SETTLED}
    rows = [
        {"request": each.id, **{f"to_{name}": getattr(each, name) for name in _SETTLED}} for each in found
    ]
    connection.execute(update.values(revision=revision, **names), rows)


def counts(connection: sa.Connection, run_ids: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return, for each Run, how many of its requests are in each state."""
    query = sa.select(requests.c.run_id, requests.c.state, sa.func.count())
    query = query.where(requests.c.run_id.in_(list(run_ids))).group_by(requests.c.run_id, requests.c.state)
    found: dict[str, dict[str, int]] = {}
    for run_id, state, count in connection.execute(query):
        found.setdefault(run_id, {})[str(state)] = count
    return found


def last_of_evals(connection: sa.Connection, repository: str) -> dict[str, EvalRequest]:
    """Return the newest ended request of every eval in a repository."""
    newest = sa.select(sa.func.max(requests.c.id)).join(runs, runs.c.id == requests.c.run_id)
    newest = newest.where(runs.c.repository == repository, requests.c.finished_at.is_not(None))
    query = sa.select(requests).where(requests.c.id.in_(newest.group_by(requests.c.eval)))
    return {each.eval: each for each in many(EvalRequest, connection.execute(query))}


def put_outputs(connection: sa.Connection, found: Sequence[Output]) -> None:
    """Save the audits of streams, in place of those of earlier attempts."""
    if not found:
        return
    for some in batches([each.request_id for each in found]):
        connection.execute(sa.delete(outputs).where(outputs.c.request_id.in_(some)))
    connection.execute(sa.insert(outputs), [values(each) for each in found])


def get_output(connection: sa.Connection, request_id: str, stream: str) -> Output | None:
    """Return what is saved of a stream."""
    query = sa.select(outputs).where(outputs.c.request_id == request_id, outputs.c.stream == stream)
    return one(Output, connection.execute(query))


def anywhere(connection: sa.Connection, request_id: str) -> EvalRequest | None:
    """Return a request of any repository: verdicts are reused between checkouts."""
    return one(EvalRequest, connection.execute(sa.select(requests).where(requests.c.id == request_id)))
