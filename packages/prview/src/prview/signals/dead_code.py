"""Functions and classes that the change adds and nothing in the repository names.

By words, not by calls: a name that occurs anywhere else counts as used. What frameworks call by convention,
or what only other repositories use, is found as well; so these are notes.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.domain.source_paths import is_shipped
from prview.signals.definitions import Definition, definitions
from prview.signals.own import own_files
from prview.signals.scan import HeadPass
from prview.signals.words import page, plural

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "dead_code"
ARTIFACT = "20_quality/unused-definitions.txt"
_WORD = re.compile(r"\w+")
_BY_CONVENTION = frozenset({"migrations", "pages", "routes", "management", "plugins", "alembic", "app"})


class DeadCode:
    """Says which added definitions nothing names; silent when not all of the repository was searched."""

    kind = KIND
    title = "Unused definitions"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Count the words of the reviewed commit."""
        return await to_thread.run_sync(_signal, await own_files(context))


def _signal(own: Own) -> Signal | None:
    added = [(file.path, item) for file in own.present for item in _added(own, file)]
    if not added:
        return None
    head = HeadPass(own, frozenset(item.name.encode() for _, item in added))
    names = {item.name for _, item in added}
    uses = Counter(word for _, text in head.files() for word in _WORD.findall(text) if word in names)
    defined = Counter(item.name for _, item in added)
    unused = [(path, item) for path, item in added if uses[item.name] <= defined[item.name]]
    if head.cut or not unused:
        return None
    rows = [f"{path}:{item.line}: {item.name}" for path, item in unused]
    return Signal(
        kind=KIND,
        title=DeadCode.title,
        findings=tuple(_finding(path, item) for path, item in unused),
        artifacts=(Artifact(ARTIFACT, page(plural(len(rows), "definition") + " without a use", "", *rows)),),
        data={"unused": len(unused)},
    )


def _added(own: Own, file: ChangedFile) -> list[Definition]:
    """Definitions on added lines that the file did not have before."""
    convention = not _BY_CONVENTION.isdisjoint(PurePosixPath(file.path).parts[:-1])
    if convention or not is_shipped(file.path):
        return []
    after = definitions(file.path, own.after(file) or "")
    added = [item for item in after if item.line in file.added_numbers]
    if not added:
        return []
    before = {item.name for item in definitions(file.path, own.before(file) or "")}
    return [item for item in added if item.name not in before]


def _finding(path: str, item: Definition) -> Finding:
    who = "; others may use it" if item.public else ""
    message = f"nothing in the repository names {item.name}, which the change adds (judged by words{who})"
    return Finding(check_id(KIND), "unused", Level.NOTE, path, item.line, message, anchor=item.name)
