"""Saved Runs without anything having run: for what lists and shows them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.models.stored import EvalRequest, Output, Run
from artifactize.store import requests, runs, tables
from artifactize.store.rows import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.store.database import Store

BEGAN = datetime(2026, 12, 1, 3, 0, 0, tzinfo=UTC)


def moment(seconds: int) -> str:
    """A moment of these Runs."""
    return (BEGAN + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def run_id(number: int) -> str:
    """The id of a Run; a higher number is a newer Run."""
    return f"01a{number:08d}-fbe7-7084-91b5-72747f4f06ff"


def saved_run(number: int, repository: str, outcome: Outcome | None = Outcome.GREEN, **fields: Any) -> Run:
    """A finished Run, or one that goes on when there is no outcome."""
    known = {
        "id": run_id(number),
        "repository": repository,
        "request_key": None,
        "selection": {"kind": "all"},
        "closure": ["guide"],
        "recursive": False,
        "force": False,
        "ignore_gates": False,
        "jobs": None,
        "environment": {},
        "state": RunState.RUNNING if outcome is None else RunState.FINISHED,
        "outcome": outcome,
        "unmet": [],
        "message": None,
        "cancel_requested": False,
        "revision": 1,
        "created_at": moment(number),
        "started_at": moment(number),
        "finished_at": None if outcome is None else moment(number + 4),
    }
    return Run(**{**known, **fields})


def saved_request(run: Run, position: int, eval_id: str, state: RequestState, **fields: Any) -> EvalRequest:
    """One eval of such a Run."""
    known = {
        "id": f"{run.id[:-4]}{position:04d}",
        "run_id": run.id,
        "position": position,
        "eval": eval_id,
        "artifact": eval_id.partition("/")[0],
        "kind": "runtime",
        "title": "It holds",
        "selected": True,
        "forced": False,
        "state": state,
        "definition": "d" * 64,
        "key": "k" * 64,
        "source": Source.EXECUTED,
        "attempt": 1,
        "duration_ms": 1200,
        "started_at": moment(position),
    }
    return EvalRequest(**{**known, **fields})


def save_all(store: Store, found: Sequence[Run]) -> None:
    """Save many Runs at once."""
    with store.write() as connection:
        connection.execute(sa.insert(tables.runs), [values(run) for run in found])


def save(store: Store, run: Run, found: Sequence[EvalRequest] = (), *printed: Output) -> None:
    """Save a Run with its requests and what they printed."""
    with store.write() as connection:
        runs.add(connection, run)
        requests.add_all(connection, found)
        requests.put_outputs(connection, printed)
