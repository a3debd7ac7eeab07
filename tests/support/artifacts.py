r"""Projects with declarations for artifactize's tests, and the commands run on them as their users run them.

project = ArtifactProject.create(tmp_path)
project.declare("guide", evals={"terms": runtime("grep", "-q", "x", "terms.txt")})
project.write("guide/terms.txt", "x\n")
assert project.verify("--all").code == 0
"""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from support.repos import GitRepo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Found = TypeVar("Found")
BOUND_S = 30.0
"""No wait in these tests is longer."""


def runtime(command: str, *args: str, **fields: Any) -> dict[str, Any]:
    """An eval table of kind runtime; `fields` go into its profile, `instruction` and `title` where they belong."""
    instruction = fields.pop("instruction", "Check it.")
    title = fields.pop("title", "It holds")
    profile = {"kind": "runtime", "command": command, "args": list(args), **fields}
    return {"title": title, "profile": profile, "payload": {"instruction": instruction}}


def counting(log: Path, *, then: str = "true") -> dict[str, Any]:
    """An eval that appends a line to `log`, outside the project, each time it is executed."""
    return runtime("sh", "-c", f"echo run >> '{log}'; {then}")


def human(**fields: Any) -> dict[str, Any]:
    """An eval table of kind human; `quorum` and `reviewers` go into its profile, the rest beside it."""
    chosen: dict[str, Any] = {name: fields.pop(name) for name in ("quorum", "reviewers") if name in fields}
    profile: dict[str, Any] = {"kind": "human", **chosen}
    return {"title": "Somebody looked", "profile": profile, "payload": {"instruction": "Look."}, **fields}


def dependency(*names: str) -> dict[str, Any]:
    """An eval table of kind dependency."""
    return {"title": "They are ready", "profile": {"kind": "dependency", "depends_on": list(names)}}


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its stdout as one JSON document."""
        return json.loads(self.out)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Its stdout as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class ArtifactProject:
    """A git repository with declarations, and a state of its own beside it."""

    root: Path
    state: Path
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def create(cls, tmp_path: Path) -> Self:
        """Make an empty project."""
        GitRepo.create(tmp_path / "project")
        return cls(tmp_path / "project", tmp_path / "state")

    def write(self, path: str, text: str | bytes) -> Self:
        """Write a file, folders included."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return self

    def declare(self, folder: str, *, name: str | None = None, **fields: Any) -> Self:
        """Write `folder/index.artf`."""
        declared = {"name": name or folder.rpartition("/")[2], **fields}
        return self.write(f"{folder}/index.artf".lstrip("/"), as_toml(declared))

    def command(self, *words: str) -> list[str]:
        """The command line with this project and state."""
        place = ["--repo", str(self.root), "--state-dir", str(self.state)]
        return [sys.executable, "-m", "artifactize", *place, *words]

    def run(self, *words: str, timeout: float = 2 * BOUND_S) -> Ran:
        """Run a command to its end."""
        done = subprocess.run(
            self.command(*words),
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self._env(),
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command without waiting for it; its output is collected."""
        return subprocess.Popen(
            self.command(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._env(),
            start_new_session=True,
        )

    def verify(self, *words: str) -> Ran:
        """Run `artifactize verify`."""
        return self.run("verify", *words)

    def result(self, *words: str) -> dict[str, Any]:
        """Run `artifactize verify --json` and return the result."""
        found: dict[str, Any] = self.verify(*words, "--json").json
        return found

    def status(self, *words: str) -> dict[str, dict[str, Any]]:
        """Run `artifactize status --json` and return the plan by eval."""
        return {each["eval"]: each for each in self.run("status", *words, "--json").json["evals"]}

    def states(self, run_id: str) -> dict[str, str]:
        """The state of each eval of a Run."""
        report = self.run("run", "show", run_id, "--json").json
        return {each["eval"]: each["state"] for each in report["requests"]}

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """The state database, for damage; what is done is saved."""
        connection = sqlite3.connect(self.state / "artifactize.db", timeout=BOUND_S)
        try:
            with connection:
                yield connection
        finally:
            connection.close()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the state database answers to a query."""
        with sqlite3.connect(self.state / "artifactize.db", timeout=BOUND_S) as connection:
            found = connection.execute(query).fetchall()
        connection.close()
        return found

    def worker_pid(self) -> int:
        """The process number of the living worker, waited for."""

        def look() -> int | None:
            if not (self.state / "artifactize.db").exists():
                return None
            try:
                found = self.rows("SELECT owner FROM workers")
            except sqlite3.OperationalError:  # the tables are being made
                return None
            return int(found[0][0].partition("@")[0]) if found else None

        return wait_for(look)

    def kill_worker(self, number: int = signal.SIGKILL) -> int:
        """Signal the worker, wait for its end, and return what its number was."""
        pid = self.worker_pid()
        os.kill(pid, number)
        wait_for(lambda: not is_running(pid))
        return pid

    def _env(self) -> dict[str, str]:
        # a worker that stays for the next command would stay for the next test, too
        return {"ARTIFACTIZE_WORKER_IDLE_S": "5", **os.environ, **self.environment}


def wait_for(look: Callable[[], Found | None]) -> Found:
    """Look until something is found, at most `BOUND_S` seconds."""
    ends = time.monotonic() + BOUND_S
    while not (found := look()):
        assert time.monotonic() < ends, f"not seen within {BOUND_S} s"
        time.sleep(0.01)
    return found


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return re.sub(r".*\) ", "", status, flags=re.DOTALL)[0] not in "ZX"


def lines_of(file: Path) -> int:
    """How many lines a file has; none when it does not exist."""
    return len(file.read_text().splitlines()) if file.exists() else 0


def as_toml(value: Mapping[str, Any]) -> str:
    """The TOML of a declaration: inline values, one key a line."""
    return "".join(f"{key} = {_inline(item)}\n" for key, item in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)  # an escape of TOML is a character, of JSON half of one
