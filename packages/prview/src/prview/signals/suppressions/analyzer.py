"""Names everything that a change adds to keep findings from being seen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.own import own_files
from prview.signals.roles import is_document, is_lock
from prview.signals.suppressions.inline import inline_suppressions, suppressing
from prview.signals.suppressions.referenced import referenced_settings
from prview.signals.suppressions.removed import removed_tests
from prview.signals.suppressions.settings import SettingChanges
from prview.signals.suppressions.skipped import skipped_tests, skipping
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own
    from prview.signals.suppressions.model import Suppression

    Reader = Callable[[str, str], list[Suppression]]

KIND = "suppressions"
ARTIFACT = "20_quality/suppressions.txt"


class Suppressions:
    """Says which comments, skipped tests and settings of the change hide findings from its own checks.

    Every check looks at the branch as the branch asks to be looked at. What it asks for is what a reviewer
    has to agree with: a warning each, whatever the reason.
    """

    kind = KIND
    title = "Suppressions"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Compare both sides of the files that gain a suppression, and of the settings of tools."""
        own = await own_files(context)
        return await to_thread.run_sync(_signal, own, await referenced_settings(context, own))


def _signal(own: Own, referenced: Mapping[str, str]) -> Signal | None:
    files = [file for file in own.files if not (file.binary or is_document(file.path) or is_lock(file.path))]
    settings = SettingChanges(own, referenced)
    new = _new(own, files)
    found = []
    for file in files:
        found += [(file, item) for item in new.get(file.path, ())]
        found += settings.of(file)
    found += removed_tests(own, files)
    return _said(found, tuple(settings.limits)) if found or settings.limits else None


def _new(own: Own, files: Iterable[ChangedFile]) -> dict[str, list[Suppression]]:
    """The suppressions in code that were not there before, nor came with a line from another file."""
    files = list(files)
    new = {file.path: found for file in files if file.exists and (found := _gained(own, file))}
    if not new:
        return {}
    moved = _lost_lines(own, files)
    return {path: kept for path, found in new.items() if (kept := _unmoved(own, path, found, moved))}


def _gained(own: Own, file: ChangedFile) -> list[Suppression]:
    readers = _readers([line.text for line in file.added_lines])
    after = _all(readers, file.path, own.after(file))
    added = [item for item in after if item.line in file.added_numbers]
    if not added:
        return []
    before = Counter(item.text for item in _all(readers, file.old_path or file.path, own.before(file)))
    gone = before - Counter(item.text for item in after if item.line not in file.added_numbers)
    new = []
    for item in added:
        if gone[item.text] > 0:
            gone[item.text] -= 1
        else:
            new.append(item)
    return new


def _readers(lines: Sequence[str]) -> list[Reader]:
    """Who has to read a file that gains these lines: reading it as a whole is what costs."""
    kinds = ((suppressing, inline_suppressions), (skipping, skipped_tests))
    return [read for among, read in kinds if among(lines)]


def _all(readers: Iterable[Reader], path: str, text: str | None) -> list[Suppression]:
    return [item for read in readers for item in read(path, text)] if text else []


def _lost_lines(own: Own, files: Iterable[ChangedFile]) -> Counter[str]:
    """Lines with a suppression that a file no longer has: where they turn up again, nothing is new."""
    lost: Counter[str] = Counter()
    for file in files:
        before = own.before(file) if file.deleted else None
        if before:
            had = Counter(_hiding(before))
            lost += had - Counter(_hiding(own.after(file) or ""))
    return lost


def _hiding(text: str) -> list[str]:
    lines = text.split("\n")
    hiding = {*suppressing(lines), *skipping(lines)}
    return [line.strip() for line in lines if line in hiding] if hiding else []


def _unmoved(own: Own, path: str, found: list[Suppression], moved: Counter[str]) -> list[Suppression]:
    lines = own.head.lines(path)
    kept = []
    for item in found:
        line = lines[item.line - 1].strip() if item.line <= len(lines) else ""
        if moved[line] > 0:
            moved[line] -= 1
        else:
            kept.append(item)
    return kept


def _said(found: list[tuple[ChangedFile, Suppression]], limits: tuple[str, ...]) -> Signal:
    findings = tuple(_finding(file, item) for file, item in found)
    rows = [f"{item.path}:{item.line}: {item.message}" for item in findings]
    counts = Counter(item.rule for _, item in found)
    artifact = Artifact(ARTIFACT, page(plural(len(findings), "suppression") + " added", "", *rows))
    return Signal(
        kind=KIND,
        title=Suppressions.title,
        findings=findings,
        artifacts=(artifact,) if findings else (),
        data={"added": dict(sorted(counts.items()))},
        limits=limits,
    )


def _finding(file: ChangedFile, item: Suppression) -> Finding:
    how = "" if item.read else " (found by pattern)"
    said = item.what if item.text == item.what else f"{plain(item.text, width=80)} {item.what}"
    return Finding(
        check=check_id(KIND),
        rule=item.rule,
        level=Level.WARNING,
        path=file.path,
        line=item.line,
        message=f"the change asks not to be told: {plain(said, width=300)}{how}",
        anchor=item.text,
    )
