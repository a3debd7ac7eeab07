"""Matches the changed files with CODEOWNERS of the base, and their past with people."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.history import history_of
from prview.signals.own import own_files
from prview.signals.owners.codeowners import MAX_BYTES, PLACES, CodeOwners, parse_codeowners
from prview.signals.owners.reviewers import Reviewer, suggest
from prview.signals.sources import read_source
from prview.signals.words import bullets, code, page, plural

if TYPE_CHECKING:
    from datetime import datetime

    from pydantic import JsonValue

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.history import History
    from prview.signals.own import Own, Texts

KIND = "owners"
ARTIFACT = "30_context/OWNERS.md"


class Owners:
    """Says who has to approve and who could. Owners are the base's: a branch does not choose its judges."""

    kind = KIND
    title = "Owners and reviewers"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Speak when the repository has owners, or the files have a past."""
        own = await own_files(context)
        return await to_thread.run_sync(_signal, own, await history_of(context))


def _signal(own: Own, history: History) -> Signal | None:
    place, rules = _owners(own.base)
    authors = {commit.email.lower() for commit in own.change.commits}
    newest = max((past.time for pasts in history.of.values() for past in pasts), default=None)
    people = suggest(history.of, authors=authors, now=newest) if newest else []
    if rules is None and not people and not _edits(own):
        return None
    owned = {file.path: rules.owners(file.path) for file in own.change.files} if rules else {}
    return Signal(
        kind=KIND,
        title=Owners.title,
        findings=tuple(_findings(own, rules)),
        artifacts=(Artifact(ARTIFACT, _text(place, rules, owned, people, newest)),),
        data={
            "codeowners": place,
            "owners": _by_owner(owned),
            "unowned": [path for path, owners in owned.items() if not owners],
            "reviewers": [
                {"name": person.name, "email": person.email, "files": person.files, "commits": person.commits}
                for person in people
            ],
        },
    )


def _owners(side: Texts) -> tuple[str | None, CodeOwners | None]:
    place = next((path for path in PLACES if path in side.paths), None)
    text = read_source(side.tree, place, limit=MAX_BYTES) if place else None
    return place, parse_codeowners(text) if isinstance(text, str) else None


def _edits(own: Own) -> list[ChangedFile]:
    return [file for file in own.change.files if file.path in PLACES or file.old_path in PLACES]


def _findings(own: Own, rules: CodeOwners | None) -> list[Finding]:
    """A change of CODEOWNERS decides who may judge the next one; lines that GitHub skips protect nothing."""
    found = []
    for file in _edits(own):
        message = "the change edits who owns the code: the owners of the base were used here"
        line = file.added_lines[0].number if file.added_lines else 1
        if rules is not None:
            found.append(_finding("owners-changed", Level.WARNING, file.path, line, message))
        after = parse_codeowners(own.after(file) or "")
        found += [
            _finding(
                "owners-unreadable", Level.WARNING, file.path, number, "GitHub skips this line of CODEOWNERS"
            )
            for number in after.refused
            if number in file.added_numbers
        ]
    return found


def _finding(rule: str, level: Level, path: str, line: int, message: str) -> Finding:
    return Finding(check_id(KIND), rule, level, path, line, message, anchor=f"{rule} {line}")


def _by_owner(owned: dict[str, tuple[str, ...]]) -> dict[str, JsonValue]:
    counts: dict[str, int] = defaultdict(int)
    for owners in owned.values():
        for owner in owners:
            counts[owner] += 1
    return {owner: counts[owner] for owner in sorted(counts)}


def _text(
    place: str | None,
    rules: CodeOwners | None,
    owned: dict[str, tuple[str, ...]],
    people: list[Reviewer],
    newest: datetime | None,
) -> str:
    lines = ["# Owners and reviewers", ""]
    if rules is not None:
        lines += [f"Owners by {code(str(place))} of the base; the last matching line decides.", ""]
        groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for path, owners in owned.items():
            groups[owners].append(code(path))
        for owners, paths in sorted(groups.items()):
            lines += bullets(", ".join(map(code, owners)) or "Nobody", paths, shown=50)
        if rules.refused:
            lines += [f"Lines that GitHub skips: {', '.join(map(str, rules.refused))}.", ""]
    told = [
        f"{code(person.name)} {code(person.email)}: {plural(person.commits, 'commit')} in "
        f"{plural(person.files, 'changed file')}"
        for person in people
    ]
    lines += bullets("Who knows these files (by commits, newer ones count more)", told)
    if people and newest:
        lines += [f"The newest of those commits is of {newest:%Y-%m-%d}."]
    return page(*lines)
