"""Answering `verify --all` and `status` from what was remembered, while nothing at all has changed.

An answer is remembered (`service.remembering`) with everything that it follows from: each folder listing,
each stamp of a file, the values of variables, the newest record of each key. If all of it is still so, the
answer is still right, whatever it says; if anything is not, or cannot be told, there is none and the
question is answered in full. Imports next to nothing: the whole start of the program is in the time of an
answer.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import stat
import time

from artifactize.store import recalled
from artifactize.store.memo_file import MemoFile, NothingRemembered, place_of, write_memo
from artifactize.tree.git_index import index_of
from artifactize.tree.rechecking import Changed, doubtful
from artifactize.tree.stamps import epoch, same_clock, stamp_of

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifactize.tree.stamps import Stamp

LOOK, VERIFY, STATUS, DIGESTS, PARSED = range(5)
"""The sections of a memo."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Recalled:
    """An answer: `text` for standard output, and the exit code."""

    def __init__(self, text: str, exit_code: int) -> None:
        self.text = text
        self.exit_code = exit_code


def recall(
    repository: str, state_dir: str, environ: Mapping[str, str], *, verify: bool, form: str
) -> Recalled | None:
    """Return the answer for everything declared, or None; a `verify` saves its Run. Raises nothing.

    `form` is the wording that was remembered: `lines`, `text`, `json` or `events`. `repository` and
    `state_dir` are absolute and resolved.
    """
    gc.disable()  # a hundred thousand small tuples, none of them garbage
    try:
        return _recall(repository, state_dir, environ, verify=verify, form=form)
    except (NothingRemembered, Changed, OSError, sqlite3.Error, KeyError, IndexError, ValueError, TypeError):
        return None
    finally:
        gc.enable()


def _recall(
    repository: str, state_dir: str, environ: Mapping[str, str], *, verify: bool, form: str
) -> Recalled | None:
    _refuse_shared(state_dir)
    place = place_of(state_dir, repository)
    memo = MemoFile(place)
    look = memo.section(LOOK)
    if look["repository"] != repository or any(environ.get(name) != value for name, value in look["environ"]):
        return None
    if look["limits"] != limits_stamp(state_dir):
        return None
    if look["accepted"] is not None and not look["accepted"][0] <= time.time() <= look["accepted"][1]:
        return None
    if not holds(repository, look, lambda: memo.section(DIGESTS), _Rewriting(memo, place)):
        return None
    return _verified(state_dir, look, memo, form) if verify else _status(state_dir, look, memo, form)


def _refuse_shared(state_dir: str) -> None:
    found = os.stat(state_dir)  # noqa: PTH116 - pathlib is not loaded
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
        raise NothingRemembered


def limits_stamp(state_dir: str) -> Stamp | None:
    """Return the stamp of the file of limits: a mistake in it is told by every `verify`."""
    try:
        return stamp_of(os.stat(f"{state_dir}/limits.json"))  # noqa: PTH116 - pathlib is not loaded
    except FileNotFoundError:
        return None


class _Rewriting:
    """Saves refreshed stamps in place of the former ones."""

    def __init__(self, memo: MemoFile, place: str) -> None:
        self._memo = memo
        self._place = place

    def __call__(self, look: dict[str, Any]) -> None:
        rest = [self._memo.section(index) for index in (VERIFY, STATUS, DIGESTS, PARSED)]
        write_memo(self._place, [look, *rest])


def holds(repository: str, look: dict[str, Any], digests: Any, rewrite: Any) -> bool:  # noqa: ANN401 - callables, see _recall
    """Whether everything that a look saw is still so; raises as `doubtful`, too.

    Files for which `stat` does not vouch are read, and stamps that vouch from now on are handed to `rewrite`.
    """
    if look["asks_git"] and look["index"] != index_of(repository):
        return False
    files = doubtful(repository, look["folders"], look["others"])
    now = epoch()
    if not same_clock(look["epoch"], now):
        files = _all_files(look)
    unsettled = look["unsettled"]
    if not files and not unsettled:
        return True
    from artifactize.service.rereading import still_the_same  # deferred: hashing is rare here

    return still_the_same(repository, look, {*files, *unsettled}, digests(), rewrite)


def _all_files(look: dict[str, Any]) -> list[str]:
    found = [
        f"{folder}/{name}" if folder else name
        for folder, _, entries in look["folders"]
        for name, stamp in entries.items()
        if stamp.__class__ is tuple
    ]
    return found + [path for path, stamp in look["others"].items() if stamp.__class__ is tuple]


def _verified(state_dir: str, look: dict[str, Any], memo: MemoFile, form: str) -> Recalled | None:
    answer = memo.section(VERIFY)
    names, rows = answer["requests"]
    ids = recalled.new_ids(len(rows) + 1)
    text = _filled(answer["texts"][form], ids)
    with recalled.opened(state_dir, writing=True) as connection:
        if not _records_hold(connection, look):
            return None
        recalled.copy_run(connection, answer["run"], (names, rows), ids)
    return Recalled(text, answer["exit_code"])


def _status(state_dir: str, look: dict[str, Any], memo: MemoFile, form: str) -> Recalled | None:
    answer = memo.section(STATUS)
    with recalled.opened(state_dir, writing=False) as connection:
        if not _records_hold(connection, look) or recalled.is_anything_executed(connection):
            return None
        last = recalled.last_run_like(connection, look["repository"], answer["last"])
    if form == "json" and last is None:
        return None
    return Recalled(_filled(answer["texts"][form], [last or ""]), answer["exit_code"])


def _records_hold(connection: sqlite3.Connection, look: dict[str, Any]) -> bool:
    if recalled.schema_version(connection) != look["schema"]:
        return False
    found: list[tuple[Any, ...]] = look["records"]
    return recalled.newest_records(connection, look["keys"]) == found


def _filled(template: list[str | int], ids: list[str]) -> str:
    return "".join([part if isinstance(part, str) else ids[part] for part in template])
