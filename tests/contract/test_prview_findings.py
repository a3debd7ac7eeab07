"""findings and read_artifact over stdio: order, filters, pages, and nothing from outside of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.prview_client import (
    serving,
)
from support.prview_project import CORE, project, review

if TYPE_CHECKING:
    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project whose branch `topic` adds a warning."""
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return repo


@pytest.fixture
def noisy(repo: GitRepo) -> GitRepo:
    """The project with findings of three levels in three files: ten of ruff, and no test for any of them."""
    for name in ("a", "b", "c"):
        repo.write(f"src/pkg/{name}.py", "import os\nimport sys\n\n\ndef f():\n    return nowhere\n")
    repo.write(
        "ruff.toml", 'lint.select = ["F"]\n'
    ).commit()  # what ruff selects by itself changes between versions
    return repo


async def test_findings_come_in_order_filtered_and_paged(noisy: GitRepo, home: Path) -> None:
    where = str(noisy.path)
    async with serving(home) as prview:
        await prview.ask("run_review", repo=where)
        whole = await prview.ask("findings", repo=where)
        assert (whole["total"], whole["next_cursor"]) == (13, None)
        assert whole["items"][0] == {
            "file": "src/pkg/a.py",
            "line": 1,
            "severity": "warning",
            "rule": "ruff/F401",
            "message": "`os` imported but unused",
            "artifact_ref": "30_context/INLINE_FINDINGS.sarif",
        }
        keys = [(item["file"], item["line"], item["rule"]) for item in whole["items"]]
        assert keys == sorted(keys)
        errors = await prview.ask("findings", repo=where, severity="ERROR")
        assert {(item["rule"], item["severity"]) for item in errors["items"]} == {("ruff/F821", "error")}
        below = await prview.ask("findings", repo=where, path="src/pkg/b")
        assert {item["file"] for item in below["items"]} == {"src/pkg/b.py"}
        pages, cursor = [], None
        while True:
            page = await prview.ask("findings", repo=where, limit=4, cursor=cursor)
            pages.append(page["items"])
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert [len(page) for page in pages] == [4, 4, 4, 1]
        assert [item for page in pages for item in page] == whole["items"]
        assert len((await prview.ask("findings", repo=where, limit=0))["items"]) == 1
        assert (await prview.ask("findings", repo=where, limit=99999))["total"] == 13
        foreign = await prview.fail("findings", repo=where, cursor="bm9uc2Vuc2U")
        assert foreign["error_class"] == "invalid_cursor"


async def test_a_run_without_a_sarif_file_has_no_findings_and_a_broken_one_is_an_error(
    repo: GitRepo, home: Path
) -> None:
    async with serving(home) as prview:
        run = await prview.ask("run_review", repo=str(repo.path))
        pack = Path(run["artifact_paths"]["pack"])
        sarif = pack / "30_context/INLINE_FINDINGS.sarif"
        sarif.write_text('{"runs": [{}]}')
        broken = await prview.fail("findings", repo=str(repo.path))
        assert broken["error_class"] == "storage_corrupt"
        sarif.unlink()
        empty = await prview.ask("findings", repo=str(repo.path))
        assert (empty["items"], empty["total"], empty["next_cursor"]) == ([], 0, None)


async def test_an_artifact_is_paged_by_lines_to_its_last_byte(repo: GitRepo, home: Path) -> None:
    done = review(repo, "--quick", home=home)
    run_id, where = done.json["run_id"], str(repo.path)
    text = (done.pack / "report.json").read_text()
    async with serving(home) as prview:
        content, cursor = "", None
        while True:
            page = await prview.ask(
                "read_artifact", repo=where, run_id=run_id, artifact="report.json", limit=20, cursor=cursor
            )
            assert page["total_lines"] == len(text.splitlines())
            content += page["content"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert content == text


@pytest.mark.parametrize(
    "artifact",
    [
        "nothing.json",
        "../../../secret",
        "/etc/passwd",
        "00_summary",
        "",
        ".",
        "link",
        "10_diff/../../x",
        "binary",
        "a\0b",
    ],
)
async def test_what_is_not_a_text_of_the_run_is_missing(repo: GitRepo, home: Path, artifact: str) -> None:
    done = review(repo, "--quick", home=home)
    (done.pack / "link").symlink_to("/etc/hostname")
    (done.pack / "binary").write_bytes(b"\xff\xfe")
    async with serving(home) as prview:
        error = await prview.fail(
            "read_artifact", repo=str(repo.path), run_id=done.json["run_id"], artifact=artifact
        )
        assert error["error_class"] == "artifact_missing"
