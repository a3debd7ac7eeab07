"""Findings in files that are not the repository's own work.

What a linter or a type checker says about generated and vendored code is nobody's to mend here; a secret in
it, or a conflict marker, is. What the project itself ignores is ignored by every check.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.checks import CheckResult, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.domain.findings import Judged

IGNORED = "ignored"
SHOWN = 3
"""Files that a sentence names before it counts the rest."""

_ABOUT_STYLE = frozenset({Kind.LINT, Kind.TYPES})


def without_outside(results: Sequence[CheckResult], outside: Mapping[str, str]) -> tuple[CheckResult, ...]:
    """The results without what they say about those files."""
    if not outside:
        return tuple(results)
    return tuple(
        replace(result, judged=tuple(item for item in result.judged if _counts(result, item, outside)))
        for result in results
    )


def outside_words(outside: Mapping[str, str]) -> tuple[str, ...]:
    """What a reader of the verdict should know: which changed files nobody had to look at, and why."""
    if not outside:
        return ()
    paths = sorted(outside)
    rest = len(paths) - SHOWN
    named = ", ".join(f"{path} ({outside[path]})" for path in paths[:SHOWN])
    count = f"{len(paths)} changed file{'' if len(paths) == 1 else 's'}"
    return (f"{count} left outside: {named}" + (f" and {rest} more" if rest > 0 else ""),)


def _counts(result: CheckResult, item: Judged, outside: Mapping[str, str]) -> bool:
    tag = outside.get(item.finding.path)
    return tag is None or not (tag == IGNORED or result.kind in _ABOUT_STYLE)
