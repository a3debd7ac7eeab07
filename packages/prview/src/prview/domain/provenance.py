"""Introduced or inherited: compares the findings of the reviewed tree with those of the merge base.

Two findings are the same when rule, path (renames followed) and anchor agree; equal ones are counted, so that
a second copy of an old mistake is new. Line numbers play no part: they move when something else changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Judged, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Key = tuple[str, str, str, str]


def judge(
    head: Sequence[Finding],
    base: Iterable[Finding],
    *,
    renames: Mapping[str, str],
    added: Mapping[str, frozenset[int]],
) -> tuple[Judged, ...]:
    """Every finding of the head, in file order, as introduced or preexisting.

    `renames` maps old to new paths; `added` holds the added line numbers of each changed file. Where a group
    of equal findings grew, those on added lines count as the new ones.
    """
    old: dict[Key, Counter[str]] = defaultdict(Counter)
    for finding in base:
        moved = replace(finding, path=renames.get(finding.path, finding.path))
        old[_key(moved)][moved.message] += 1
    groups: dict[Key, list[Finding]] = defaultdict(list)
    for finding in head:
        groups[_key(finding)].append(finding)
    judged = [
        item for key, group in groups.items() for item in _judge_group(group, old.get(key, Counter()), added)
    ]
    return tuple(sorted(judged, key=lambda item: item.sort_key))


def _key(finding: Finding) -> Key:
    return finding.check, finding.rule, finding.path, finding.anchor


def _judge_group(
    group: list[Finding], old: Counter[str], added: Mapping[str, frozenset[int]]
) -> list[Judged]:
    """Match the oldest-looking members first, equal messages before different ones."""
    numbers = added.get(group[0].path, frozenset())
    in_file = sorted(group, key=lambda finding: (finding.line, finding.column or 0, finding.message))
    candidates = sorted(range(len(in_file)), key=lambda index: in_file[index].line in numbers)
    inherited = _match(in_file, candidates, old)
    return [
        Judged(
            finding=finding,
            provenance=Provenance.PREEXISTING if index in inherited else Provenance.INTRODUCED,
            occurrence=index,
            on_added_line=finding.line in numbers and not finding.removed,
        )
        for index, finding in enumerate(in_file)
    ]


def _match(findings: list[Finding], candidates: list[int], old: Counter[str]) -> set[int]:
    """The positions with a partner among the `old` messages (two mistakes of one line differ by message)."""
    left = Counter(old)
    matched: set[int] = set()
    for index in candidates:
        message = findings[index].message
        if left[message] > 0:
            left[message] -= 1
            matched.add(index)
    spare = sum(left.values())
    for index in candidates:
        if spare > 0 and index not in matched:
            spare -= 1
            matched.add(index)
    return matched
