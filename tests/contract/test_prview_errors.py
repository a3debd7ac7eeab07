"""Every class of prview's closed vocabulary over stdio, and how a damaged or contradictory gate is read."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from support.prview_client import (
    GATE,
    kept_runs,
    serving,
)
from support.prview_project import CORE, project, review

if TYPE_CHECKING:
    from pathlib import Path

    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project whose branch `topic` adds a warning."""
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return repo


@pytest.mark.parametrize("path", ["relative", "./x", "/nothing/here", "", "/\0"])
async def test_a_path_that_leads_nowhere_is_repo_not_found(home: Path, path: str) -> None:
    async with serving(home) as prview:
        for tool in ("health", "state", "run_review", "verdict", "findings"):
            error = await prview.fail(tool, repo=path)
            assert error["error_class"] == "repo_not_found"
            assert path.startswith("/") or "absolute" in error["message"]


async def test_a_folder_without_git_is_not_a_git_repo(home: Path, tmp_path: Path) -> None:
    async with serving(home) as prview:
        for tool in ("health", "state", "run_review", "verdict"):
            assert (await prview.fail(tool, repo=str(tmp_path)))["error_class"] == "not_a_git_repo"


async def test_what_cannot_be_reviewed_is_run_failed(repo: GitRepo, home: Path) -> None:
    where = str(repo.path)
    async with serving(home) as prview:
        for arguments in ({"profile": "thorough"}, {"profile": "standard"}, {"base": "nowhere"}):
            error = await prview.fail("run_review", repo=where, **arguments)
            assert error["error_class"] == "run_failed"
            assert next(iter(arguments.values())) in error["message"]
        repo.git("checkout", "-q", "--orphan", "alone")
        repo.commit("root")
        assert (await prview.fail("run_review", repo=where))["error_class"] == "run_failed"
    assert kept_runs(home) == []


async def test_a_policy_that_cannot_be_read_is_told_in_its_own_words(repo: GitRepo, home: Path) -> None:
    """The review's own process finds it out: its reason must arrive, and stay with the run."""
    repo.git("checkout", "-q", "main")
    repo.write(".prview-policy.yml", "version: 1\nmode: nonsense\n").commit()
    repo.git("checkout", "-q", "-b", "again")
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    async with serving(home) as prview:
        for profile in ("quick", "deep"):
            error = await prview.fail("run_review", repo=str(repo.path), profile=profile)
            assert error["error_class"] == "run_failed"
            assert "nonsense" in error["message"]
            verdict = await prview.ask("verdict", repo=str(repo.path), run_id=error["run_id"])
            assert (verdict["status"], "nonsense" in verdict["caveats"][0]) == ("failed", True)


async def test_a_run_that_nobody_made_is_run_not_found(repo: GitRepo, home: Path) -> None:
    where = str(repo.path)
    async with serving(home) as prview:
        for tool in ("verdict", "findings"):
            assert (await prview.fail(tool, repo=where))["error_class"] == "run_not_found"
            for run_id in ("20200101-000000-abcdef0", "../..", "", "x" * 5000):
                error = await prview.fail(tool, repo=where, run_id=run_id)
                assert error["error_class"] == "run_not_found"


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", "{}", '{"decision": {"allow_merge": true}}', '{"decision": {"verdict": "MAYBE"}}', None],
)
async def test_a_gate_that_holds_no_decision_is_storage_corrupt(
    repo: GitRepo, home: Path, content: str | None
) -> None:
    done = review(repo, "--quick", home=home)
    gate = done.pack / GATE
    gate.unlink()
    if content is not None:
        gate.write_text(content)
    async with serving(home) as prview:
        error = await prview.fail("verdict", repo=str(repo.path))
        assert error["error_class"] == "storage_corrupt"
        state = await prview.ask("state", repo=str(repo.path))
        assert state["latest_run_for_head"]["merge_status"] is None


async def test_an_id_of_two_runs_is_storage_corrupt(repo: GitRepo, home: Path) -> None:
    done = review(repo, "--quick", home=home)
    shutil.copytree(done.pack, done.pack.parent.with_name("copy") / done.pack.name)
    async with serving(home) as prview:
        error = await prview.fail("verdict", repo=str(repo.path), run_id=done.json["run_id"])
        assert error["error_class"] == "storage_corrupt"


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        ({"verdict": "ALLOW", "allow_merge": True}, ("PASS", True, False)),
        ({"verdict": "HOLD"}, ("CONDITIONAL", False, False)),
        ({"verdict": "PASS", "merge_recommendation": "block", "allow_merge": True}, ("BLOCK", False, True)),
        (
            {"verdict": "PASS", "merge_recommendation": "approve", "allow_merge": False},
            ("CONDITIONAL", False, True),
        ),
    ],
)
async def test_a_stored_gate_is_read_carefully(
    repo: GitRepo, home: Path, decision: dict[str, object], expected: tuple[str, bool, bool]
) -> None:
    """Legacy words are known, a contradiction is settled for the careful side and said."""
    done = review(repo, "--quick", home=home)
    (done.pack / GATE).write_text(json.dumps({"decision": decision, "checks": []}))
    async with serving(home) as prview:
        verdict = await prview.ask("verdict", repo=str(repo.path))
    contradicted = any(caveat.startswith("core_inconsistency") for caveat in verdict["caveats"])
    assert (verdict["verdict"], verdict["allow_merge"], contradicted) == expected


async def test_a_review_that_was_killed_never_reads_as_completed(repo: GitRepo, home: Path) -> None:
    done = review(repo, "--quick", home=home)
    (done.pack / "00_summary/SANITY.json").unlink()
    async with serving(home) as prview:
        verdict = await prview.ask("verdict", repo=str(repo.path))
        assert (verdict["status"], "verdict" in verdict) == ("failed", False)
