"""prview's tools over stdio: what hosts see of them, and the shapes of their answers, field by field."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from mcpkit.testing import check_tools
from support.prview_client import (
    GATE,
    SCHEMA_VERSION,
    serving,
    until_done,
)
from support.prview_project import CORE, project

if TYPE_CHECKING:
    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project whose branch `topic` adds a warning."""
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return repo


async def test_hosts_can_take_the_six_tools(home: Path) -> None:
    async with serving(home) as prview:
        check_tools(prview.tools.values())
        assert list(prview.tools) == ["health", "state", "run_review", "verdict", "findings", "read_artifact"]
        read_only = {name: tool.annotations.read_only_hint for name, tool in prview.tools.items()}
        assert [name for name, only in read_only.items() if not only] == ["run_review"]


async def test_health_tells_versions_and_the_tools_of_a_profile(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    async with serving(home) as prview:
        alone = await prview.ask("health")
        assert alone == {
            "version": "0.1.0",
            "protocol": SCHEMA_VERSION,
            "deps_global": {"git": True},
            "deps_repo": None,
            "schema_version": SCHEMA_VERSION,
        }
        here = await prview.ask("health", repo=str(repo.path))
        assert here["deps_repo"] == {
            "profile": "python",
            "tools": {"python": True, "ruff": True, "pytest": True},
        }
        empty = type(repo).create(tmp_path / "empty")
        assert (await prview.ask("health", repo=str(empty.path)))["deps_repo"] is None


async def test_state_knows_head_its_base_and_its_runs(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview:
        before = await prview.ask("state", repo=str(repo.path))
        assert set(before) == {
            "branch",
            "commit",
            "default_branch",
            "base_fallback",
            "base_caveats",
            "dirty",
            "files_changed",
            "latest_run_for_head",
            "latest_run_any",
            "schema_version",
        }
        assert (before["branch"], before["commit"], before["default_branch"]) == (
            "topic",
            repo.head[:7],
            "main",
        )
        assert (before["base_fallback"], len(before["base_caveats"])) == (True, 1)
        assert (before["dirty"], before["files_changed"]) == (False, 1)
        assert (before["latest_run_for_head"], before["latest_run_any"]) == (None, None)

        run = await prview.ask("run_review", repo=str(repo.path))
        repo.write("a.txt", "a\n").commit()
        after = await prview.ask("state", repo=str(repo.path))
        assert after["latest_run_for_head"] is None
        latest = after["latest_run_any"]
        assert latest.pop("generated_at")
        assert latest == {
            "run_id": run["run_id"],
            "commit": run["commit"],
            "status": "completed",
            "profile": None,
            "base_used": ["main"],
            "merge_status": "CONDITIONAL",
        }


async def test_a_quick_review_answers_with_everything(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview:
        result = await prview.ask("run_review", repo=str(repo.path))
        assert result.pop("caveats")
        pack = result["artifact_paths"].pop("pack")
        assert Path(pack).is_absolute()
        assert await anyio.Path(pack, GATE).is_file()
        gates = {gate["id"]: gate for gate in result.pop("gates")}
        assert gates["ruff"] == {
            "id": "ruff",
            "status": "FAIL",
            "reason": "1 introduced, 0 preexisting",
            "evidence": "20_quality/ruff.result.json",
        }
        assert (gates["pytest"]["status"], gates["pytest"]["reason"]) == (
            "SKIPPED",
            "left out by the quick profile",
        )
        passed = sum(gate["status"] == "PASS" for gate in gates.values())
        assert gates["conflict_markers"]["status"] == "PASS"
        run_id = result.pop("run_id")
        assert run_id.endswith(f"-{repo.head[:7]}")
        assert result == {
            "status": "completed",
            "commit": repo.head[:7],
            "base_used": ["main"],
            "base_fallback": True,
            "verdict": "CONDITIONAL",
            "merge_recommendation": "review_required",
            "allow_merge": False,
            "blocking_issues": [],
            "artifact_paths": {
                "merge_gate": GATE,
                "sarif": "30_context/INLINE_FINDINGS.sarif",
                "report": "report.json",
            },
            "stats": {"checks_passed": passed, "checks_failed": 1, "files_changed": 1},
            "schema_version": SCHEMA_VERSION,
        }
        verdict = await prview.ask("verdict", repo=str(repo.path))
        assert set(verdict) == {
            "run_id",
            "commit",
            "status",
            "base_used",
            "merge_recommendation",
            "allow_merge",
            "verdict",
            "blocking_issues",
            "caveats",
            "gates",
            "generated_at",
            "schema_version",
        }
        assert (verdict["run_id"], verdict["verdict"]) == (run_id, "CONDITIONAL")


async def test_a_deep_review_runs_in_the_background_until_its_verdict(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview:
        started = await prview.ask("run_review", repo=str(repo.path), profile="deep", base="main")
        assert started.pop("run_id")
        assert started == {
            "status": "running",
            "commit": repo.head[:7],
            "base_used": ["main"],
            "base_fallback": False,
            "caveats": [],
            "schema_version": SCHEMA_VERSION,
        }
        done = await until_done(prview, repo)
        gates = {gate["id"]: gate["status"] for gate in done["gates"]}
        assert (done["status"], gates["pytest"]) == ("completed", "PASS")


async def test_a_deep_review_outlives_its_server(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview:
        await prview.ask("run_review", repo=str(repo.path), profile="deep")
    async with serving(home) as prview:
        assert (await until_done(prview, repo))["status"] == "completed"
