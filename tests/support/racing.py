"""Processes that do the same at the same moment: one interpreter is started, and forked once all is imported."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from mcpkit.errors import ToolError
from prview.models import requests
from prview.service.api import Prview
from prview.service.settings import Settings
from prview.store.home import Home
from prview.store.index import read_index
from prview.store.run_folder import reserve

if TYPE_CHECKING:
    from collections.abc import Callable

_TESTS = Path(__file__).parents[1]
_MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
_COMMIT = "abcdef0" + "0" * 33


def raced(
    task: str, home: Path, *, processes: int, repo: Path | None = None, go: Path | None = None
) -> list[Any]:
    """What each of `processes` processes answered to `task`, in the order of their ends.

    `go` is made when all but one have answered: what the last one waits for.
    """
    home.mkdir(mode=0o700, exist_ok=True)
    words = [task, str(home), str(processes), str(repo or ""), str(go or "")]
    done = subprocess.run(
        [sys.executable, "-m", "support.racing", *words],
        cwd=_TESTS,
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def _ids(number: int, prview: Prview, home: Home, repo: str) -> object:
    """Ten reservations within one second, on one of two branches."""
    branch = home.repository("repo").branch(f"branch-{number % 2}")
    return {"ids": [reserve(branch, started=_MOMENT, commit=_COMMIT).run_id for _ in range(10)]}


def _review(number: int, prview: Prview, home: Home, repo: str) -> object:
    """A quick review of what is checked out."""
    try:
        done = anyio.run(prview.review, requests.ReviewRequest(repo=repo, profile="quick"))
    except ToolError as exc:
        return {"error": exc.error_class, **exc.details}
    return {"run_id": done.run_id}


def _work(number: int, prview: Prview, home: Home, repo: str) -> object:
    """What a server does for its agent: look, ask, page, read, begin a run, and rebuild the index."""

    async def work() -> object:
        state = await prview.state(requests.StateRequest(repo=repo))
        assert state.latest_run_any is not None
        run_id = state.latest_run_any.run_id
        verdict = await prview.verdict(requests.VerdictRequest(repo=repo, run_id=run_id))
        found = await prview.findings(requests.FindingsRequest(repo=repo, run_id=run_id))
        asked = requests.ReadArtifactRequest(repo=repo, run_id=run_id, artifact="report.json")
        read = await prview.read_artifact(asked)
        (repository,) = home.repositories()
        begun = reserve(repository.branch(f"branch-{number}"), started=_MOMENT, commit=_COMMIT)
        indexed = [entry.run_id for entry in read_index(repository)]
        return [verdict.verdict, found.total, read.total_lines, indexed, begun.run_id]

    return anyio.run(work)


TASKS: dict[str, Callable[[int, Prview, Home, str], object]] = {"ids": _ids, "review": _review, "work": _work}


def main(task: str, folder: str, processes: str, repo: str, go: str) -> None:
    """Fork, let them loose together, and print their answers, one JSON line each."""
    home = Home(Path(folder))
    prview = Prview(Settings(home=home, command=()))
    ready, loose = os.pipe()
    answers, answer = os.pipe()
    for number in range(int(processes)):
        if os.fork() == 0:
            os.close(loose)
            os.read(ready, 1)  # its end, for all of them at once
            line = json.dumps(TASKS[task](number, prview, home, repo)) + "\n"
            os.write(answer, line.encode())
            os._exit(0)
    os.close(answer)
    os.close(loose)
    with os.fdopen(answers) as lines:
        for number, line in enumerate(lines, start=1):
            sys.stdout.write(line)
            if go and number == int(processes) - 1:
                Path(go).touch()
    while True:
        try:
            _, status = os.wait()
        except ChildProcessError:
            return
        if status:
            sys.exit(f"a process ended with wait status {status}")


if __name__ == "__main__":
    main(*sys.argv[1:])
