"""One pass over the reviewed commit for everything that still refers to what is gone."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import LEVEL_ORDER, Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.ghosts.compiled import go_packages, go_references, rust_references
from prview.signals.ghosts.gone import gone_from
from prview.signals.ghosts.mentions import Mentions
from prview.signals.ghosts.python import python_references
from prview.signals.ghosts.scripts import script_references
from prview.signals.own import own_files
from prview.signals.scan import HeadPass, words_of
from prview.signals.syntax import SCRIPTS, grammar_of
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from prview.signals.base import SignalContext
    from prview.signals.ghosts.model import Gone, Reference
    from prview.signals.own import Own

KIND = "ghosts"
ARTIFACT = "30_context/ghost-references.txt"
MAX_NOTES = 200
"""Mentions in documents that become findings; the artifact has all of them."""

_WORD = re.compile(r"\w+")


class Ghosts:
    """Says who still imports, links or names a deleted or renamed file, module or name."""

    kind = KIND
    title = "Ghost references"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Work out what is gone; only then look at other files."""
        return await to_thread.run_sync(_signal, await own_files(context))


def _signal(own: Own) -> Signal | None:
    gone = gone_from(own)
    if gone.nothing:
        return None
    search = _Search(own, gone)
    found = sorted(search.references(), key=lambda item: (item.path, item.line, item.target))
    return _said(gone, found, search.cut) if found or search.cut else None


class _Search:
    def __init__(self, own: Own, gone: Gone) -> None:
        self._own = own
        self._gone = gone
        self._mentions = Mentions(own, gone)
        self._packages = go_packages(own, gone)
        self.cut: str | None = None

    def references(self) -> list[Reference]:
        """All of them."""
        head = HeadPass(self._own, self._words())
        found = [item for path, text in head.files() for item in self._of(path, text)]
        self.cut = head.cut
        seen = {item.path for item in found}
        for file in self._own.present:  # what moved away may have lost its own imports
            if file.status == "R" and file.path not in seen:
                found += self._read(file.path, self._own.after(file) or "")
        return found

    @cached_property
    def _members(self) -> list[tuple[str, frozenset[str]]]:
        """What lost names is imported as, and the names."""
        modules = [(dotted.rpartition(".")[2], names) for dotted, names in self._gone.names.items()]
        return modules + [(_imported_as(path), names) for path, names in self._gone.exports.items()]

    @cached_property
    def _needed(self) -> frozenset[str]:
        """Words, one of which a text that imports something gone has."""
        names = {PurePosixPath(path).stem for path in self._gone.files}
        names |= {PurePosixPath(folder).name for folder in self._packages.values()}
        names |= {PurePosixPath(path).parent.name for path in self._gone.files if _is_index(path)}
        return frozenset(map(_longest, names)) - {""}

    def _words(self) -> frozenset[bytes]:
        owners = {owner for owner, _ in self._members}
        return frozenset(word.encode() for word in self._mentions.words | self._needed | owners)

    def _of(self, path: str, text: str) -> list[Reference]:
        words = words_of(text)
        read = self._read(path, text) if self._may_import(words) else []
        taken = {item.line for item in read}
        return read + [item for item in self._mentions.of(path, text, words) if item.line not in taken]

    def _may_import(self, words: frozenset[str]) -> bool:
        """Whether a text has the words that a reference by language needs: parsing is what costs."""
        if not words.isdisjoint(self._needed):
            return True
        return any(owner in words and not words.isdisjoint(names) for owner, names in self._members)

    def _read(self, path: str, text: str) -> list[Reference]:
        """What reading the language tells."""
        if path.endswith((".py", ".pyi")):
            return python_references(self._own, self._gone, path, text)
        grammar = grammar_of(path)
        if grammar in SCRIPTS:
            return script_references(self._own, self._gone, path, text, grammar)
        if grammar == "rust":
            return rust_references(self._own, self._gone, path, text)
        return go_references(self._packages, path, text) if grammar == "go" and self._packages else []


def _imported_as(path: str) -> str:
    """The word of a script that an import of it has: its name, or its folder's for an index file."""
    pure = PurePosixPath(path)
    name = pure.parent.name if _is_index(path) and pure.parent.name else pure.name.split(".")[0]
    return _longest(name)


def _longest(name: str) -> str:
    """The longest word of a name: what a search for it looks for."""
    words: list[str] = _WORD.findall(name)
    return max(words, key=len, default="")


def _is_index(path: str) -> bool:
    return PurePosixPath(path).stem in {"index", "__init__", "mod"}


def _said(gone: Gone, found: list[Reference], cut: str | None) -> Signal:
    notes = [item for item in found if item.level is Level.NOTE]
    left_out = set(notes[MAX_NOTES:])
    rows = [f"{item.path}:{item.line}: {item.level.value}: {item.message}" for item in found]
    lines = [f"{plural(len(found), 'reference')} to what the change removed or renamed", "", *rows]
    if cut:
        lines += ["", cut]
    return Signal(
        kind=KIND,
        title=Ghosts.title,
        findings=tuple(_finding(item) for item in found if item not in left_out),
        artifacts=(Artifact(ARTIFACT, page(*lines)),),
        data={
            "gone_files": len(gone.files),
            "references": len(found),
            "worst": min(
                (item.level for item in found), key=LEVEL_ORDER.__getitem__, default=Level.NOTE
            ).value,
        },
        limits=(f"ghost references: {cut}",) if cut else (),
    )


def _finding(item: Reference) -> Finding:
    found = " (found by pattern)" if item.rule == "stale-mention" else ""
    return Finding(
        check=check_id(KIND),
        rule=item.rule,
        level=item.level,
        path=item.path,
        line=item.line,
        message=plain(item.message, width=300) + found,
        anchor=item.target,
    )
