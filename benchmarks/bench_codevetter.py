"""What a verification of six routes costs, beside scripts that only open them and tools that smoke-test them.

    uv run nox -s bench [-- ROUNDS]

Every program has the same site, browser, routes and pictures, in turn in each round, so that a busy machine
slows all; the best round counts. Nothing fails on a clock. The table goes to stdout, all figures to
`benchmarks/results/codevetter.json`; `docs/benchmarks.md` keeps a published table.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers import installed_peers
from benchmarks.preview_server import ROUTES
from benchmarks.ranges import git
from benchmarks.trees import TreeCost, run_tree

from codevetter_verify.browser.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
LATENCIES_MS = (0, 150)
OURS = "codevetter trex"


@dataclass(frozen=True)
class Row:
    """The best of one program's rounds at one latency.

    `outside_ms` is what we spend before and after visiting.
    """

    program: str
    latency_ms: int
    wall_ms: float
    cpu_ms: float
    peak_mb: float
    outside_ms: float | None


@dataclass(frozen=True)
class Contender:
    """A program under the stopwatch."""

    name: str
    argv: tuple[str, ...]
    cwd: Path
    codes: frozenset[int] = frozenset({0})


def main(rounds: int) -> None:
    """Measure, print the table, keep the figures."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="bench-codevetter-") as name:
        folder = Path(name)
        head = _repository(folder / "repo")
        for latency in LATENCIES_MS:
            with _server(head, latency) as address:
                rows += _measure(_contenders(folder, address), folder, latency, rounds)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "codevetter.json").write_text(json.dumps([asdict(row) for row in rows], indent=1))
    print(_table(rows, rounds))


def _repository(path: Path) -> str:
    """A site of which five pages change; its head."""
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    pages = path / "src/pages"
    pages.mkdir(parents=True)
    (pages / "index.astro").write_text("<h1>Home</h1>")
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", "first")
    git(path, "checkout", "-q", "-b", "feature")
    for route in ROUTES[1:]:
        (pages / f"{route[1:]}.astro").write_text(f"<h1>{route}</h1>")
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", "pages")
    return git(path, "rev-parse", "HEAD")


@contextlib.contextmanager
def _server(revision: str, latency_ms: int) -> Iterator[str]:
    argv = [sys.executable, "-m", "benchmarks.preview_server", revision, str(latency_ms)]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.communicate()


def _contenders(folder: Path, address: str) -> list[Contender]:
    browser = str(find_browser())
    addresses = tuple(address + route for route in ROUTES)
    trex = (str(Path(sys.executable).parent / "codevetter"), "trex", "--range", "main..feature")
    where = ("--repo", str(folder / "repo"), "--preview", address, "--screenshots", "always", "--json")
    ours = Contender(OURS, (*trex, *where), folder)
    bare = [
        Contender(
            f"bare Playwright, {mode}",
            (sys.executable, "-m", "benchmarks.bare_visits", mode, browser, *addresses),
            ROOT,
        )
        for mode in ("sequential", "concurrent")
    ]
    npm = folder / "npm"
    npm.mkdir(exist_ok=True)
    peers = [
        Contender(peer.name, peer.argv, npm, peer.codes) for peer in installed_peers(npm, browser, addresses)
    ]
    return [ours, *bare, *peers]


def _measure(contenders: list[Contender], folder: Path, latency: int, rounds: int) -> list[Row]:
    env = {**os.environ, "CODEVETTER_HOME": str(folder / "home"), "CI": ""}
    found: dict[str, list[TreeCost]] = {}
    for _ in range(rounds):
        for one in contenders:
            found.setdefault(one.name, []).append(run_tree(one.argv, env=env, cwd=one.cwd, expect=one.codes))
    return [_row(name, latency, costs) for name, costs in found.items()]


def _row(name: str, latency: int, costs: list[TreeCost]) -> Row:
    best = min(costs, key=lambda cost: cost.wall_ms)
    outside = min(map(_outside, costs)) if name == OURS else None
    cpu = min(cost.cpu_ms for cost in costs)
    return Row(name, latency, best.wall_ms, cpu, min(cost.peak_mb for cost in costs), outside)


def _outside(cost: TreeCost) -> float:
    """From the start until the browser's stage begins, and from its end until the program's."""
    begun = next(at for at, line in cost.lines if "visiting the routes" in line)
    ended = next(at for at, line in cost.lines if "confirming the head" in line)
    return begun + cost.wall_ms - ended


def _table(rows: list[Row], rounds: int) -> str:
    lines = [
        f"{len(ROUTES)} routes, {find_browser().name}, {os.cpu_count()} cores, best of {rounds} rounds",
        "",
        "| program | latency ms | wall ms | to the faster bare | CPU ms | peak MB | outside the browser ms |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        floor = min(
            r.wall_ms for r in rows if r.latency_ms == row.latency_ms and r.program.startswith("bare")
        )
        outside = "" if row.outside_ms is None else f"{row.outside_ms:.0f}"
        lines.append(
            f"| `{row.program}` | {row.latency_ms} | {row.wall_ms:.0f} | {row.wall_ms / floor:.2f} | "
            f"{row.cpu_ms:.0f} | {row.peak_mb:.0f} | {outside} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
