"""Everything that one look at a repository has seen of it.

What the look found out follows from its observations and from nothing else. While every one of them still
holds (`tree.rechecking`), looking again would find out the same.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from artifactize.tree.rechecking import is_telling, kind_of_entry
from artifactize.tree.stamps import has_settled, stamp_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from artifactize.tree.git_index import GitIndex
    from artifactize.tree.stamps import Stamp

    Observed: TypeAlias = tuple[Stamp, bytes, bool]

ATTEMPTS = 3


class Trace:
    """Observations, with paths relative to the root.

    `folders`: entries with their kinds; `declared`: the same of folders in which only subfolders and
    declarations count; `files`: stamp, digest and whether the stamp had settled, None for a file that is
    missing; `kinds`: what stood at a declared path; `index`: git's, if `asks_git`. What programs printed
    (`asks_programs`) cannot be observed again.
    """

    def __init__(self) -> None:
        self.folders: dict[str, dict[str, str]] = {}
        self.declared: dict[str, dict[str, str]] = {}
        self.files: dict[str, Observed | None] = {}
        self.kinds: dict[str, str] = {}
        self.asks_git = False
        self.asks_programs = False
        self.index: GitIndex | None = None
        self.is_torn = False

    def list_folder(self, folder: str, entries: Iterable[os.DirEntry[str]]) -> None:
        """Note all entries of a folder."""
        self._note(self.folders, folder, {entry.name: kind_of_entry(entry) for entry in entries})

    def list_declared(self, folder: str, entries: Iterable[os.DirEntry[str]]) -> None:
        """Note those entries of a folder that discovery looks at."""
        kinds = {entry.name: kind_of_entry(entry) for entry in entries}
        self._note(self.declared, folder, declared_entries(kinds))

    def kind(self, path: str, kind: str) -> None:
        """Note what stands at a path; `-` for nothing."""
        self._note(self.kinds, path, kind)

    def saw_index(self, index: GitIndex | None) -> None:
        """Note the index of git from which the tracked files were listed."""
        self.is_torn |= self.asks_git and self.index != index
        self.asks_git = True
        self.index = index

    def read(self, path: str, place: Path, read: Callable[[Path], bytes]) -> bytes:
        """Return what `read` reads at a place, and note it, or that nothing is there; its errors pass."""
        for _ in range(ATTEMPTS):
            began = time.time_ns()
            before = _stamp(place)
            if before is None:
                self._note(self.files, path, None)
                return read(place)
            data = read(place)
            if _stamp(place) == before:
                settled = has_settled(before, began)
                self.saw(path, before, hashlib.sha256(data).digest(), settled=settled)
                return data
        self.is_torn = True
        return read(place)

    def lacks(self, path: str) -> None:
        """Note that a file is missing."""
        self._note(self.files, path, None)

    def vouches(self, path: str, place: Path, known: Mapping[str, Observed], digest: str) -> bool:
        """Whether `stat` vouches for a file still having this SHA-256; notes it then."""
        seen = known.get(path)
        if seen is None or not seen[2] or seen[1].hex() != digest or _stamp(place) != seen[0]:
            return False
        self._note(self.files, path, seen)
        return True

    def saw(self, path: str, stamp: Stamp, digest: bytes, *, settled: bool) -> None:
        """Note a file's content."""
        self._note(self.files, path, (stamp, digest, settled))

    def _note(self, where: dict, key: object, value: object) -> None:  # type: ignore[type-arg] # any of ours
        if where.setdefault(key, value) != value:
            self.is_torn = True  # it changed between two looks of the same look: nothing follows from this


def declared_entries(kinds: dict[str, str]) -> dict[str, str]:
    """Return the entries that can lead to a declaration, and the ignore files."""
    return {name: kind for name, kind in kinds.items() if kind == "d" or is_telling(name)}


def _stamp(place: Path) -> Stamp | None:
    try:
        return stamp_of(place.stat())
    except OSError:
        return None
