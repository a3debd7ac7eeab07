"""What is gone, and who still speaks of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.domain.findings import Level


@dataclass(frozen=True)
class Module:
    """A Python module of the merge base. `file` is where it was, `now` where its content is, if anywhere."""

    dotted: str
    root: str
    file: str
    now: str | None


@dataclass(frozen=True)
class Gone:
    """What the reviewed commit no longer has.

    `files` maps each gone path to where its content went (None: nowhere); `folders` are those of which no
    file is left, the outermost only. `modules` are Python modules by dotted name. `names` are top-level names
    that Python modules lost, by dotted module; `exports` those of scripts, by path in the merge base.
    """

    files: Mapping[str, str | None] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    modules: Mapping[str, Module] = field(default_factory=dict)
    names: Mapping[str, frozenset[str]] = field(default_factory=dict)
    exports: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def dotted(self) -> frozenset[str]:
        """The Python modules that are gone or lost names."""
        return frozenset((*self.modules, *self.names))

    @property
    def nothing(self) -> bool:
        """Whether everything is still there."""
        return not (self.files or self.names or self.exports)


@dataclass(frozen=True)
class Reference:
    """One place that speaks of something gone. `target` names it, `now` says where it went, if known."""

    rule: str
    level: Level
    path: str
    line: int
    target: str
    what: str
    now: str | None = None

    @property
    def message(self) -> str:
        """The sentence about it."""
        return f"{self.what}; it is {self.now} now" if self.now else self.what
