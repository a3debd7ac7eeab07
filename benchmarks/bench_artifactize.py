"""What reviews cost that reuse everything, that execute one, and that execute all, beside other runners.

    uv run nox -s bench [-- ROUNDS]
    python -m benchmarks.bench_artifactize ROUNDS [SIZES [TOOLS_FOLDER]]

Projects of `benchmarks.review_trees`, N = 10, 100, 1000 by default. Peers (doit, dvc, snakemake from PyPI,
turbo from npm) are installed into TOOLS_FOLDER, or a temporary one, where that is possible; if not, they are
left out, which is said. The programs take turns, so that a busy machine slows all of them; medians count.
Floors: `git status`, and a Python process that only stats the files. CPU is that of the program and of the
children it waited for: artifactize's detached worker is not among them. Turbo gets a stub for npm, whose own
start would be most of its time. Nothing fails on a clock.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.review_trees import COMMAND, change_leaf, make_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).resolve().parent
SCRIPTS = Path(sys.executable).parent
SIZES = (10, 100, 1000)
MODES = ("reused", "leaf", "status", "cold")
COLD_ROUNDS = 1
SLOW_S = 20.0
PYTHON_PEERS = ("doit", "dvc", "snakemake")


@dataclass(frozen=True)
class Tool:
    """How a tool is asked to run everything, and to say what it would do; `state` is what cold removes."""

    name: str
    tree: str
    run: tuple[str, ...]
    status: tuple[str, ...] | None = None
    state: tuple[str, ...] = ()
    once: tuple[str, ...] = MODES


@dataclass(frozen=True)
class Cost:
    """Medians of one cell: wall and CPU in ms, peak memory of the largest process in MB."""

    wall_ms: float
    cpu_ms: float
    peak_mb: float
    runs: int


@dataclass
class Figures:
    """All cells of one size: tool, mode, cost."""

    size: int
    cells: dict[str, dict[str, Cost]] = field(default_factory=dict)


def main(rounds: int, sizes: Sequence[int], tools_folder: Path | None) -> None:
    """Measure, print, keep."""
    with tempfile.TemporaryDirectory(prefix="bench-artifactize-") as name:
        folder = Path(name)
        tools = [*floors(), *ours(), *peers(tools_folder or folder / "tools")]
        found = [measured(folder / str(size), size, tools, rounds) for size in sizes]
    print(report(found))
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "artifactize.json").write_text(json.dumps([asdict(each) for each in found], indent=2) + "\n")


# --- what is measured ---------------------------------------------------------------------------------------


def floors() -> list[Tool]:
    """What nobody who looks at the same files is faster than."""
    stat = (sys.executable, "-I", "-S", str(HERE / "stat_only.py"), "pkgs")
    return [
        Tool("git status", "floor", ("git", "status"), once=("reused",)),
        Tool("Python, stat only", "floor", stat, once=("reused",)),
    ]


def ours() -> list[Tool]:
    """What this is about."""
    program = str(SCRIPTS / "artifactize")
    return [Tool("artifactize", "artifactize", (program, "verify", "--all"), (program, "status"), ("STATE",))]


def peers(folder: Path) -> list[Tool]:
    """Every peer that can be installed here."""
    found = [tool for name in PYTHON_PEERS if (tool := python_peer(folder, name)) is not None]
    return [*found, *turbo(folder)]


def python_peer(folder: Path, name: str) -> Tool | None:
    """A peer from PyPI in an environment of its own."""
    place = folder / f"v-{name}"
    program = str(place / "bin" / name)
    if not Path(program).exists():
        made = _quietly("uv", "venv", "-q", str(place))
        if not made or not _quietly("uv", "pip", "install", "-q", "-p", str(place / "bin/python"), name):
            print(f"left out: {name} cannot be installed here", file=sys.stderr)
            return None
    known = {
        "doit": Tool(
            name, name, (program,), (program, "list", "--all", "-s"), (".doit.db*", "pkgs/*/verdict")
        ),
        "dvc": Tool(
            name, name, (program, "repro", "--all-pipelines"), (program, "status"),
            ("pkgs/*/dvc.lock", "pkgs/*/verdict", "pkgs/*/.gitignore", ".dvc/tmp", ".dvc/cache"),
        ),
        "snakemake": Tool(
            name, name, (program, "--cores", "2"), (program, "-n"), (".snakemake", "pkgs/*/verdict")
        ),
    }  # fmt: skip
    return known[name]


def turbo(folder: Path) -> list[Tool]:
    """Turbo as npm starts it, and its native binary alone."""
    modules = folder / "npm" / "node_modules"
    script = modules / ".bin" / "turbo"
    if not script.exists():
        (folder / "npm").mkdir(parents=True, exist_ok=True)
        _quietly("npm", "install", "--silent", "--prefix", str(folder / "npm"), "turbo")
    if not script.exists():
        print("left out: turbo cannot be installed here", file=sys.stderr)
        return []
    state = (".turbo", "pkgs/*/.turbo", "node_modules/.cache")
    words = ("run", "check", "--concurrency=2")
    found = [Tool("turbo", "turbo", (str(script), *words), (str(script), *words, "--dry-run=json"), state)]
    native = sorted(modules.glob("@turbo/linux-*/bin/turbo")) or sorted(
        modules.glob("turbo-linux-*/bin/turbo")
    )
    return [
        *found,
        *(Tool("turbo, native", "turbo", (str(each), *words), once=("reused", "leaf")) for each in native),
    ]


# --- measuring ----------------------------------------------------------------------------------------------


def measured(folder: Path, size: int, tools: Sequence[Tool], rounds: int) -> Figures:
    """Every mode of every tool, in turns."""
    trees = {tree: make_tree(tree, size, folder / tree) for tree in {tool.tree for tool in tools}}
    figures = Figures(size)
    for mode in ("cold", "reused", "leaf", "status"):
        wanted = [tool for tool in tools if mode in tool.once and (mode != "status" or tool.status)]
        runs: dict[str, list[Cost]] = {tool.name: [] for tool in wanted}
        for round_ in range(COLD_ROUNDS if mode == "cold" else rounds):
            for tool in wanted:
                if sum(each.wall_ms for each in runs[tool.name]) < SLOW_S * 1000:
                    runs[tool.name].append(one(tool, trees[tool.tree], size, mode, round_))
        for name, each in runs.items():
            figures.cells.setdefault(name, {})[mode] = middle(each)
            print(f"N={size} {mode:7} {name:20} {figures.cells[name][mode]}", file=sys.stderr, flush=True)
    return figures


def one(tool: Tool, tree: Path, size: int, mode: str, round_: int) -> Cost:
    """One run of a tool in a mode, everything for it prepared."""
    env = environment(tree)
    if mode == "cold":
        _forget(tool, tree)
    elif tool.tree != "floor":
        for _ in range(0 if round_ else 2):  # what is measured is not what the mode before left
            spent(tool.run, tree, env)
        if mode == "leaf":
            change_leaf(tree, size, f"{mode} {round_} {time.time_ns()}")
    argv = tool.status if mode == "status" and tool.status else tool.run
    return spent(argv, tree, env)


def spent(argv: Sequence[str], tree: Path, env: dict[str, str]) -> Cost:
    """Run to the end, output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    os.chdir(tree)
    program = shutil.which(argv[0]) or argv[0]
    started = time.perf_counter()
    pid = os.posix_spawn(program, list(argv), env, file_actions=null)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    os.chdir(HERE)
    if status:
        raise RuntimeError(f"{' '.join(argv)} ended with wait status {status} in {tree}")
    return Cost(wall * 1000, (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024, 1)


def environment(tree: Path) -> dict[str, str]:
    """PATH, a home beside the tree, and no reports to anybody."""
    home = tree.with_name(f"{tree.name}-home")
    home.mkdir(exist_ok=True)
    stub = home / "bin" / "npm"
    if not stub.exists():
        # npm's own start grows with the number of workspaces: minutes for 1000, which is not turbo's time
        stub.parent.mkdir()
        stub.write_text(f"#!/bin/sh\nexec {COMMAND}\n")
        stub.chmod(0o755)
    quiet = {"TURBO_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1", "DVC_NO_ANALYTICS": "1", "NO_COLOR": "1"}
    path = os.pathsep.join([str(stub.parent), str(SCRIPTS), os.environ["PATH"]])
    kept = {"PATH": path, "LANG": "C.UTF-8", "HOME": str(home)}
    return {**kept, **quiet, "ARTIFACTIZE_STATE_HOME": str(home / "state")}


def middle(runs: Sequence[Cost]) -> Cost:
    """Medians, and the largest peak."""
    return Cost(
        statistics.median(each.wall_ms for each in runs),
        statistics.median(each.cpu_ms for each in runs),
        max(each.peak_mb for each in runs),
        len(runs),
    )


def _forget(tool: Tool, tree: Path) -> None:
    for pattern in tool.state:
        home = tree.with_name(f"{tree.name}-home")
        for place in [home / "state"] if pattern == "STATE" else list(tree.glob(pattern)):
            shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)


