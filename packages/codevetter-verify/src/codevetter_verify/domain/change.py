"""The change under verification: how a range is written, and what it was resolved to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from codevetter_verify.errors import InvalidInputError

MAX_RANGE = 512
MAX_COMMITS = 500
MAX_FILES = 500
_RANGE = re.compile(r"(?P<base>[^\s\x00-\x1f\x7f]+?)(?P<dots>\.{2,3})(?P<head>[^\s\x00-\x1f\x7f]+)")
_EXAMPLE = "for example main..HEAD"


@dataclass(frozen=True, slots=True)
class RangeSpec:
    """A range as written; `symmetric` is the three-dot form, which compares with the merge base."""

    base: str
    head: str
    symmetric: bool


def parse_range(text: str) -> RangeSpec:
    """Read one `A..B` or `A...B`; raise `InvalidInputError` naming the broken rule."""
    if len(text) > MAX_RANGE:
        raise _refused(f"is longer than {MAX_RANGE} characters")
    match = _RANGE.fullmatch(text)
    if match is None:
        raise _refused("is not one A..B or A...B without white space, both ends named")
    base, head = match["base"], match["head"]
    for end in (base, head):
        if ".." in end or end.startswith(("-", ".")) or end.endswith("."):
            raise _refused(f"has an end {end[:80]!r} that is no revision")
    return RangeSpec(base, head, symmetric=match["dots"] == "...")


def _refused(rule: str) -> InvalidInputError:
    return InvalidInputError(
        f"the range (--range, or source.value of a tool call) {rule}: {_EXAMPLE}", field="source.value"
    )


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One changed path at the head (the old path of a deletion)."""

    path: str
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """An exact change: full commit ids, oldest commit first."""

    base_sha: str
    head_sha: str
    merge_base_sha: str | None = None
    commits: tuple[str, ...] = ()
    files: tuple[ChangedFile, ...] = ()
    tree: frozenset[str] = field(default_factory=frozenset, repr=False)
    """Every path at the head: what tells a web project from a folder that is called `pages`."""
