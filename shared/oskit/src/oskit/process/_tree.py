"""A program with all its descendants, also those in sessions of their own, and how it is ended.

Ending is written once, as a generator that yields how long to wait before it looks again: `run` waits in
the event loop, `kill_tree` in its thread.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import time
from collections import deque
from typing import TYPE_CHECKING

from oskit.process import _lineage as lineage
from oskit.process import _table as table
from oskit.process._identity import ProcessIdentity
from oskit.process._reaper import collect, collect_stranger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oskit.process._mark import Mark

logger = logging.getLogger(__name__)

KILL_BOUND_S = 3.0
"""How long we go on killing what keeps forking, or waiting for what the kernel cannot stop."""

_FIRST_WAIT_S = 0.001
_LONGEST_WAIT_S = 0.02


class Tree:
    """The processes that descend from `root`.

    `mark` is what they carry. `pinned` says that the number of the root cannot be given out again yet, so
    that a session or group of that number is the root's.
    """

    def __init__(self, root: ProcessIdentity, *, mark: Mark, pinned: bool) -> None:
        self.root = root
        self._mark = mark
        self._pinned = pinned
        self._known: set[ProcessIdentity] = set()

    def left_behind(self) -> bool:
        """Whether something descends from the root, which has exited. Cheap when nothing does."""
        children = lineage.other_children()
        if children is None:
            return bool(self.members())
        rows = [row for row in map(table.read, children) if row]
        left = [row for row in rows if self._is_marked(row)]
        for row in rows:
            if row not in left:
                collect_stranger(row)
        return bool(left)

    def members(self) -> list[ProcessIdentity]:
        """Return the living processes of the tree, and remember them, so that they stay known as orphans."""
        rows = table.snapshot()
        own = rows.pop(os.getpid(), None)
        nearby = self._mark.made_here and lineage.adopt_orphans()
        candidates = _with_descendants([own], rows)[1:] if own and nearby else list(rows.values())
        roots = [row for row in candidates if self._is_known(row) or self._is_marked(row)]
        roots.sort(key=lambda row: row.pid != self.root.pid)  # it is asked first, before it sees others end
        found = _with_descendants(roots, rows)
        members = [ProcessIdentity.from_row(row) for row in found if row.alive]
        self._known.update(members)
        return members

    def collect(self) -> None:
        """Take the status of dead members that were given to us as orphans, so that no zombie stays.

        The root is not among them: whoever started it wants to know.
        """
        rows = filter(None, map(table.read, lineage.other_children() or ()))
        for row in rows:
            if not row.alive and row.pid != self.root.pid and (self._is_known(row) or self._is_marked(row)):
                collect(row.pid)

    def end(self, grace_s: float) -> Iterator[float]:
        """End every member: SIGTERM, then SIGKILL after `grace_s`, until none is left or KILL_BOUND_S passed.

        Yields seconds to wait. Afterwards `ended` is the number of processes that were ended.
        """
        self._signal(self.members(), signal.SIGTERM)
        yield from _wait_while(self._some_alive, grace_s)
        deadline = time.monotonic() + KILL_BOUND_S
        while (members := self.members()) and time.monotonic() < deadline:
            self._kill(members)
            yield from _wait_while(self._some_alive, 0.2)
        if members:
            logger.warning("processes survive SIGKILL: %s", ", ".join(map(str, members)))
        self.collect()

    @property
    def ended(self) -> int:
        """How many processes were members once and are gone."""
        return sum(not identity.is_alive() for identity in self._known)

    def _some_alive(self) -> bool:
        return any(identity.is_alive() for identity in self._known)

    def _signal(self, members: list[ProcessIdentity], number: signal.Signals) -> None:
        for identity in members:
            send_signal(identity, number)

    def _kill(self, members: list[ProcessIdentity]) -> None:
        if self._pinned and self.root.pid != os.getpgid(0):
            with contextlib.suppress(OSError):  # at once, so that nothing in it can fork while we look
                os.killpg(self.root.pid, signal.SIGKILL)
        self._signal(members, signal.SIGKILL)

    def _is_known(self, row: table.Row) -> bool:
        return ProcessIdentity.from_row(row) in self._known

    def _is_marked(self, row: table.Row) -> bool:
        if row.pid == self.root.pid:
            return ProcessIdentity.from_row(row) == self.root
        if lineage.is_direct(row.pid):
            return False  # another program of ours
        if self._pinned and self.root.pid in {row.sid, row.pgid}:
            return True
        return self._mark.is_on(row.pid)


def send_signal(identity: ProcessIdentity, number: signal.Signals) -> None:
    """Signal this very process, not one that got its number meanwhile; nothing happens when we may not."""
    with contextlib.suppress(OSError):
        if not hasattr(os, "pidfd_open"):
            if identity.is_alive():
                os.kill(identity.pid, number)
            return
        descriptor = os.pidfd_open(identity.pid)
        try:
            if identity.is_alive():  # what the descriptor names cannot change after this
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)


def _wait_while(unfinished: Callable[[], bool], bound_s: float) -> Iterator[float]:
    deadline = time.monotonic() + bound_s
    wait_s = _FIRST_WAIT_S
    while unfinished() and time.monotonic() < deadline:
        yield wait_s
        wait_s = min(wait_s * 2, _LONGEST_WAIT_S)


def _with_descendants(roots: list[table.Row], rows: dict[int, table.Row]) -> list[table.Row]:
    children: dict[int, list[table.Row]] = {}
    for row in rows.values():
        children.setdefault(row.ppid, []).append(row)
    found: dict[int, table.Row] = {}
    waiting = deque(roots)
    while waiting:
        row = waiting.popleft()
        if row.pid not in found:
            found[row.pid] = row
            waiting += children.get(row.pid, ())
    return list(found.values())
