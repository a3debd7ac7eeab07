"""Compares the keys of every language that a change touches with each other, before and after."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.i18n.files import DEFAULT, LocaleFile, locale_file
from prview.signals.i18n.keys import UnreadableError, keys
from prview.signals.own import own_files
from prview.signals.words import listed, page, plain, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.signals.base import SignalContext
    from prview.signals.own import Own, Texts

KIND = "i18n"
ARTIFACT = "20_quality/missing-translations.txt"

Missing = dict[LocaleFile, frozenset[str]]


class Translations:
    """Says which languages lack keys that others of the same group have since this change."""

    kind = KIND
    title = "Missing translations"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Look at the groups of which a file changes."""
        own = await own_files(context)
        touched = {found.group for file in own.files if (found := locale_file(file.path))}
        return await to_thread.run_sync(_signal, own, touched) if touched else None


def _signal(own: Own, touched: set[str]) -> Signal | None:
    limits: list[str] = []
    before = _groups(own.base, touched, [])
    missing: Missing = {}
    for group, after in _groups(own.head, touched, limits).items():
        missing |= _new_missing(before.get(group, {}), after)
    if not missing and not limits:
        return None
    return Signal(
        kind=KIND,
        title=Translations.title,
        findings=tuple(_finding(own, file, names) for file, names in missing.items()),
        artifacts=(Artifact(ARTIFACT, _text(missing)),) if missing else (),
        data={"missing": {file.path: len(names) for file, names in missing.items()}},
        limits=tuple(limits),
    )


def _groups(side: Texts, touched: set[str], limits: list[str]) -> dict[str, Missing]:
    """The keys of every file of the touched groups."""
    found: dict[str, Missing] = defaultdict(dict)
    files = [file for path in sorted(side.paths) if (file := locale_file(path)) and file.group in touched]
    for file in files:
        text = side.text(file.path)
        if text is None:
            continue
        try:
            found[file.group][file] = keys(file.path, text, file.locale)
        except UnreadableError as exc:
            limits.append(f"{file.path} {exc}: missing translations in it are unknown")
    return found


def _new_missing(before: Missing, after: Missing) -> Missing:
    """What each language lacks, less what it lacked before. A regional variant may lean on its language."""
    wanted = frozenset[str]().union(*after.values())
    known = frozenset[str]().union(*before.values())
    old = {file.locale: names for file, names in before.items()}
    found = {}
    for file, names in after.items():
        lacked = known - old[file.locale] if file.locale in old else frozenset()
        new = wanted - names - lacked
        if new and not _leans(file, after):
            found[file] = new
    return found


def _leans(file: LocaleFile, group: Iterable[LocaleFile]) -> bool:
    languages = {other.locale for other in group}
    return file.locale not in {file.language, DEFAULT} and file.language in languages


def _finding(own: Own, file: LocaleFile, names: frozenset[str]) -> Finding:
    shown = listed([plain(name, width=60) for name in sorted(names)])
    message = f"{file.locale} lacks {plural(len(names), 'key')} that other languages have: {shown}"
    changed = next((item for item in own.present if item.path == file.path), None)
    line = changed.added_lines[0].number if changed and changed.added_lines else 1
    return Finding(check_id(KIND), "missing-key", Level.NOTE, file.path, line, message, anchor=file.locale)


def _text(missing: Missing) -> str:
    lines = []
    for file, names in missing.items():
        lines += [f"{file.path}: {plural(len(names), 'key')} missing"]
        lines += [f"    {plain(name)}" for name in sorted(names)]
    return page(*lines)
