"""Tests that are no longer there: nothing is skipped, and nothing is tested.

Counted by pattern, over the whole change: a test that moved to another file or got another name is still one.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.roles import is_test
from prview.signals.suppressions.model import Suppression
from prview.signals.suppressions.skipped import RULE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prview.domain.change import ChangedFile
    from prview.signals.own import Own

_SCRIPT = re.compile(
    r"(?<![.\w])(?:it|test)(?:\.(?:each|concurrent|only|skip|todo)\b[^(\n]*)?\s*\(\s*[\"'`]([^\"'`\n]{1,200})"
)
_TESTS = {
    ".py": re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)", re.MULTILINE),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), _SCRIPT),
    ".go": re.compile(r"^func[ \t]+((?:Test|Fuzz|Example)\w*)[ \t]*\(", re.MULTILINE),
    ".rs": re.compile(r"#\[(?:\w+::)*test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)"),
}
_NAMED = 3


def removed_tests(own: Own, files: Sequence[ChangedFile]) -> list[tuple[ChangedFile, Suppression]]:
    """Where the change has fewer tests than it had: the files that lost some, and which."""
    before = {file: _tests(file.old_path or file.path, own.before(file)) for file in files}
    after = {file: _tests(file.path, own.after(file)) for file in files}
    gained, lost = _sum(after.values()), _sum(before.values())
    if gained.total() >= lost.total():
        return []
    gone = lost - gained
    found: list[tuple[ChangedFile, Suppression]] = []
    for file in files:
        own_gone = (before[file] - after[file]) & gone
        if own_gone:
            gone -= own_gone
            found.append((file, _suppression(file, list(own_gone.elements()))))
    return found


def _tests(path: str, text: str | None) -> Counter[str]:
    pattern = _TESTS.get(PurePosixPath(path).suffix.lower())
    if not text or pattern is None or not (is_test(path) or path.endswith(".rs")):
        return Counter()
    return Counter(pattern.findall(text))


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in counts:
        found += each
    return found


def _suppression(file: ChangedFile, names: list[str]) -> Suppression:
    shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    what = f"{len(names)} {'test is' if len(names) == 1 else 'tests are'} gone: {shown}"
    line = file.added_lines[0].number if file.exists and file.added_lines else 1
    return Suppression(RULE, line, what, what, read=False)