def _quietly(*argv: str) -> bool:
    program = shutil.which(argv[0])
    if program is None:
        return False
    done = subprocess.run((program, *argv[1:]), capture_output=True, check=False, timeout=600)
    return done.returncode == 0


# --- telling ------------------------------------------------------------------------------------------------


def report(found: Sequence[Figures]) -> str:
    """One table a size: wall ms, and CPU ms behind it; the peak of a run that reuses everything."""
    lines = [f"Python {platform.python_version()}, {os.cpu_count()} cores; wall ms (CPU ms), medians"]
    for figures in found:
        floor = figures.cells["Python, stat only"]["reused"]
        lines += [
            "",
            f"N = {figures.size}",
            "",
            "| | reused | ratio of CPU | one leaf | status | cold | peak MB |",
        ]
        lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
        for name, cells in figures.cells.items():
            reused = cells.get("reused")
            ratio = f"{reused.cpu_ms / floor.cpu_ms:.1f}" if reused else ""
            shown: list[Callable[[], str] | str] = [_cell(cells, mode) for mode in ("leaf", "status", "cold")]
            peak = f"{reused.peak_mb:.0f}" if reused else ""
            lines.append(
                f"| {name} | {_cell(cells, 'reused')} | {ratio} | {' | '.join(map(str, shown))} | {peak} |"
            )
    return "\n".join(lines)


def _cell(cells: dict[str, Cost], mode: str) -> str:
    return f"{cells[mode].wall_ms:.0f} ({cells[mode].cpu_ms:.0f})" if mode in cells else ""


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 5,
        tuple(int(size) for size in sys.argv[2].split(",")) if len(sys.argv) > 2 else SIZES,
        Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None,
    )
