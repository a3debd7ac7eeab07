"""Remembering the answer of a `verify --all` that reused everything, for `service.recalling`."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING, Any

from artifactize.domain.keys import definition_hash
from artifactize.domain.modes import RunModes
from artifactize.domain.selection import ALL, choose
from artifactize.errors import ConfigInvalidError, FingerprintFailedError, NotARepositoryError
from artifactize.execution.environment import INHERITED
from artifactize.models.inspection import StatusRequest
from artifactize.models.states import RunState, Source
from artifactize.service.knowing import pickled
from artifactize.service.looking import declared_environment, look, read_graph
from artifactize.service.predicting import predict_seen
from artifactize.service.rereading import content_of
from artifactize.service.wordings import filled_in, status_wordings, verify_wordings
from artifactize.service.workspace import off_loop
from artifactize.store import recalled
from artifactize.store.memo_file import place_of, write_memo
from artifactize.tree.known import known_of
from artifactize.tree.stamps import epoch
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.graph import Graph
    from artifactize.service.looking import Look
    from artifactize.service.observing import Seen
    from artifactize.service.workspace import Workspace
    from artifactize.store.recalled import Row
    from artifactize.tree.rechecking import Folder
    from artifactize.tree.stamps import Stamp

    Rows = tuple[list[str], list[Row]]


async def remember(workspace: Workspace, seen: Seen) -> bool:
    """Remember a Run of everything that was over when it was submitted; false when it cannot be.

    The repository is looked at once more, and what is remembered belongs to this look. A failure to write is
    no failure of the Run: the next one is answered in full again.
    """
    if not _is_all_reused(seen):
        return False
    began = epoch()
    trace = Trace()
    try:
        graph = await read_graph(workspace.root, trace)
        chosen = choose(ALL, graph, recursive=False)
        environment = declared_environment(workspace.environment, graph.project)
        found = await look(workspace.root, graph, chosen.closure, environment, trace=trace)
        found.refuse_failures()
    except (ConfigInvalidError, NotARepositoryError, FingerprintFailedError):
        return False
    if trace.is_torn or not _is_static(graph) or not _answers_for(seen, found):
        return False
    plan = await predict_seen(workspace, StatusRequest(), found, chosen)
    section = look_section(workspace.repository, workspace.environment, graph, found, trace, began)
    with contextlib.suppress(sqlite3.Error, OSError):
        return await off_loop(lambda: _write(workspace, seen, section, status_wordings(plan, seen)))
    return False


def _is_all_reused(seen: Seen) -> bool:
    run = seen.run
    plain = not (run.request_key or run.force or run.recursive or run.ignore_gates or run.jobs)
    plain = plain and RunModes.of(run.modes) == RunModes()
    return (
        run.state is RunState.FINISHED
        and run.selection.get("kind") == "all"
        and plain
        and all(each.source in {Source.REUSED, Source.DERIVED} for each in seen.requests)
        and all(each.finished_at is not None for each in seen.requests)
    )


def _is_static(graph: Graph) -> bool:
    """Whether every fingerprint follows from files and variables: what programs print is asked again."""
    rules = [artifact.declaration.fingerprint for artifact in graph.project.artifacts.values()]
    return not any(rule is not None and (rule.script or rule.tools) for rule in rules)


def _answers_for(seen: Seen, found: Look) -> bool:
    """Whether the Run's requests are what would be asked of the repository as this look found it."""
    evals = found.project.evals
    if [each.eval for each in seen.requests] != list(evals) or set(seen.run.closure) != set(
        found.project.artifacts
    ):
        return False
    return all(
        each.key == found.keys[each.eval]
        and each.definition == definition_hash(evals[each.eval])
        and each.title == evals[each.eval].declaration.title
        and (each.source is Source.DERIVED) == evals[each.eval].is_derived
        for each in seen.requests
    )


def look_section(
    repository: str, environ: Mapping[str, str], graph: Graph, found: Look, trace: Trace, began: int
) -> dict[str, Any]:
    """Return what an answer follows from, apart from the records: see `recalling.holds`."""
    rules = [artifact.declaration.fingerprint for artifact in graph.project.artifacts.values()]
    names = sorted({*INHERITED, *(name for rule in rules if rule is not None for name in rule.env)})
    folders, others = _compact(trace)
    return {
        "repository": repository,
        "environ": [(name, environ.get(name)) for name in names],
        "epoch": began,
        "folders": folders,
        "others": others,
        "asks_git": trace.asks_git,
        "index": trace.index,
        "unsettled": [path for path, each in trace.files.items() if each is not None and not each[2]],
        "keys": json.dumps(sorted(key for key in found.keys.values() if key is not None)),
        "contents": {path: content_of(each) for path, each in trace.files.items() if each is not None},
    }


def _compact(trace: Trace) -> tuple[list[Folder], dict[str, Stamp | str | None]]:
    """Return the listings with the stamps of the files read in them, and what stands outside of them."""
    left: dict[str, Stamp | str | None] = {
        path: None if each is None else each[0] for path, each in trace.files.items()
    }
    left |= {path: None if kind == "-" else left.get(path) or kind for path, kind in trace.kinds.items()}
    folders: list[Folder] = []
    for folder, listed in {**trace.declared, **trace.folders}.items():
        entries: dict[str, str | Stamp] = {}
        for name, kind in listed.items():
            stamp = left.pop(f"{folder}/{name}" if folder else name, None)
            entries[name] = stamp if isinstance(stamp, tuple) and kind == "f" else kind
        folders.append((folder, folder in trace.folders, entries))
    listed_folders = trace.declared.keys() | trace.folders.keys()
    missing = [path for path, stamp in left.items() if stamp is None]
    for path in missing:  # a listing that lacks a telling file says so already
        if path.rpartition("/")[0] in listed_folders:
            del left[path]
    return folders, left


def _write(
    workspace: Workspace,
    seen: Seen,
    section: dict[str, Any],
    status: Mapping[str, Any],
) -> bool:
    contents = section.pop("contents")
    parsed = pickled(known_of(workspace.root).declarations())
    state = str(workspace.state_dir)
    with recalled.opened(state, writing=False) as connection:
        section["schema"] = recalled.schema_version(connection)
        section["records"] = recalled.newest_records(connection, section["keys"])
        run_names, runs = recalled.table_rows(connection, "runs", "id", seen.run.id)
        requests: Rows = recalled.table_rows(connection, "requests", "run_id", seen.run.id, "position")
    if not _are_newest(seen, section["records"]):
        return False
    verify = {
        "run": (run_names, runs[0]),
        "requests": requests,
        "texts": filled_in(verify_wordings(seen), [seen.run.id, *(each.id for each in seen.requests)]),
        "exit_code": verify_exit_code(seen),
    }
    last = [(each.eval, each.key, str(each.state)) for each in seen.requests]
    sections = [section, verify, {**status, "last": last}, contents, parsed]
    write_memo(place_of(state, workspace.repository), sections)
    return True


def _are_newest(seen: Seen, newest: list[Row]) -> bool:
    """Whether the Run took over the newest record of every key; one that was published since is newer."""
    records = {key: (verdict, run_id) for key, _, verdict, run_id in newest}
    keyed = [each for each in seen.requests if each.key is not None]
    return all(records.get(str(each.key)) == (str(each.state), each.source_run) for each in keyed)


def verify_exit_code(seen: Seen) -> int:
    """Return what `verify` exits with."""
    from artifactize.domain.outcome import EXIT_CODES

    assert seen.run.outcome is not None
    return EXIT_CODES[seen.run.outcome]
