"""Whether the change is larger than a reader can hold in mind, and where it could be cut."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.own import own_files
from prview.signals.roles import is_configuration, is_document, is_lock, is_test
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "size"
ARTIFACT = "30_context/pr-size.txt"

MANY_LINES = 400
"""Changed lines beyond which reviewers find fewer defects per line (SmartBear's study of 2,500 reviews)."""

MANY_FILES = 30
_SIZES = ((10, "XS"), (50, "S"), (200, "M"), (MANY_LINES, "L"))
_CONTAINERS = frozenset(
    {"packages", "apps", "libs", "crates", "services", "modules", "src", "cmd", "internal", "pkg"}
)


@dataclass(frozen=True)
class Part:
    """A share of the change that could be reviewed on its own."""

    name: str
    files: tuple[ChangedFile, ...]

    @property
    def lines(self) -> int:
        """Added and deleted lines."""
        return sum(_lines(file) for file in self.files)


class Size:
    """Speaks of large changes only. Lock files and what is generated or vendored do not count."""

    kind = KIND
    title = "Size"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Measure, and look for seams."""
        return _signal(await own_files(context))


def _signal(own: Own) -> Signal | None:
    files = [file for file in own.files if not is_lock(file.path)]
    lines = sum(_lines(file) for file in files)
    if lines <= MANY_LINES and len(files) <= MANY_FILES:
        return None
    parts = split(files)
    largest = max(files, key=lambda file: (_lines(file), file.path))
    advice = _advice(parts)
    message = f"the change has {plural(lines, 'changed line')} in {plural(len(files), 'file')}; {advice}"
    finding = Finding(check_id(KIND), "large", Level.NOTE, largest.path, 1, message, anchor="size")
    return Signal(
        kind=KIND,
        title=Size.title,
        findings=(finding,),
        artifacts=(Artifact(ARTIFACT, _text(own, lines, files, parts, advice)),),
        data={
            "size": size_name(lines),
            "lines": lines,
            "files": len(files),
            "left_out": len(own.change.files) - len(files),
            "parts": [{"name": part.name, "files": len(part.files), "lines": part.lines} for part in parts],
        },
    )


def size_name(lines: int) -> str:
    """XS to XL by changed lines."""
    return next((name for bound, name in _SIZES if lines <= bound), "XL")


def split(files: list[ChangedFile]) -> list[Part]:
    """Parts by what moves together: moves, dependencies, documents, settings, then areas with their tests."""
    areas = sorted({area(file.path) for file in files if _theme(file) is None and not is_test(file.path)})
    parts: dict[str, list[ChangedFile]] = defaultdict(list)
    for file in files:
        parts[_theme(file) or _home(file.path, areas)].append(file)
    found = [Part(name, tuple(members)) for name, members in parts.items()]
    return sorted(found, key=lambda part: (-part.lines, part.name))


def area(path: str) -> str:
    """The folder a file belongs to: the first, or the second below folders that only hold others."""
    folders = PurePosixPath(path).parts[:-1]
    if not folders:
        return "(root)"
    deep = next((depth for depth, name in enumerate(folders) if name not in _CONTAINERS), len(folders) - 1)
    return "/".join(folders[: deep + 1])


def _theme(file: ChangedFile) -> str | None:
    if file.status == "R" and not _lines(file):
        return "moved without a change"
    if is_test(file.path):
        return None
    if is_document(file.path):
        return "documents"
    return "settings" if is_configuration(file.path) else None


def _home(path: str, areas: list[str]) -> str:
    """Tests go with the area they name, if there is one."""
    if not is_test(path):
        return area(path)
    words = set(PurePosixPath(path).parts)
    return next((name for name in areas if PurePosixPath(name).name in words), area(path))


def _lines(file: ChangedFile) -> int:
    return (file.added or 0) + (file.deleted or 0)


def _advice(parts: list[Part]) -> str:
    if len(parts) == 1:
        return "all of it is in one area: commits that stand alone are what helps a reader"
    first = ", ".join(f"{part.name} ({plural(part.lines, 'line')})" for part in parts[:4])
    return f"it could be cut by area (judged by folders): {plain(first)}"


def _text(own: Own, lines: int, files: list[ChangedFile], parts: list[Part], advice: str) -> str:
    left_out = len(own.change.files) - len(files)
    rows = [f"{part.lines:>7} lines {len(part.files):>5} files  {part.name}" for part in parts]
    return page(
        f"Size {size_name(lines)}: {plural(lines, 'changed line')} in {plural(len(files), 'file')}",
        f"Not counted (lock files, generated, vendored, ignored): {plural(left_out, 'file')}",
        "",
        *rows,
        "",
        advice[0].upper() + advice[1:] + ".",
    )
