"""The servers that the protocol contract is held against, and how each is started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from support.repos import GitRepo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TESTS = Path(__file__).parents[1]


def _nothing(_directory: Path) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class ServerUnderTest:
    """A server's command, and one call of it that succeeds quickly anywhere (None: there is none).

    `options` makes what the server needs in an empty directory and gives the options that name it; `home` is
    the variable that says where its state lies, `programs` are those without which it refuses to start.
    """

    name: str
    command: tuple[str, ...]
    call: tuple[str, Mapping[str, object]] | None = None
    max_list_bytes: int = 12 * 1024
    env: Mapping[str, str] = field(default_factory=dict)
    options: Callable[[Path], tuple[str, ...]] = _nothing
    home: str | None = None
    programs: tuple[str, ...] = ()

    def prepared(self, directory: Path) -> ServerUnderTest:
        """This server with all its options and its state, on things in `directory`."""
        state = {self.home: str(directory / "home")} if self.home else {}
        command = (*self.command, *self.options(directory))
        return replace(self, command=command, env={**self.env, **state}, options=_nothing)

    def path(self) -> str:
        """The PATH that is enough for it to start."""
        return os.pathsep.join(
            str(Path(found).parent) for name in self.programs if (found := shutil.which(name))
        )

    def environment(self) -> dict[str, str]:
        """Ours, with what this server needs."""
        return {**os.environ, **self.env}


def _empty_repository(directory: Path) -> tuple[str, ...]:
    repository = directory / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    return ("--repo", str(repository), "--state-dir", str(directory / "state"))


def _enabled_repository(directory: Path, permission: str = "verify") -> tuple[str, ...]:
    """The owner's consent for a repository with one commit, in the state that `prepared` names."""
    repository = GitRepo.create(directory / "repository")
    repository.commit("first")
    enable = [sys.executable, "-m", "codevetter_verify", permission, "enable", "--json"]
    done = subprocess.run(
        [*enable, "--repo", str(repository.path)],
        env={**os.environ, "CODEVETTER_HOME": str(directory / "home")},
        check=True,
        capture_output=True,
    )
    return ("--repo-id", json.loads(done.stdout)["repo_id"])


DEMO = ServerUnderTest(
    "demo",
    (sys.executable, "-m", "support.demo_server"),
    ("add", {"a": 2, "b": 3}),
    env={"PYTHONPATH": str(_TESTS)},
)
PRVIEW = ServerUnderTest("prview", (sys.executable, "-m", "prview", "mcp"), ("health", {}))
ARTIFACTIZE = ServerUnderTest(
    "artifactize",
    (sys.executable, "-m", "artifactize", "mcp"),
    ("run_list", {}),
    max_list_bytes=32 * 1024,
    options=_empty_repository,
)
CODEVETTER = ServerUnderTest(
    "codevetter-verify",
    (sys.executable, "-m", "codevetter_verify.mcp_cli"),
    options=_enabled_repository,
    home="CODEVETTER_HOME",
    programs=("git",),
)
HISTORY = ServerUnderTest(
    "codevetter-history",
    (sys.executable, "-m", "codevetter_verify.history_cli"),
    ("receipts_list", {}),
    options=partial(_enabled_repository, permission="history"),
    home="CODEVETTER_HOME",
    programs=("git",),
)
SERVERS = (DEMO, PRVIEW, ARTIFACTIZE, CODEVETTER, HISTORY)
"""Add a server here, and the whole contract applies to it."""
