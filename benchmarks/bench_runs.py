"""What artifactize's tools cost a warm server with 1,000 Runs recorded, and its memory over 10,000 calls.

    uv run nox -s bench [-- ROUNDS]
    python -m benchmarks.bench_runs ROUNDS [RUNS [CALLS]]

`own` is the CPU time of the server's process for one call; the median counts. Memory is resident, after 100
calls, half-way, and at the end of all calls, which take turns. A last part reads all pages of a Run of 10,000
requests. Nothing fails on a clock. The table goes to stdout, all figures to `benchmarks/results/runs.json`.
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

from benchmarks.processes import Wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = Path(__file__).resolve().parent
CALLS_PER_ROUND = 20
WARM_CALLS = 100
EVALS = 10
MANY_EVALS = 10_000


@dataclass(frozen=True)
class Answer:
    """Medians of one tool, in milliseconds."""

    what: str
    own_cpu_ms: float
    wall_ms: float


@dataclass(frozen=True)
class Results:
    """All figures; memory in MB by the number of calls so far, pages as seconds and their number."""

    runs: int
    answers: list[Answer]
    memory_mb: dict[int, float]
    pages_s: float
    pages: int


class Project:
    """A git repository with declarations and its own state."""

    def __init__(self, folder: Path, *, evals: int) -> None:
        self.folder = folder
        self.place = ("--repo", str(folder / "repo"), "--state-dir", str(folder / "state"))
        for start in range(0, evals, 100):
            artifact = folder / "repo" / f"a{start}"
            artifact.mkdir(parents=True)
            numbers = range(start, min(start + 100, evals))
            declared = "".join(_declaration(number) for number in numbers)
            (artifact / "index.artf").write_text(f'name = "a{start}"\n{declared}')
        subprocess.run(["git", "init", "-q", str(folder / "repo")], check=True)

    def run(self, *words: str) -> str:
        """Run a command and return the id of the Run that it made."""
        command = [sys.executable, "-P", "-m", "artifactize", *self.place, *words, "--json"]
        done = subprocess.run(command, capture_output=True, check=False)
        try:
            return str(json.loads(done.stdout)["run_id"])
        except (ValueError, KeyError) as failure:
            raise RuntimeError(f"{words}: {done.stderr.decode()}") from failure

    def served(self) -> Wire:
        """Start the server."""
        command = (sys.executable, "-P", "-m", "artifactize", *self.place, "mcp")
        return Wire(command, env=os.environ, cwd="/")


def _declaration(number: int) -> str:
    return (
        f'[evals.e{number}]\ntitle = "Check {number}"\npayload = {{ instruction = "Check." }}\n'
        'profile = { kind = "runtime", command = "true" }\n'
    )


def main(rounds: int, runs: int, calls: int) -> None:
    """Measure, print, keep."""
    with tempfile.TemporaryDirectory(prefix="bench-runs-") as name:
        project = Project(Path(name) / "many", evals=EVALS)
        run_id = [project.run("verify", "--all") for _ in range(runs)][-1]
        with project.served() as wire:
            wire.handshake()
            asked = _asked(run_id)
            answers = [_answer(wire, *each, CALLS_PER_ROUND * rounds) for each in asked]
            memory = _memory(wire, asked, calls)
        pages_s, pages = _all_pages(Project(Path(name) / "large", evals=MANY_EVALS))
    results = Results(runs, answers, memory, pages_s, pages)
    print(report(results))
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results/runs.json").write_text(json.dumps(asdict(results), indent=2) + "\n")


def _asked(run_id: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("verify_wait", {"run_id": run_id, "timeout_seconds": 1}),
        ("verify_result", {"run_id": run_id}),
        ("run_list", {}),
        ("run_show", {"run_id": run_id}),
        ("request_list", {"run_id": run_id}),
        ("status", {}),
    ]


def _answer(wire: Wire, tool: str, arguments: Mapping[str, Any], calls: int) -> Answer:
    _call(wire, tool, arguments)
    costs = [_cost(wire, tool, arguments) for _ in range(calls)]
    return Answer(tool, median(cpu for cpu, _ in costs), median(wall for _, wall in costs))


def _cost(wire: Wire, tool: str, arguments: Mapping[str, Any]) -> tuple[float, float]:
    cpu, started = wire.cpu_ms(), time.perf_counter()
    _call(wire, tool, arguments)
    return wire.cpu_ms() - cpu, (time.perf_counter() - started) * 1000


def _call(wire: Wire, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    result = wire.request("tools/call", {"name": tool, "arguments": dict(arguments)})
    if result.get("isError"):
        raise RuntimeError(f"{tool} failed: {result['content'][0]['text']}")
    answer: dict[str, Any] = result["structuredContent"]
    return answer


def _memory(wire: Wire, asked: Sequence[tuple[str, dict[str, Any]]], calls: int) -> dict[int, float]:
    found = {}
    for number in range(calls + 1):
        if number in {WARM_CALLS, calls // 2, calls}:
            found[number] = wire.memory_mb()
        _call(wire, *asked[number % len(asked)])
    return found


def _all_pages(project: Project) -> tuple[float, int]:
    run_id = project.run("verify", "--all", "--reuse-only", "runtime")
    with project.served() as wire:
        wire.handshake()
        started, pages = time.perf_counter(), 0
        cursor: str | None = ""
        while cursor is not None:
            arguments = {"run_id": run_id, "cursor": cursor} if cursor else {"run_id": run_id}
            cursor = _call(wire, "run_show", arguments)["next_cursor"]
            pages += 1
        return time.perf_counter() - started, pages


def report(results: Results) -> str:
    """Markdown, as docs/benchmarks.md shows it."""
    lines = [
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {results.runs} Runs recorded.",
        "",
        "| tool | own CPU ms | wall ms |",
        "| --- | --- | --- |",
    ]
    lines += [f"| `{each.what}` | {each.own_cpu_ms:.1f} | {each.wall_ms:.1f} |" for each in results.answers]
    memory = ", ".join(f"{mb:.1f} MB after {calls:,}" for calls, mb in results.memory_mb.items())
    lines += ["", f"Memory over mixed calls: {memory}."]
    lines += [f"All {results.pages} pages of a Run of {MANY_EVALS:,} requests: {results.pages_s:.1f} s."]
    return "\n".join(lines)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*[*given, *(3, 1000, 10_000)[len(given) :]])
