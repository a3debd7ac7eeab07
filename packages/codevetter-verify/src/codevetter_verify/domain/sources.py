"""Which files of a tree are read to plan a run, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codevetter_verify.domain import hints
from codevetter_verify.domain.graph.aliases import CONFIGURATION
from codevetter_verify.domain.graph.languages import MAX_TEXT, READ, extension_of
from codevetter_verify.domain.routes.conventions import ROUTE_CONFIGS
from codevetter_verify.domain.routes.kinds import is_test

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_FILES = 60_000
MAX_BYTES = 160 * 1024 * 1024
_ELSEWHERE = frozenset(
    {"node_modules", "vendor", "dist", "build", "coverage", ".next", ".nuxt", ".output", "out"}
)


@dataclass(frozen=True, slots=True)
class Sources:
    """Contents by path. `searched` is False when imports were not looked for; `why` says why not."""

    texts: Mapping[str, bytes] = field(default_factory=dict)
    searched: bool = False
    why: str = ""


def is_configuration(path: str) -> bool:
    """Whether a file is read in every run: it says how routes are declared and addresses resolved."""
    return path == hints.FILE or path.endswith(ROUTE_CONFIGS) or CONFIGURATION.fullmatch(path) is not None


def may_import(path: str, size: int | None) -> bool:
    """Whether a file can lie between a page and a changed file."""
    if extension_of(path) not in READ or (size or 0) > MAX_TEXT or path.endswith((".d.ts", ".min.js")):
        return False
    return not is_test(path) and not _ELSEWHERE.intersection(path.split("/")[:-1])
