"""Ranges to review: generated ones of a wanted size, and real ones out of a repository's own history."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COMMITS_PER_FILES = 20
_FUNCTIONS = 12
_PACKAGES = 20


@dataclass(frozen=True)
class Range:
    """A repository with `topic` checked out on top of `main`."""

    name: str
    path: Path
    files: int
    commits: int


def git(path: Path, *arguments: str) -> str:
    """Run git without anybody's configuration; a failure ends the benchmark."""
    done = subprocess.run(
        ("git", *arguments), cwd=path, env=git_environment(), check=True, capture_output=True
    )
    return done.stdout.decode("utf-8", "replace").strip()


def git_environment() -> dict[str, str]:
    """Variables for a git that knows nobody."""
    who = {
        f"GIT_{role}_{what}": "bench@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": "/nonexistent"}
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", **who, **quiet}


def generated(folder: Path, files: int) -> Range:
    """A Python project of twice as many modules as are changed: lines edited, some functions added."""
    path = folder / f"generated-{files}"
    path.mkdir()
    chance = random.Random(files)
    git(path, "init", "-q", "--initial-branch=main")
    for name, text in _project(2 * files):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    git(path, "add", "-A")
    git(path, "commit", "-q", "-m", "base")
    git(path, "checkout", "-q", "-b", "topic")
    commits = max(1, files // COMMITS_PER_FILES)
    for commit in range(commits):
        for number in range(commit, files, commits):
            _edit(path / _module_path(number), chance)
        git(path, "commit", "-q", "-a", "-m", f"change {commit}")
    return Range(f"generated, {files} files", path, files, commits)


def _project(modules: int) -> Iterator[tuple[str, str]]:
    yield "pyproject.toml", '[project]\nname = "generated"\nversion = "0"\n'
    for package in range(min(modules, _PACKAGES)):
        yield f"src/package_{package}/__init__.py", ""
    for number in range(modules):
        yield _module_path(number), _module(number)


def _module_path(number: int) -> str:
    return f"src/package_{number % _PACKAGES}/module_{number}.py"


def _module(number: int) -> str:
    lines = ['"""A module."""', "", "from __future__ import annotations", "", "import math", ""]
    for function in range(_FUNCTIONS):
        lines += [
            "",
            f"def function_{number}_{function}(value: int, other: int = {function}) -> float:",
            '    """Add and multiply."""',
            f"    total = value + other * {number}",
            "    for step in range(value):",
            f"        if step % {function + 2}:",
            f"            total += step * {function}",
            "    return math.sqrt(total)",
            "",
        ]
    return "\n".join(lines)


def _edit(path: Path, chance: random.Random) -> None:
    lines = path.read_text().splitlines(keepends=True)
    for _ in range(4):
        at = chance.randrange(7, len(lines))
        if lines[at].startswith("    total ="):
            lines[at] = lines[at].rstrip("\n") + " + 1\n"
        elif lines[at].startswith("    return"):
            lines.insert(at, "    total += 1\n")
    lines += ["\n", "def added(value: int) -> int:\n", '    """Double."""\n', "    return value * 2\n"]
    path.write_text("".join(lines))


def own_history(folder: Path, root: Path, sizes: tuple[int, ...]) -> list[Range]:
    """Ranges of the repository at `root` that change about as many files as wanted, up to its newest commit.

    Nothing when it is no repository, or shallow.
    """
    if not (root / ".git").exists() or git(root, "rev-parse", "--is-shallow-repository") != "false":
        return []
    counts = _files_since(root)
    found: list[Range] = []
    for size in sizes:
        commit = next((commit for commit, files in counts.items() if files >= size), None)
        if commit is None:
            break
        path = folder / f"history-{size}"
        git(folder, "clone", "-q", "--no-checkout", str(root), str(path))
        git(path, "remote", "remove", "origin")
        git(path, "branch", "-q", "-f", "main-base", commit)
        git(path, "checkout", "-q", "-b", "topic", git(root, "rev-parse", "HEAD"))
        git(path, "branch", "-q", "-M", "main-base", "main")
        commits = int(git(path, "rev-list", "--count", "main..topic"))
        found.append(Range(f"this repository, {counts[commit]} files", path, counts[commit], commits))
    return found


def _files_since(root: Path) -> Mapping[str, int]:
    """Commits of the first-parent line, the newest first, with how many files were touched since."""
    log = git(root, "log", "--first-parent", "--format=%x00%H", "--name-only")
    touched: set[str] = set()
    counts: dict[str, int] = {}
    for entry in log.split("\0")[1:]:
        commit, *names = entry.split()
        counts[commit] = len(touched)
        touched.update(names)
    return counts
