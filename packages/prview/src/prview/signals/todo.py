"""Notes to self that the change adds: TODO, FIXME, HACK, XXX in comments."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.comments import comments
from prview.signals.own import own_files
from prview.signals.roles import is_lock
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "todo"
ARTIFACT = "30_context/todos.txt"
_WORD = re.compile(r"(?<![\w/.\-\"'`])(TODO|FIXME|HACK|XXX)\b(?![\w/\\.]?\w)(?P<rest>.*)")


@dataclass(frozen=True)
class _Note:
    path: str
    line: int
    word: str
    text: str
    read: bool


class Todo:
    """Says which notes to self are new; one that moved with its code is not."""

    kind = KIND
    title = "Notes to self"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Compare the comments of both sides."""
        return await to_thread.run_sync(_signal, await own_files(context))


def _signal(own: Own) -> Signal | None:
    after = [
        (note, note.line in file.added_numbers)
        for file in own.present
        for note in _notes(file.path, own.after(file))
    ]
    if not any(added for _, added in after):
        return None
    before = Counter(note.text for file in own.files for note in _notes(file.path, own.before(file)))
    gone = before - Counter(note.text for note, added in after if not added)
    new = []
    for note in (note for note, added in after if added):
        if gone[note.text] > 0:
            gone[note.text] -= 1
        else:
            new.append(note)
    return _said(new, resolved=gone.total()) if new else None


def _notes(path: str, text: str | None) -> list[_Note]:
    if not text or is_lock(path) or not _WORD.search(text):
        return []
    found = ((comment, _WORD.search(comment.text)) for comment in comments(path, text))
    return [
        _Note(path, comment.line, match[1], plain(match[0].rstrip(" */->")), comment.read)
        for comment, match in found
        if match
    ]


def _said(notes: list[_Note], *, resolved: int) -> Signal:
    lines = [f"{note.path}:{note.line}: {note.text}" for note in notes]
    head = f"{plural(len(notes), 'note')} added, {resolved} removed"
    counts = Counter(note.word for note in notes)
    return Signal(
        kind=KIND,
        title=Todo.title,
        findings=tuple(_finding(note) for note in notes),
        artifacts=(Artifact(ARTIFACT, page(head, "", *lines)),),
        data={"added": dict(sorted(counts.items())), "removed": resolved},
    )


def _finding(note: _Note) -> Finding:
    how = "" if note.read else " (found by pattern)"
    return Finding(
        check=check_id(KIND),
        rule=note.word.lower(),
        level=Level.NOTE,
        path=note.path,
        line=note.line,
        message=f"the change leaves work undone: {note.text}{how}",
        anchor=note.text,
    )
