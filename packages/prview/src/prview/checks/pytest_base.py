"""Which tests of the merge base the reviewed commit runs no longer.

The base is asked which tests it has (collected, not run) when the change touches tests or what configures
them; and it runs those tests that the head skips or expects to fail, which a collection cannot tell apart.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview import __version__
from prview.checks.base import CheckProblem
from prview.checks.pytest_missing import no_longer_run, quiet, under_new_names
from prview.checks.pytest_projects import MARKERS, is_test
from prview.checks.python_environment import python_environment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.checks.pytest_events import Session
    from prview.checks.pytest_runner import Runner
    from prview.domain.findings import Judged


async def missing_tests(runner: Runner, head: Session) -> tuple[tuple[Judged, ...], str | None]:
    """The findings, and what could not be compared as a sentence."""
    if runner.project.base_folder is None or not (_touched(runner, head) or quiet(head) or head.left_out):
        return (), None
    renames = runner.context.change.renames
    try:
        before: frozenset[str] = frozenset()
        if _touched(runner, head) or head.left_out:
            before = await _base_tests(runner)
        before_now = under_new_names(before, renames)
        ran = await _ran(runner, quiet(head))
    except CheckProblem as exc:
        return (), f"which tests of the base run no longer could not be seen: {exc.message}"
    there = frozenset(await runner.context.trees.listing("head"))
    return no_longer_run(head, frozenset(before_now), ran_before=ran, there=there), None


def _touched(runner: Runner, head: Session) -> bool:
    """Whether the change touches what decides which tests there are."""
    paths = [path for file in runner.context.change.files for path in (file.path, file.old_path) if path]
    return any(
        is_test(path) or path in head.files or PurePosixPath(path).name in {"conftest.py", *MARKERS}
        for path in paths
    )


async def _base_tests(runner: Runner) -> frozenset[str]:
    """The tests that the base would run, as an earlier run saw them if nothing differs since."""
    cache = runner.context.cache
    key = await _key(runner)
    kept = cache.get(key) if cache else None
    if kept is not None:
        return frozenset(json.loads(kept))
    tree = await runner.context.trees.base()
    session = await runner.run("base", tree, name="base-collect", only_collect=True)
    found = session.planned or frozenset()
    if cache and session.planned is not None and not session.failed:
        cache.put(key, json.dumps(sorted(found)).encode())
    return found


async def _key(runner: Runner) -> str:
    """Everything that decides which tests are collected: all files, the program, its packages, ourselves."""
    environment = await python_environment(runner.context, runner.project.folder)
    program = runner.tool.program.resolve() if runner.tool else None
    parts = {
        "look": "pytest-collect-1",
        "prview": __version__,
        "folder": runner.project.base_folder,
        "program": [str(program), str(program.stat().st_mtime_ns) if program else ""],
        "environment": environment.digest(runner.context.checkouts) if environment else "",
        "files": dict(await runner.context.trees.listing("base")),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


async def _ran(runner: Runner, names: Iterable[str]) -> frozenset[str]:
    """Those tests of the head that the base has and runs: they pass or fail there."""
    renames = {new: old for old, new in runner.context.change.renames.items()}
    listing = await runner.context.trees.listing("base")
    old_names = {
        old: new for old, new in under_new_names(names, renames).items() if old.partition("::")[0] in listing
    }
    if not old_names:
        return frozenset()
    files = {old.partition("::")[0] for old in old_names}
    tree = await runner.context.trees.base()
    session = await runner.run("base", tree, files=files, ids=old_names, name="base-quiet")
    ran = session.ended.keys() - quiet(session)
    return frozenset(old_names[name] for name in ran if name in old_names)
