"""What a program promises outside of its language: flags of its command line, paths that it serves.

All of it is found by pattern; whoever reports it has to say so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class PromiseKind(StrEnum):
    """The kinds of promises that can be withdrawn."""

    FLAG = "flag"
    COMMAND = "command"
    ROUTE = "route"
    PREFIX = "prefix"


@dataclass(frozen=True)
class Promise:
    """One promise of one file. Promises with the same `key` are the same; `name` is how people write it."""

    kind: PromiseKind
    key: str
    name: str
    line: int


def line_of(text: str, position: int) -> int:
    """The line, from 1, of a position."""
    return text.count("\n", 0, position) + 1


def withdrawn(
    base: Mapping[str, Iterable[Promise]], head: Mapping[str, Iterable[Promise]]
) -> dict[str, list[Promise]]:
    """The promises of each base file that are not kept any more, by file.

    `head` holds the touched files under the names they had in the base. What another touched file promises
    more often than before has moved there.
    """
    before = {path: _counted(promises) for path, promises in base.items()}
    after = {path: _counted(promises) for path, promises in head.items()}
    arrived: Counter[tuple[PromiseKind, str]] = Counter()
    for path, counts in after.items():
        arrived += counts - before.get(path, Counter())
    gone: dict[str, list[Promise]] = {}
    for path, promises in base.items():
        missing = before[path] - after.get(path, Counter())
        for promise in promises:
            key = (promise.kind, promise.key)
            if missing[key] <= 0:
                continue
            missing[key] -= 1
            if arrived[key] > 0:
                arrived[key] -= 1
                continue
            gone.setdefault(path, []).append(promise)
    return gone


def _counted(promises: Iterable[Promise]) -> Counter[tuple[PromiseKind, str]]:
    return Counter((promise.kind, promise.key) for promise in promises)
