"""Which records answer the evals of a look, by what the declarations accept at this moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from artifactize.store import records
from oskit.clock import now

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from artifactize.domain.project import Project
    from artifactize.models.stored import Record
    from artifactize.service.looking import Look


@dataclass(frozen=True, slots=True)
class Usable:
    """By eval: the newest record of its key if it is accepted, or why it is refused."""

    records: Mapping[str, Record] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


def usable(connection: sa.Connection, seen: Look) -> Usable:
    """Return what is recorded for the keys of a look. An older record never stands in for a refused one."""
    newest = records.current(connection, [key for key in seen.keys.values() if key is not None])
    moment = now()
    accepted: dict[str, Record] = {}
    refused: dict[str, str] = {}
    for eval_id, key in seen.keys.items():
        record = None if key is None else newest.get(key)
        if record is None:
            continue
        acceptance = seen.project.acceptance(eval_id)
        reason = None if acceptance is None else acceptance.refusal(record, moment)
        if reason is None:
            accepted[eval_id] = record
        else:
            refused[eval_id] = f"the verdict of Run {record.run_id} is refused: {reason}"
    return Usable(accepted, refused)


def acceptable_until(project: Project, accepted: Mapping[str, Record]) -> tuple[float, float] | None:
    """Return between which moments (seconds since 1970) all of these stay accepted; None: always."""
    spans = [
        (recorded.timestamp(), (recorded + acceptance.max_age).timestamp())
        for eval_id, record in accepted.items()
        if (acceptance := project.acceptance(eval_id)) is not None and acceptance.max_age is not None
        for recorded in [datetime.fromisoformat(record.recorded_at)]
    ]
    return (max(begin for begin, _ in spans), min(end for _, end in spans)) if spans else None
