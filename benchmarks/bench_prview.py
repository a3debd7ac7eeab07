"""What a quick review costs, beside git alone and beside a hook runner with ruff, on the same ranges.

    uv run nox -s bench [-- ROUNDS]

Ranges of about 10, 100, 600 and 2,000 changed files, generated, and those that this repository's own history
has. The programs take turns, so that a busy machine slows all of them; the best round counts. `own` is the
CPU time of prview's process alone: what it adds to git and to the tools; its memory is measured apart from
theirs, too. The tools are those of PROGRAMS, whatever else is installed here. Nothing fails on a clock. The
table goes to stdout, all figures to `benchmarks/results/prview.json`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.processes import Cost, cost
from benchmarks.ranges import Range, generated, git_environment, own_history

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).resolve().parent
SCRIPTS = Path(sys.executable).parent
PROGRAMS = ("python", "ruff", "mypy", "pre-commit")
SIZES = (10, 100, 600, 2000)
HOOK = """\
repos:
  - repo: local
    hooks:
      - id: ruff
        name: ruff
        entry: ruff check --no-cache --quiet --exit-zero
        language: system
        types: [python]
"""
GIT_ALONE = "git diff --binary main...topic >/dev/null && git log -p main..topic >/dev/null"
RAW_RUFF = (
    "git diff --name-only -z --diff-filter=d main...topic -- '*.py' "
    "| xargs -0 ruff check --no-cache --quiet --exit-zero >/dev/null"
)


@dataclass(frozen=True)
class Review:
    """One quick review: CPU and peak memory of prview itself and of what it started, wall-clock."""

    own_cpu_ms: float
    children_cpu_ms: float
    wall_ms: float
    own_peak_mb: float
    children_peak_mb: float
    verdict: str


@dataclass(frozen=True)
class Row:
    """One range: git alone, the hook runner, a first review and one whose results are known."""

    range: str
    files: int
    commits: int
    git: Cost
    hook: Cost
    first: Review
    again: Review


def main(rounds: int) -> None:
    """Measure, print, keep."""
    with tempfile.TemporaryDirectory(prefix="bench-prview-") as name:
        folder = Path(name)
        ranges = [generated(folder, size) for size in SIZES] + own_history(folder, HERE.parent, SIZES)
        rows = [row(folder, each, rounds) for each in ranges]
    print(report(rows, rounds))
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "prview.json").write_text(json.dumps([asdict(each) for each in rows], indent=2) + "\n")


def row(folder: Path, each: Range, rounds: int) -> Row:
    """Every program in turn."""
    gits, hooks, firsts, agains = [], [], [], []
    env = environment(folder)
    hook = hook_command(each.path)
    for number in range(rounds):
        home = folder / f"home-{each.path.name}-{number}"
        gits.append(cost(shell(GIT_ALONE, each.path), env=env))
        hooks.append(cost(shell(hook, each.path), env=env))
        firsts.append(review(each, home, env))
        agains.append(review(each, home, env))
        shutil.rmtree(home)
    return Row(
        each.name,
        each.files,
        each.commits,
        min(gits, key=lambda run: run.cpu_ms),
        min(hooks, key=lambda run: run.cpu_ms),
        min(firsts, key=lambda run: run.own_cpu_ms),
        min(agains, key=lambda run: run.own_cpu_ms),
    )


def environment(folder: Path) -> dict[str, str]:
    """Git's, with the tools of this environment on PATH and a home for them."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name in PROGRAMS:
        if (SCRIPTS / name).exists() and not (programs / name).exists():
            (programs / name).symlink_to(SCRIPTS / name)
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    homes = {"HOME": str(folder), "PRE_COMMIT_HOME": str(folder / "pre-commit")}
    return {**git_environment(), "PATH": path, **homes}


def shell(command: str, path: Path) -> tuple[str, ...]:
    """A command line in a folder."""
    return ("/bin/sh", "-ec", f"cd '{path}'; {command}")


def hook_command(path: Path) -> str:
    """pre-commit with ruff as its only hook; ruff by itself where pre-commit is not installed."""
    if not has_pre_commit():
        return RAW_RUFF
    config = path / ".git/pre-commit.yaml"
    config.write_text(HOOK)
    return f"pre-commit run --config '{config}' --from-ref main --to-ref topic >/dev/null"


def has_pre_commit() -> bool:
    """Whether the other program is here."""
    return shutil.which("pre-commit", path=str(SCRIPTS)) is not None


def review(each: Range, home: Path, env: Mapping[str, str]) -> Review:
    """A quick review, measured from inside and outside."""
    home.mkdir(exist_ok=True)
    figures = home / "figures.json"
    options = ("--quick", "--json", "--quiet", "--repo", str(each.path), "topic", "main")
    argv = (sys.executable, "-m", "benchmarks.measured_prview", str(figures), *options)
    started = time.perf_counter()
    done = subprocess.run(
        argv,
        env={**env, "PRVIEW_HOME": str(home / "prview")},
        cwd=HERE.parent,
        capture_output=True,
        check=False,
    )
    wall = (time.perf_counter() - started) * 1000
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"the review of {each.name} failed: {done.stdout.decode()} {done.stderr.decode()}")
    measured = json.loads(figures.read_text())
    return Review(
        own_cpu_ms=measured["own_cpu_ms"],
        children_cpu_ms=measured["children_cpu_ms"],
        wall_ms=wall,
        own_peak_mb=measured["own_peak_mb"],
        children_peak_mb=measured["children_peak_mb"],
        verdict=json.loads(done.stdout)["verdict"],
    )


def report(rows: list[Row], rounds: int) -> str:
    """Markdown, as docs/benchmarks.md shows it."""
    other = "pre-commit + ruff" if has_pre_commit() else "ruff alone"
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    where = f"{machine}, best of {rounds} rounds; CPU / wall in ms."
    titles = (
        "range",
        "commits",
        "git alone",
        other,
        "prview --quick",
        "its own CPU",
        "own : git",
        "all : hook",
        "again",
        "its own CPU",
        "its own MB",
        "largest tool MB",
    )
    lines = [where, "", f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    for each in rows:
        first, again = each.first, each.again
        cells = (
            each.range,
            str(each.commits),
            f"{each.git.cpu_ms:.0f} / {each.git.wall_ms:.0f}",
            f"{each.hook.cpu_ms:.0f} / {each.hook.wall_ms:.0f}",
            f"{first.own_cpu_ms + first.children_cpu_ms:.0f} / {first.wall_ms:.0f}",
            f"{first.own_cpu_ms:.0f}",
            f"{first.own_cpu_ms / each.git.cpu_ms:.0f}",
            f"{(first.own_cpu_ms + first.children_cpu_ms) / each.hook.cpu_ms:.1f}",
            f"{again.own_cpu_ms + again.children_cpu_ms:.0f} / {again.wall_ms:.0f}",
            f"{again.own_cpu_ms:.0f}",
            f"{max(first.own_peak_mb, again.own_peak_mb):.0f}",
            f"{max(first.children_peak_mb, again.children_peak_mb):.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
