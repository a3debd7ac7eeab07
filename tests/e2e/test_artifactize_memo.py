"""Answers that are remembered: the same words as an answer in full, a Run like any other, no heavy import."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support import light_start
from support.artifacts import ArtifactProject, dependency, lines_of, runtime, wait_for

if TYPE_CHECKING:
    from pathlib import Path

OFF = "ARTIFACTIZE_NO_MEMO"
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
QUESTIONS = [
    ("verify", "--all"),
    ("verify", "--all", "--json"),
    ("verify", "--all", "--watch"),
    ("status",),
    ("status", "--json"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ArtifactProject:
    """A GREEN Artifact, a RED one, one behind it and a derived one; reviewed once, and so remembered."""
    folder = tmp_path_factory.mktemp("memo")
    project = ArtifactProject.create(folder).write("base/text", "x\n")
    logged = f"echo run >> '{folder}/log'; echo 'broken ✗' >&2; exit 3"
    project.declare("base", evals={"good": runtime("true")})
    project.declare("bad", evals={"check": runtime("sh", "-c", logged)})
    project.declare("top", mounts={"b": "base"}, evals={"ready": dependency("b", "bad")})
    assert project.verify("--all").code == 1
    remembered_by_worker(project)
    return project


def remembered_by_worker(project: ArtifactProject) -> Path:
    """The memo that a worker leaves after the first review."""
    wait_for(lambda: list(project.state.glob("memos/*.memo")))
    return next(project.state.glob("memos/*.memo"))


def without_ids(text: str) -> str:
    """A text with its ids numbered in the order in which they occur."""
    numbers: dict[str, int] = {}
    return ID.sub(lambda found: f"<{numbers.setdefault(found.group(), len(numbers))}>", text)


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_remembered_answer_says_what_an_answer_in_full_says(
    project: ArtifactProject, words: tuple[str, ...]
) -> None:
    remembered = project.run(*words)
    project.environment[OFF] = "1"
    in_full = project.run(*words)
    del project.environment[OFF]
    assert (remembered.code, without_ids(remembered.out), remembered.err) == (
        in_full.code,
        without_ids(in_full.out),
        in_full.err,
    )


def test_a_remembered_run_is_saved_like_any_other(project: ArtifactProject) -> None:
    run_id = project.result("--all")["run_id"]
    reports = []
    for environment in ({}, {OFF: "1"}):
        project.environment = environment
        reports.append(project.run("run", "show", project.result("--all")["run_id"], "--json").json)
    project.environment = {}
    moments = {"created_at", "started_at", "finished_at", "request_id", "run_id"}
    ours, full = (
        [
            {name: each[name] for name in each if name not in moments}
            for each in (report, *report.pop("requests"))
        ]
        for report in reports
    )
    assert ours == full
    listed = [run["run_id"] for run in project.run("run", "list", "--json").json["runs"]]
    assert listed[0] > run_id
    assert lines_of(project.root.parent / "log") == 1


def test_nothing_heavy_is_loaded_where_nothing_changed(project: ArtifactProject) -> None:
    for words in (("verify", "--all"), ("status", "--json")):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *project.command(*words)[1:]],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        assert "sqlite3" in loaded
        assert (
            loaded & {*light_start.HEAVY, "click", "dataclasses", "typing", "json", "asyncio", "pathlib"}
            == set()
        )


def test_a_memo_that_is_damaged_or_of_another_state_answers_nothing(tmp_path: Path) -> None:
    project = ArtifactProject.create(tmp_path).declare("guide", evals={"a": runtime("true")})
    assert project.verify("--all").code == 0
    memo = remembered_by_worker(project)
    for damage in (b"", memo.read_bytes()[:-9], memo.read_bytes().replace(b"guide", b"other")):
        memo.write_bytes(damage)
        assert project.run("status").out.splitlines()[0].startswith("reuse")
    with project.database() as connection:
        connection.execute("UPDATE records SET verdict = 'RED'")
    assert project.verify("--all").code == 1


def test_a_removed_verdict_is_not_remembered(tmp_path: Path) -> None:
    project = ArtifactProject.create(tmp_path).declare("guide", evals={"a": runtime("true")})
    for _ in range(2):
        assert project.verify("--all").code == 0
    with project.database() as connection:
        connection.execute(
            "INSERT INTO records (key, verdict, eval, artifact, definition, fingerprints, run_id, request_id, "
            "recorded_at) SELECT key, 'REMOVED', eval, artifact, definition, fingerprints, run_id, request_id, "
            "recorded_at FROM records"
        )
    assert project.status()["guide/a"]["action"] == "execute"
    assert project.result("--all")["sources"]["executed"] == 1
