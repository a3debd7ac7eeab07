"""A worker that is still there answers the next `verify --all`, as a client would that asks without it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support import light_start
from support.artifacts import ArtifactProject, counting, is_running, lines_of, runtime, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Iterator[ArtifactProject]:
    """A project whose worker is warm and stays; the folder's name is longer than a socket's may be."""
    folder = tmp_path / ("long-" * 30)
    folder.mkdir()
    project = ArtifactProject.create(folder)
    project.environment = {"ARTIFACTIZE_WORKER_IDLE_S": "60", "MODE": "first"}
    ran = f"echo \"$MODE\" >> '{folder}/log'; grep -q good text"
    project.declare("guide", fingerprint={"env": ["MODE"]}, evals={"check": runtime("sh", "-c", ran)})
    project.write("guide/text", "good\n")
    assert project.verify("--all").code == 0
    wait_for(lambda: list(project.state.glob("doors/*.sock")))
    yield project
    project.kill_worker()


def log_of(project: ArtifactProject) -> list[str]:
    return (project.root.parent / "log").read_text().split()


def test_a_warm_worker_answers_what_changed_for_a_client_that_loads_nothing(
    project: ArtifactProject,
) -> None:
    worker = project.worker_pid()
    project.write("guide/text", "bad\n")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *project.command("verify", "--all")[1:]],
        capture_output=True, text=True, timeout=60, check=False, env=os.environ | project.environment,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert (done.returncode, done.stdout.split()[:2]) == (1, ["RED", "guide/check"])
    assert "artifactize.service.door" in loaded
    assert loaded & {*light_start.HEAVY, "click", "asyncio", "pathlib"} == set()

    project.environment["MODE"] = "second"  # what counts is the environment of whoever asks
    assert project.result("--all")["exit_code"] == 1
    project.write("guide/text", "good again\n")
    events = project.verify("--all", "--watch").events
    assert [events[0]["kind"], events[-1]["kind"]] == ["update", "outcome"]
    assert events[-1]["data"]["outcome"] == "GREEN"
    assert log_of(project) == ["first", "first", "second", "second"]

    project.write("guide/index.artf", "name = 3\n")  # a mistake is told as always, and nothing is saved
    runs = project.rows("SELECT count(*) FROM runs")
    assert "guide/index.artf:1" in project.verify("--all").err
    assert project.rows("SELECT count(*) FROM runs") == runs
    assert project.worker_pid() == worker


def test_a_worker_of_a_former_state_or_project_is_not_asked(project: ArtifactProject) -> None:
    worker = project.worker_pid()
    for left in project.state.glob("artifactize.db*"):
        left.unlink()
    assert project.result("--all")["sources"]["executed"] == 1
    assert project.rows("SELECT count(*) FROM runs") == [(1,)]
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)  # the one that lost its state


def test_a_client_that_loses_its_worker_sees_the_run_to_its_end_once(
    project: ArtifactProject, tmp_path: Path
) -> None:
    log, gate, pids = tmp_path / "runs", tmp_path / "gate", tmp_path / "pids"
    waits = f"echo $$ >> '{pids}'; while ! test -e '{gate}'; do sleep 0.02; done"
    project.declare("a", evals={"quick": counting(log)})
    project.declare("b", mounts={"a": "a"}, evals={"slow": runtime("sh", "-c", waits)})
    watching = project.start("verify", "--all")
    wait_for(lambda: lines_of(pids))
    project.kill_worker()
    wait_for(lambda: lines_of(pids) == 2)
    gate.touch()
    out, err = watching.communicate(timeout=60)
    assert (watching.returncode, err) == (0, "")
    assert sorted(line.split()[1] for line in out.splitlines()[:-1]) == ["a/quick", "b/slow", "guide/check"]
    assert lines_of(log) == 1
    assert project.rows("SELECT count(*) FROM runs") == [(2,)]


def test_ctrl_c_stops_watching_and_a_second_one_cancels(project: ArtifactProject, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    project.declare("b", evals={"slow": runtime("sh", "-c", f"echo $$ >> '{pids}'; sleep 60")})
    watching = project.start("verify", "--all")
    wait_for(lambda: lines_of(pids))
    running = int(pids.read_text())
    os.kill(watching.pid, signal.SIGINT)
    assert watching.stderr is not None
    said = [watching.stderr.readline() for _ in range(3)]
    assert is_running(running)
    assert said[1].startswith("stopped watching; Run ")
    os.kill(watching.pid, signal.SIGINT)
    watching.communicate(timeout=60)
    assert watching.returncode == 130
    wait_for(lambda: not is_running(running))
    assert project.rows("SELECT outcome FROM runs ORDER BY id DESC LIMIT 1") == [("CANCELLED",)]
