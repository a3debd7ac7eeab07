"""What prview's tools cost a warm server: a pack of 10,000 findings, and a repository of 100,000 files.

    uv run nox -s bench [-- ROUNDS]

`own` is the CPU time of the server's process for one call, in which git's time is not; `wall` has both. The
median of the calls after the first counts. Nothing fails on a clock. The table goes to stdout, all figures to
`benchmarks/results/answers.json`.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.bench_prview import environment
from benchmarks.processes import Wire
from benchmarks.ranges import git

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).resolve().parent
COMMAND = (sys.executable, "-P", "-m", "prview")
CALLS_PER_ROUND = 10
FILES_WITH_FINDINGS, FINDINGS_PER_FILE = 100, 100
FOLDERS, FILES_PER_FOLDER = 1000, 100
RUFF = 'lint.select = ["F401"]\n'


@dataclass(frozen=True)
class Answer:
    """One tool: milliseconds of its first call, and the medians of the others."""

    what: str
    first_wall_ms: float
    own_cpu_ms: float
    wall_ms: float
    calls: int


def main(rounds: int) -> None:
    """Measure, print, keep."""
    with tempfile.TemporaryDirectory(prefix="bench-answers-") as name:
        folder = Path(name)
        env = {**environment(folder), "PRVIEW_HOME": str(folder / "prview")}
        noisy, large = noisy_repository(folder / "noisy"), large_repository(folder / "large")
        review(noisy, env)
        with Wire((*COMMAND, "mcp"), env=env, cwd="/") as wire:
            wire.handshake()
            calls = CALLS_PER_ROUND * rounds
            answers = [
                answer(wire, "verdict", {"repo": str(noisy)}, calls),
                answer(wire, "findings", {"repo": str(noisy)}, calls),
                answer(
                    wire, "findings", {"repo": str(noisy), "path": "src/m9", "severity": "warning"}, calls
                ),
                answer(wire, "state", {"repo": str(large)}, calls),
                answer(wire, "health", {"repo": str(large)}, calls),
            ]
    print(report(answers))
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    text = json.dumps([asdict(each) for each in answers], indent=2)
    (results / "answers.json").write_text(text + "\n")


def noisy_repository(path: Path) -> Path:
    """A branch that adds 10,000 unused imports."""
    names = [f"name_{number}" for number in range(FINDINGS_PER_FILE)]
    lines = "".join(f"import {name}\n" for name in names)
    files = {f"src/m{number}.py": lines for number in range(FILES_WITH_FINDINGS)}
    return repository(path, {"ruff.toml": RUFF, "pyproject.toml": '[project]\nname = "noisy"\n'}, files)


def large_repository(path: Path) -> Path:
    """100,000 files, one of them changed."""
    names = (f"p{top}/f{name}.py" for top in range(FOLDERS) for name in range(FILES_PER_FOLDER))
    return repository(path, {name: f"# {name}\n" for name in names}, {"p0/f0.py": "x = 1\n"})


def repository(path: Path, base: Mapping[str, str], change: Mapping[str, str]) -> Path:
    """`topic`, checked out, on top of `main`."""
    path.mkdir()
    git(path, "init", "-q", "--initial-branch=main")
    git(path, "config", "gc.auto", "0")  # it would go on in the background
    for branch, files in (("main", base), ("topic", change)):
        git(path, "checkout", "-q", "-B", branch)
        for name, text in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text)
        git(path, "add", "-A")
        git(path, "commit", "-q", "-m", branch)
    return path


def review(path: Path, env: Mapping[str, str]) -> None:
    """Make the pack that is asked for, and wait until its files are no longer fresh."""
    command = (*COMMAND, "review", "--quick", "--json", "--quiet", "--repo", str(path))
    done = subprocess.run(command, env=dict(env), cwd="/", capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"the review failed: {done.stdout.decode()} {done.stderr.decode()}")
    time.sleep(2.5)


def answer(wire: Wire, tool: str, arguments: Mapping[str, Any], calls: int) -> Answer:
    """Ask again and again."""
    costs = [_cost(wire, tool, arguments) for _ in range(calls + 1)]
    narrowed = ", ".join(f"{name}={value}" for name, value in arguments.items() if name != "repo")
    return Answer(
        what=f"{tool}({narrowed})" if narrowed else tool,
        first_wall_ms=costs[0][1],
        own_cpu_ms=median(cpu for cpu, _ in costs[1:]),
        wall_ms=median(wall for _, wall in costs[1:]),
        calls=calls,
    )


def _cost(wire: Wire, tool: str, arguments: Mapping[str, Any]) -> tuple[float, float]:
    cpu, started = wire.cpu_ms(), time.perf_counter()
    result = wire.request("tools/call", {"name": tool, "arguments": dict(arguments)})
    wall = (time.perf_counter() - started) * 1000
    if result.get("isError"):
        raise RuntimeError(f"{tool} failed: {result['content'][0]['text']}")
    return wire.cpu_ms() - cpu, wall


def report(answers: list[Answer]) -> str:
    """Markdown, as docs/benchmarks.md shows it."""
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, median of {answers[0].calls} calls."
    titles = ("tool", "own CPU ms", "wall ms", "first call, wall ms")
    lines = [where, "", f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    lines += [
        f"| `{each.what}` | {each.own_cpu_ms:.1f} | {each.wall_ms:.0f} | {each.first_wall_ms:.0f} |"
        for each in answers
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
