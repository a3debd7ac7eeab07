"""Files that settings take in: `import rules from "./lint/rules.js"`, `"extends": "./base.json"`.

Whoever changes one of them changes the settings, though nothing in its name says so. References are read as
text, on both sides, and followed from file to file; what a program puts together as it runs is not seen.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from prview.signals.script_imports import resolve
from prview.signals.suppressions.programs import SCRIPT_ENDS, program_tool
from prview.signals.suppressions.setting_files import extending_tool, reader_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prview.checks.trees import Side
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

_ENDS = (*SCRIPT_ENDS, ".json", ".jsonc", ".json5", ".toml", ".yml", ".yaml")
_MOST_FILES = 500
_LINK = "120000"
_QUOTED = re.compile(r"""["'`](\.{1,2}/[^"'`\n]+)["'`]""")
_EXTENDS = re.compile(r"""["']?\bextends?\b["']?\s*[:=]\s*(\[[^\]]*\]|[^\n]*(?:\n\s*-[^\n]*)*)""")
_WORD = re.compile(r"""[\w@./-]+""")


async def referenced_settings(context: SignalContext, own: Own) -> Mapping[str, str]:
    """The files that the settings of either side take in, by path, each with the tool that it sets up."""
    if not any(_may_be_referenced(path) for file in own.files for path in (file.path, file.old_path) if path):
        return {}
    head = await _of_side(context, "head", context.head_paths)
    return head | await _of_side(context, "base", context.base_paths)


def _may_be_referenced(path: str) -> bool:
    return path.endswith(_ENDS) and reader_of(path) is None and program_tool(path) is None


async def _of_side(context: SignalContext, side: Side, paths: frozenset[str]) -> dict[str, str]:
    waiting = {path: tool for path in paths if (tool := _root_tool(path)) is not None}
    known: dict[str, str] = {}
    while waiting and len(known) < _MOST_FILES:
        some = dict(sorted(waiting.items())[: _MOST_FILES - len(known)])
        known |= some
        texts = await context.trees.contents(side, some)
        waiting = {
            path: some[importer]
            for importer, (mode, data) in texts.items()
            for path in _taken_in(importer, data.decode("utf-8", "replace"), paths, link=mode == _LINK)
            if path not in known
        }
    return {path: tool for path, tool in known.items() if _root_tool(path) is None}


def _root_tool(path: str) -> str | None:
    return program_tool(path) or extending_tool(path)


def _taken_in(importer: str, text: str, paths: frozenset[str], *, link: bool) -> Iterable[str]:
    """What a file refers to; a link refers to what it points to."""
    if not link:
        return _references(importer, text, paths)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(importer), text))
    return [target] if target in paths and _may_be_referenced(target) else []


def _references(importer: str, text: str, paths: frozenset[str]) -> Iterable[str]:
    if importer.endswith(SCRIPT_ENDS):
        found = [resolve(match[1], importer, paths) for match in _QUOTED.finditer(text)]
    else:
        words = (word[0] for match in _EXTENDS.finditer(text) for word in _WORD.finditer(match[1]))
        found = [_extended(word, importer, paths) for word in words]
    return (path for path in found if path is not None and _may_be_referenced(path))


def _extended(word: str, importer: str, paths: frozenset[str]) -> str | None:
    """The file that is extended: relative to the one that says so, its end left out or not."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(importer), word))
    written = (target, *(target + end for end in (".json", *SCRIPT_ENDS)))
    return next((path for path in written if path in paths), None)
