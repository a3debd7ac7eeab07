"""Remembering how `verify --all` and `status` are answered while nothing changes, for `service.recalling`."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING, Any

from artifactize.domain.outcome import EXIT_CODES
from artifactize.domain.selection import ALL
from artifactize.execution.environment import INHERITED
from artifactize.execution.limits_file import read_limits
from artifactize.models.inspection import StatusRequest
from artifactize.models.states import RunState, Source
from artifactize.service.accepting import acceptable_until, usable
from artifactize.service.knowing import pickled
from artifactize.service.observing import Seen
from artifactize.service.predicting import predict_seen
from artifactize.service.recalling import limits_stamp
from artifactize.service.relooking import look_at_all
from artifactize.service.submitting import Submission, new_run, planned
from artifactize.service.wordings import filled_in, status_wordings, verify_wordings
from artifactize.service.workspace import off_loop
from artifactize.store import recalled, tables
from artifactize.store.memo_file import place_of, write_memo
from artifactize.store.rows import encoded
from artifactize.tree.known import known_of
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.graph import Graph
    from artifactize.domain.selection import Chosen
    from artifactize.models.inspection import StatusResult
    from artifactize.service.accepting import Usable
    from artifactize.service.looking import Look
    from artifactize.service.relooking import Whole
    from artifactize.service.workspace import Workspace
    from artifactize.store.recalled import Row


async def remember(workspace: Workspace, environment: Mapping[str, str]) -> bool:
    """Remember the Run that would reuse everything now; false when something would be executed.

    `environment` is that of whoever asked for the last Run. The repository is looked at once more, and what
    is remembered belongs to this look. A failure to write is no failure of a Run: the next one is answered in
    full.
    """
    limits = limits_stamp(str(workspace.state_dir))
    try:
        # a mistake in them is told by every `verify`, also one made after the Run
        await off_loop(lambda: read_limits(workspace.state_dir))
        whole = await look_at_all(workspace.root, environment)
    except ToolError:
        return False
    found, chosen = whole.seen, whole.chosen
    if not whole.is_settled or not _is_static(whole.graph):
        return False
    seen, known = await off_loop(lambda: _reusing(workspace, chosen, found, whole.environment))
    if not _is_all_reused(seen):
        return False
    plan = await predict_seen(workspace, StatusRequest(), found, chosen)
    section = {**whole.section, **_look_section(workspace.repository, environment, whole)}
    section["accepted"] = acceptable_until(found.project, known.records)
    section["limits"] = limits
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        return await off_loop(lambda: _write(workspace, seen, section, plan))
    return False


def _reusing(
    workspace: Workspace, chosen: Chosen, found: Look, environment: dict[str, str]
) -> tuple[Seen, Usable]:
    run = new_run(workspace, Submission(selection=ALL), chosen, environment)
    with workspace.store().read() as connection:
        known = usable(connection, found)
    return Seen(*planned(run, chosen, found, known)), known


def _is_all_reused(seen: Seen) -> bool:
    return seen.run.state is RunState.FINISHED and all(
        each.source in {Source.REUSED, Source.DERIVED} and each.finished_at is not None
        for each in seen.requests
    )


def _is_static(graph: Graph) -> bool:
    """Whether every fingerprint follows from files and variables: what programs print is asked again."""
    rules = [artifact.declaration.fingerprint for artifact in graph.project.artifacts.values()]
    return not any(rule is not None and (rule.script or rule.tools) for rule in rules)


def _look_section(repository: str, environ: Mapping[str, str], whole: Whole) -> dict[str, Any]:
    """Return what an answer follows from beside files and records: see `recalling.holds`."""
    rules = [artifact.declaration.fingerprint for artifact in whole.graph.project.artifacts.values()]
    names = sorted({*INHERITED, *(name for rule in rules if rule is not None for name in rule.env)})
    return {
        "repository": repository,
        "environ": [(name, environ.get(name)) for name in names],
        "keys": json.dumps(sorted(key for key in whole.seen.keys.values() if key is not None)),
    }


def _write(workspace: Workspace, seen: Seen, section: dict[str, Any], plan: StatusResult) -> bool:
    contents = section.pop("contents")
    parsed = pickled(known_of(workspace.root).declarations())
    state = str(workspace.state_dir)
    with recalled.opened(state, writing=False) as connection:
        section["schema"] = recalled.schema_version(connection)
        section["records"] = recalled.newest_records(connection, section["keys"])
    if not _are_newest(seen, section["records"]):
        return False
    assert seen.run.outcome is not None
    run_names, runs = encoded(tables.runs, [seen.run])
    verify = {
        "run": (run_names, runs[0]),
        "requests": encoded(tables.requests, seen.requests),
        "texts": filled_in(verify_wordings(seen), [seen.run.id, *(each.id for each in seen.requests)]),
        "exit_code": EXIT_CODES[seen.run.outcome],
    }
    status = {
        **status_wordings(plan),
        "last": [(each.eval, each.key, str(each.state)) for each in seen.requests],
    }
    write_memo(place_of(state, workspace.repository), [section, verify, status, contents, parsed])
    return True


def _are_newest(seen: Seen, newest: list[Row]) -> bool:
    """Whether the Run took over the newest record of every key; one that was published since is newer."""
    records = {key: (verdict, run_id) for key, _, verdict, run_id in newest}
    keyed = [each for each in seen.requests if each.key is not None]
    return all(records.get(str(each.key)) == (str(each.state), each.source_run) for each in keyed)
