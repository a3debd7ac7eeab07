"""Files of a run: text, by lines, and nothing from outside whatever the path says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from oskit.process import ProcessIdentity
from prview.errors import ArtifactMissingError, RunNotFoundError, StaleRunError
from support.prview_served import WIRE_LIMIT, Served, served, wire_size

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
SECRET = "not for anybody"
DEAD = "1@no-such-boot:1"


@pytest.fixture
def run(tmp_path: Path) -> Served:
    """A completed run, and a file beside everything that must stay unknown."""
    (tmp_path / "secret").write_text(SECRET)
    return served(tmp_path)


async def whole(run: Served, artifact: str, *, limit: int = 5000) -> str:
    """All pages joined, each of a size that hosts take."""
    content, cursor = "", None
    while True:
        page = await run.read(artifact, limit=limit, cursor=cursor)
        assert wire_size(page) <= WIRE_LIMIT
        content += page.content
        cursor = page.next_cursor
        if cursor is None:
            return content


async def test_every_way_out_of_the_run_reads_as_missing_and_says_the_same(
    run: Served, tmp_path: Path
) -> None:
    pack, secret = run.pack, tmp_path / "secret"
    (pack / "link").symlink_to(secret)
    (pack / "relative").symlink_to("../../../../../secret")
    (pack / "chain").symlink_to("link")
    (pack / "folder").symlink_to(tmp_path, target_is_directory=True)
    (pack / "loop").symlink_to("loop")
    (pack / "dangling").symlink_to("nowhere")
    os.mkfifo(pack / "pipe")
    ways = [
        "link",
        "relative",
        "chain",
        "folder/secret",
        "loop",
        "dangling",
        "pipe",
        str(secret),
        "00_summary",
    ]
    ways += [
        "../../../../../secret",
        "10_diff/../../x",
        "",
        ".",
        "/",
        "a\0b",
        "run.log\0",
        "x" * 5000,
        "\ud800",
    ]
    ways += [f"../{run.run_id}/report.json", f"../{run.run_id}/run.log"]
    for way in ways:
        with pytest.raises(ArtifactMissingError) as told:
            await run.read(way)
        assert told.value.message == f"no readable text artifact {way!r} in the run {run.run_id}"
        assert SECRET not in str(told.value.hint)


async def test_a_link_that_stays_inside_is_read(run: Served) -> None:
    (run.pack / "10_diff/inside").symlink_to("../report.json")
    assert await whole(run, "10_diff/inside") == (run.pack / "report.json").read_text()


async def test_a_log_that_links_outside_is_missing(run: Served, tmp_path: Path) -> None:
    (run.pack / "run.log").unlink()
    (run.pack / "run.log").symlink_to(tmp_path / "secret")
    with pytest.raises(ArtifactMissingError):
        await run.read("run.log")


@pytest.mark.parametrize("line", ["x" * 300_000, "漢" * 60_000, "\x01" * 30_000])
async def test_a_line_of_any_length_comes_in_pieces_that_join(run: Served, line: str) -> None:
    text = f"first\n{line}\nlast\n"
    (run.pack / "huge.txt").write_text(text)
    assert await whole(run, "huge.txt") == text
    assert (await run.read("huge.txt")).total_lines == 3


async def test_a_limit_is_brought_between_1_and_5000_and_is_200_when_none_is_given(run: Served) -> None:
    (run.pack / "lines.txt").write_text("\n" * 6000)
    counts = [(await run.read("lines.txt", limit=limit)).content.count("\n") for limit in (-1, 0, 3)]
    assert counts == [1, 1, 3]
    assert (await run.read("lines.txt")).content.count("\n") == 200
    for limit in (5000, 5001, 10**9):
        assert (await run.read("lines.txt", limit=limit)).content.count("\n") == 5000


async def test_what_is_not_utf_8_is_missing_unless_it_is_a_log(run: Served) -> None:
    (run.pack / "binary.txt").write_bytes(b"a\xff\n")
    with pytest.raises(ArtifactMissingError):
        await run.read("binary.txt")
    (run.pack / "run.stderr.log").write_bytes(b"a tool said \xff\n")
    assert (await run.read("run.stderr.log")).content == "a tool said \ufffd\n"


@pytest.mark.parametrize("end", ["failed", "stale", "half-written"])
async def test_only_the_logs_of_a_run_without_a_pack_are_read(run: Served, end: str) -> None:
    folder = run.pack
    if end == "half-written":
        (folder / "00_summary/SANITY.json").unlink()
    else:
        folder = folder.rename(run.branch.partial(run.run_id))
    if end == "stale":
        process = ProcessIdentity.parse(DEAD)
        marker = (
            f'{{"run_id": "{run.run_id}", "process": "{process}", "pid": 1, "commit": "{run.repo.head}", '
            '"branch": "main", "base_used": ["main"], "profile": "deep", "started_at": "2026-01-02T03:04:05.000Z"}'
        )
        (folder / "RUNNING.json").write_text(marker)
    for log in ("run.log", "run.stderr.log"):
        (folder / log).write_text(f"the end of {log}\n")
        for name in (log, f"./{log}"):
            assert (await run.read(name)).content == f"the end of {log}\n"
    for name in ("report.json", "00_summary/MERGE_GATE.json", "nothing"):
        with pytest.raises(StaleRunError) as told:
            await run.read(name)
        assert "retry_after_ms" not in told.value.details
        assert run.run_id in str(told.value.hint)
    answer = await run.verdict()
    assert answer.status == ("stale" if end == "stale" else "failed")
    assert answer.verdict is None
    assert answer.base_used == (["main"] if end == "stale" else [])


async def test_a_run_of_another_repository_is_not_found(run: Served) -> None:
    with pytest.raises(RunNotFoundError):
        await run.read("run.log", run_id="20200101-000000-abcdef0")


async def test_an_older_id_without_a_commit_is_readable(run: Served) -> None:
    old = "20250101-120000"
    run.pack.rename(run.branch.published(old))
    assert (await run.verdict(old)).status == "completed"
    assert (await run.findings(run_id=old)).total == 0
    assert (await run.read("report.json", run_id=old)).content


async def test_a_pack_whose_record_is_damaged_keeps_its_verdict(run: Served) -> None:
    (run.pack / "00_summary/RUN.json").write_text("{")
    answer = await run.verdict()
    assert (answer.status, answer.commit, answer.base_used) == ("completed", run.repo.head[:7], [])
    assert answer.verdict == "CONDITIONAL"
