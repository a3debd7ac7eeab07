"""Looking at everything again, where this process has looked before: one `stat` a file, as `recalling` does.

What the earlier look saw is rechecked (`tree.rechecking`). Artifacts one of whose files may have another
content are fingerprinted again; anything else that has changed, a listing, a declaration, git's index, the
clock, means that everything is looked at anew. So the answer is always that of a look from now on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from artifactize.domain.keys import reuse_key
from artifactize.domain.selection import ALL, choose
from artifactize.execution.fingerprints import Fingerprints
from artifactize.service.looking import Look, declared_environment, look, read_graph
from artifactize.service.rereading import content_of
from artifactize.service.tracing import traced_section
from artifactize.service.workspace import off_loop
from artifactize.tree.git_index import index_of
from artifactize.tree.rechecking import Changed, doubtful, is_telling
from artifactize.tree.stamps import epoch, same_clock
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from artifactize.domain.graph import Graph
    from artifactize.domain.selection import Chosen


@dataclass(frozen=True, slots=True)
class Whole:
    """A look at every Artifact; `environment` is what was captured for it, `section` what it saw of files.

    `is_settled` says that the look follows from these files and variables alone.
    """

    chosen: Chosen
    seen: Look
    environment: dict[str, str]
    section: Mapping[str, Any]
    is_settled: bool

    @property
    def graph(self) -> Graph:
        """The declarations and their relations."""
        return self.seen.graph


_last: dict[Path, Whole] = {}
_lock = threading.Lock()


async def look_at_all(root: Path, environ: Mapping[str, str]) -> Whole:
    """Return a look at everything declared, from now on, with what its commands get of an environment.

    Raises ConfigInvalidError, NotARepositoryError. Artifacts that cannot be fingerprinted are in the look.
    """
    with _lock:
        last = _last.get(root)
    found = None if last is None else await _again(root, last, environ)
    if found is None:
        found = await _anew(root, environ)
    with _lock:
        if found.is_settled:
            _last[root] = found
        else:
            _last.pop(root, None)
    return found


async def _anew(root: Path, environ: Mapping[str, str]) -> Whole:
    began = epoch()
    trace = Trace()
    graph = await read_graph(root, trace)
    chosen = choose(ALL, graph, recursive=False)
    captured = declared_environment(environ, graph.project)
    seen = await look(root, graph, chosen.closure, captured, trace=trace)
    follows = not (trace.is_torn or trace.asks_programs or seen.fingerprints.failures)
    section = await off_loop(lambda: traced_section(trace, began)) if follows else {}
    return Whole(chosen, seen, captured, section, follows)


async def _again(root: Path, last: Whole, environ: Mapping[str, str]) -> Whole | None:
    """Return the look as it is now, None when too much has changed."""
    if declared_environment(environ, last.graph.project) != last.environment:
        return None
    paths = await off_loop(lambda: _doubted(root, last.section))
    if paths is None:
        return None
    if not paths:
        return last
    names = _owners(last.seen, paths)
    if names is None:
        return None
    trace = Trace()
    newer = await look(root, last.graph, sorted(names), last.environment, evals=(), trace=trace)
    section = _patched(last.section, trace)
    if section is None or newer.fingerprints.failures or paths - trace.files.keys():
        return None
    return replace(last, seen=_merged(last.seen, newer.fingerprints), section=section)


def _doubted(root: Path, section: Mapping[str, Any]) -> set[str] | None:
    """Return the files whose content may be another, None when something else has changed."""
    try:
        if section["asks_git"] and section["index"] != index_of(str(root)):
            return None
        found = {*doubtful(str(root), section["folders"], section["others"]), *section["unsettled"]}
    except (Changed, OSError):
        return None
    is_same_clock = same_clock(section["epoch"], epoch())
    return found if is_same_clock and not any(is_telling(_base(path)) for path in found) else None


def _owners(seen: Look, paths: Iterable[str]) -> set[str] | None:
    """Return the Artifacts to which files belong, None when one belongs to none."""
    at: dict[str, list[str]] = {}
    for name in seen.fingerprints.manifests:
        at.setdefault(seen.project.artifacts[name].declaration.folder, []).append(name)
    names: set[str] = set()
    for path in paths:
        own = [
            name
            for folder in _above(path)
            for name in at.get(folder, ())
            if path[len(folder) + 1 if folder else 0 :] in seen.fingerprints.manifests[name]
        ]
        if not own:
            return None
        names.update(own)
    return names


def _above(path: str) -> Iterator[str]:
    while path:
        path = path.rpartition("/")[0]
        yield path


def _patched(section: Mapping[str, Any], trace: Trace) -> dict[str, Any] | None:
    """Return what was seen with newer stamps, None when a folder's listing or something else differs."""
    if trace.is_torn or (trace.asks_git and (not section["asks_git"] or trace.index != section["index"])):
        return None
    fresh = {path: seen for path, seen in trace.files.items() if seen is not None}
    contents = dict(section["contents"])
    if not fresh.keys() <= contents.keys():
        return None
    contents |= {path: content_of(seen) for path, seen in fresh.items()}
    touched = {path.rpartition("/")[0] for path in fresh}
    listed = {**trace.declared, **trace.folders}
    folders = []
    for folder, is_whole, entries in section["folders"]:
        newer = entries
        if folder in listed and entries.keys() != listed[folder].keys():
            return None
        if folder in touched:
            newer = {name: _stamp_of(_joined(folder, name), old, fresh) for name, old in entries.items()}
        folders.append((folder, is_whole, newer))
    return {
        **section,
        "folders": folders,
        "others": {path: _stamp_of(path, old, fresh) for path, old in section["others"].items()},
        "contents": contents,
        "unsettled": [
            *(path for path in section["unsettled"] if path not in fresh),
            *(path for path, seen in fresh.items() if not seen[2]),
        ],
    }


def _stamp_of(path: str, old: Any, fresh: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as in rechecking
    return fresh[path][0] if isinstance(old, tuple) and path in fresh else old


def _merged(seen: Look, newer: Fingerprints) -> Look:
    old = seen.fingerprints
    changed = {name for name, value in newer.values.items() if old.values.get(name) != value}
    if not changed:
        return seen
    values = {**old.values, **newer.values}
    project = seen.project
    keys = {
        eval_id: key if changed.isdisjoint(project.covered(eval_id)) else reuse_key(project, eval_id, values)
        for eval_id, key in seen.keys.items()
    }
    manifests = {**old.manifests, **newer.manifests}
    return Look(seen.graph, Fingerprints(values, manifests, old.failures), keys, seen.definitions)


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _base(path: str) -> str:
    return path.rpartition("/")[2]
