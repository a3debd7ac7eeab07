"""Digests of files whose bytes are read only when `stat` does not vouch for what is known."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING

from artifactize.tree.artifactsum import FileDigest, ReadingDigests
from artifactize.tree.stamps import has_settled, stamp_of
from artifactize.tree.traces import ATTEMPTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.tree.traces import Observed, Trace


class StatDigests:
    """Digests for one look; each is noted in its trace.

    `known` comes from earlier looks and is believed where its stamp had settled and is still the same. Give
    it only if the clock was not set back since (`stamps.same_clock`).
    """

    def __init__(self, root: str, known: Mapping[str, Observed], trace: Trace) -> None:
        self._skipped = len(root.rstrip("/")) + 1
        self._known = known
        self._trace = trace
        self._reading = ReadingDigests()

    def of(self, place: str) -> FileDigest:
        """Return the digest of the regular file at an absolute path below the root. Raises OSError."""
        path = place[self._skipped :]
        stamp = stamp_of(os.lstat(place))
        known = self._known.get(path)
        if known is not None and known[2] and known[0] == stamp:
            self._trace.saw(path, stamp, known[1], settled=True)
            return FileDigest(known[1], stamp[2], bool(stamp[5] & stat.S_IXUSR))
        return self._read(path, place)

    def _read(self, path: str, place: str) -> FileDigest:
        for _ in range(ATTEMPTS):
            began = time.time_ns()
            before = stamp_of(os.lstat(place))
            found = self._reading.of(place)
            if stamp_of(os.lstat(place)) == before:
                self._trace.saw(path, before, found.sha256, settled=has_settled(before, began))
                return found
        self._trace.is_torn = True  # somebody goes on writing: a digest is of some moment, not of a stamp
        return self._reading.of(place)
