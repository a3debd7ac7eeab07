"""Run a program and measure its whole process tree: wall time, and the most memory it held at once."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SAMPLE_S = 0.1


@dataclass(frozen=True)
class TreeCost:
    """Of one run, all its processes.

    Memory is proportional set size: what processes share is counted once. CPU time is what samples saw.
    `lines` are of stderr, with the milliseconds at which they came.
    """

    wall_ms: float
    cpu_ms: float
    peak_mb: float
    lines: tuple[tuple[float, str], ...]


def run_tree(
    argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, expect: frozenset[int] = frozenset({0})
) -> TreeCost:
    """Run to the end; an exit code that is not expected ends the benchmark."""
    with tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen(
            argv, env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE
        )
        sampler = _Sampler(process.pid)
        sampler.start()
        assert process.stderr is not None
        lines = tuple(
            ((time.perf_counter() - started) * 1000, line.decode("utf-8", "replace").rstrip())
            for line in process.stderr
        )
        code = process.wait()
        wall = (time.perf_counter() - started) * 1000
        sampler.end()
        if code not in expect:
            out.seek(0)
            said = out.read().decode("utf-8", "replace")[-2000:] + "\n".join(text for _, text in lines[-20:])
            raise RuntimeError(f"{' '.join(argv)[:200]} ended with {code}:\n{said}")
    return TreeCost(wall, sampler.cpu_ms, sampler.peak_kb / 1024, lines)


class _Sampler(threading.Thread):
    """Adds up a process tree's memory, again and again."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._over = threading.Event()
        self._ticks: dict[int, int] = {}
        self.peak_kb = 0

    @property
    def cpu_ms(self) -> float:
        """Of every process that a sample saw, as of the last one that did."""
        return sum(self._ticks.values()) * 1000 / os.sysconf("SC_CLK_TCK")

    def run(self) -> None:
        while not self._over.wait(SAMPLE_S):
            tree = _tree(self._root)
            self._ticks |= {pid: ticks for pid in tree if (ticks := _ticks(pid))}
            self.peak_kb = max(self.peak_kb, sum(map(_pss_kb, tree)))

    def end(self) -> None:
        self._over.set()
        self.join()


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError, IndexError, ValueError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, [])
    return found


def _ticks(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    return 0


def _pss_kb(pid: int) -> int:
    with contextlib.suppress(OSError, StopIteration, IndexError, ValueError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1])
    return 0
