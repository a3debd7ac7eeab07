"""Files that a repository keeps for ever: large ones, programs, and binaries that nobody can review.

Reads the diff alone. Git's history keeps every version, so that taking such a file out again later does not
make a clone smaller.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.checks.base import Sight, Skip
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level
from prview.domain.lfs import lfs_sizes
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.checks.base import CheckContext
    from prview.domain.change import ChangedFile

CHECK = "large_files"
LARGE = 1024 * 1024
"""Bytes that a change may add to one file."""

_BINARY = re.compile(rb"^GIT binary patch\n(?:literal|delta) (\d{1,18})$", re.MULTILINE)
_PROGRAM = re.compile(
    r"\.(?:a|class|deb|dll|dylib|ear|exe|jar|ko|msi|o|obj|pyc|pyd|rpm|so|wasm|war|whl)$", re.IGNORECASE
)
_MEDIA = re.compile(
    r"\.(?:avif|bmp|eot|gif|icns|ico|jpe?g|m4a|mov|mp3|mp4|ogg|otf|pdf|png|tiff?|ttf|wav|webm|webp|woff2?)$",
    re.IGNORECASE,
)
_LOCK = re.compile(
    r"(?:^|/)(?:(?:Cargo|bun|composer|pdm|poetry|uv|yarn)\.lock|go\.sum|pnpm-lock\.yaml"
    r"|(?:npm-shrinkwrap|package-lock)\.json)$"
)


class LargeFiles:
    """Looks at the sizes and kinds of the files that the change adds to."""

    id = CHECK
    name = "Large files"
    kind = Kind.HYGIENE

    def applies(self, context: CheckContext) -> Skip | None:
        """Any file can be large."""
        return None if context.change.files else Skip("nothing changed")

    async def look(self, context: CheckContext) -> Sight:
        """Of a picture, size and kind are all that a check can say; other binaries stay unexamined."""
        files = context.change.files
        return Sight(
            judged=judge([item for file in files for item in _found(file)], (), renames={}, added={}),
            examined=frozenset(
                file.path for file in files if file.has_text or (file.binary and _MEDIA.search(file.path))
            ),
        )


def added_bytes(file: ChangedFile) -> int:
    """What the change adds to a file, as far as its patch says: all of a new one, else the new lines."""
    if not file.exists or lfs_sizes(file.patch):
        return 0
    if file.binary:
        found = _BINARY.search(file.patch)
        return int(found[1]) if found else 0
    if len(file.patch) <= LARGE:  # a patch is longer than what it adds
        return 0
    return sum(len(line) for line in file.patch.split(b"\n") if line.startswith(b"+"))


def _found(file: ChangedFile) -> Iterator[Finding]:
    size = added_bytes(file)
    if size > LARGE and not _LOCK.search(file.path):
        words = f"the change adds {size / LARGE:.1f} MiB to this file, and git keeps all of it"
        yield _finding(file, "large", Level.WARNING, f"{words}; Git LFS is for such files")
    if not (file.binary and file.status in {"A", "C"}):
        return
    if _PROGRAM.search(file.path):
        yield _finding(
            file, "program", Level.WARNING, "a built file is added: nobody can review what it does"
        )
    elif not _MEDIA.search(file.path):
        yield _finding(file, "binary", Level.NOTE, "a binary file is added: its changes cannot be reviewed")


def _finding(file: ChangedFile, rule: str, level: Level, message: str) -> Finding:
    return Finding(check=CHECK, rule=rule, level=level, path=file.path, line=1, message=message)
