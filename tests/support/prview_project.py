"""Small Python projects under review, and prview run on them as a person or an agent would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.repos import GitRepo

if TYPE_CHECKING:
    from collections.abc import Mapping

PRVIEW = (sys.executable, "-P", "-m", "prview")
PROGRAMS = Path(sys.executable).parent

CORE = "def add(a, b):\n    return a + b\n"
TEST = "from pkg.core import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
PYPROJECT = '[project]\nname = "pkg"\nversion = "0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n'

# the plugins of the environment that runs us are not the project's
FAST_PYTEST = f"#!/bin/sh\nPYTEST_DISABLE_PLUGIN_AUTOLOAD=1 exec '{PROGRAMS}/pytest' \"$@\"\n"

FAST_BANDIT = """#!/bin/sh
case $1 in --version) echo bandit 1.9.4; exit;; esac
for word; do case $word in *.py) files="$files\\"$word\\": {}, ";; esac; done
echo "{\\"errors\\": [], \\"results\\": [], \\"metrics\\": {$files\\"_totals\\": {}}}"
"""
"""Finds nothing, and soon: what bandit itself does is seen in test_prview_planted."""


def project(path: Path) -> GitRepo:
    """A clean Python project: one commit on main, then the branch `topic`, with a test runner of its own."""
    repo = GitRepo.create(path)
    repo.write_many(
        {
            "src/pkg/__init__.py": "",
            "src/pkg/core.py": CORE,
            "tests/test_core.py": TEST,
            "pyproject.toml": PYPROJECT,
            ".gitignore": ".venv/\n",
        }
    )
    repo.commit("base")
    repo.branch("topic")
    own_tool(repo, "pytest", FAST_PYTEST)
    own_tool(repo, "bandit", FAST_BANDIT)
    return repo


def own_tool(repo: GitRepo, name: str, script: str) -> None:
    """Put a program into the project's virtual environment."""
    repo.write(f".venv/bin/{name}", script, executable=True)


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.stdout)

    @property
    def pack(self) -> Path:
        """The folder of the pack that was written."""
        return Path(self.json["artifact_paths"]["pack"])

    def gate(self, check: str) -> dict[str, Any]:
        """What the stored gate says about one check."""
        return next(
            entry for entry in self.stored("00_summary/MERGE_GATE.json")["checks"] if entry["id"] == check
        )

    def stored(self, name: str) -> Any:
        """A JSON file of the pack."""
        return json.loads((self.pack / name).read_text(encoding="utf-8"))


def environment(
    home: Path, *, path: str | None = None, env: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Ours, with the tools of this environment on PATH and runs kept below the test's home."""
    usual = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)])
    temporary = home / "t"  # what a killed review leaves stays below the test's home
    temporary.mkdir(exist_ok=True)
    ours = {"PATH": path or usual, "PRVIEW_HOME": str(home / "prview"), "TMPDIR": str(temporary)}
    return {**os.environ, **ours, **(env or {})}


def git_alone(folder: Path) -> str:
    """A PATH on which nothing but git is found."""
    folder.mkdir()
    git = shutil.which("git")
    assert git is not None
    (folder / "git").symlink_to(git)
    return str(folder)


def prview(
    *words: str,
    home: Path,
    repo: Path | None = None,
    path: str | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Outcome:
    """Run prview to its end."""
    where = ["--repo", str(repo)] if repo else []
    done = subprocess.run(
        [*PRVIEW, *words, *where],
        env=environment(home, path=path, env=env),
        cwd=cwd or home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=90,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def review(
    repo: GitRepo,
    *words: str,
    home: Path,
    path: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Outcome:
    """Review and give the JSON result; the command must have reviewed (exit code 0 or 1)."""
    command = ("review", *words, "--json", "--quiet")
    done = prview(*command, home=home, repo=repo.path, path=path, env=env)
    assert done.code in {0, 1}, f"exit code {done.code}\n{done.stdout}\n{done.stderr}"
    return done
