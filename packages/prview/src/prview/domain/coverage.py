"""Who looked at which changed file. A file nobody looked at takes the PASS from the analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.change import SUBMODULE_MODE
from prview.domain.checks import CODE_KINDS, CheckResult, Kind
from prview.domain.lfs import lfs_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.domain.change import ChangedFile

LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys((".py", ".pyi", ".ipynb"), "Python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "TypeScript"),
    **dict.fromkeys((".vue", ".svelte"), "JavaScript"),
    ".rs": "Rust",
    ".go": "Go",
    ".java": "Java",
    ".kt": "Kotlin",
    ".rb": "Ruby",
    ".php": "PHP",
    ".cs": "C#",
    ".swift": "Swift",
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp"), "C++"),
    **dict.fromkeys((".sh", ".bash"), "shell"),
}
"""Source by the end of its name: such files count as looked at only when a check of code read them."""


@lru_cache(maxsize=16384)
def language(path: str) -> str | None:
    """The programming language of a path, or None for other text."""
    return LANGUAGES.get(PurePosixPath(path).suffix.lower())


@dataclass(frozen=True)
class Coverage:
    """The ledger.

    `looked`: the checks of every changed file; `unexamined`: files without one that reads their kind;
    `outside`: files that nobody has to look at, and why (`generated`, `vendored`, `ignored`).
    """

    looked: Mapping[str, tuple[str, ...]]
    unexamined: tuple[str, ...]
    outside: Mapping[str, str] = field(default_factory=dict)


def ledger(
    files: Sequence[ChangedFile], results: Sequence[CheckResult], *, outside: Mapping[str, str] | None = None
) -> Coverage:
    """Line up changed files and checks. A deleted file has no code left: that the diff was read is enough."""
    tags = outside or {}
    kinds = {result.id: result.kind for result in results}
    looked = {
        file.path: tuple(result.id for result in results if file.path in result.examined) for file in files
    }
    unexamined = [
        file.path
        for file in files
        if file.path not in tags and not _enough(file, [kinds[name] for name in looked[file.path]])
    ]
    return Coverage(looked=looked, unexamined=tuple(sorted(unexamined)), outside=tags)


def _enough(file: ChangedFile, kinds: list[Kind]) -> bool:
    if file.exists and (file.new_mode == SUBMODULE_MODE or (file.binary and language(file.path))):
        return False  # what a submodule's commit holds, and source that git takes for binary, nobody has read
    if lfs_sizes(file.patch):  # a linter that read the pointer has not seen the file
        return any(kind not in CODE_KINDS for kind in kinds)
    if language(file.path) is None or not file.exists:
        return bool(kinds)
    return any(kind in CODE_KINDS for kind in kinds)
