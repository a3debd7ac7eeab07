"""Pages of findings: in order, whole when joined, bounded in items and bytes, never a page of something else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.errors import InvalidArgumentsError, InvalidCursorError
from prview.domain.gate import SARIF_PATH
from support.prview_served import WIRE_LIMIT, Served, served, wire_size

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(tmp_path: Path) -> Served:
    """A run whose SARIF file the tests write."""
    return served(tmp_path)


def write(run: Served, *results: tuple[str, int, str, str, str]) -> None:
    """File, line, rule, level and message of every result."""
    log = [
        {
            "ruleId": rule,
            "level": level,
            "message": {"text": message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": file},
                        "region": {"startLine": line},
                    }
                }
            ],
        }
        for file, line, rule, level, message in results
    ]
    (run.pack / SARIF_PATH).write_text(json.dumps({"runs": [{"results": log}]}))


def many(count: int, *, message: str = "m") -> list[tuple[str, int, str, str, str]]:
    """Out of order, in a dozen files, at three levels."""
    levels = ("error", "warning", "note")
    return [
        (f"src/f{number * 7 % 12}.py", number * 31 % count, f"r{number % 5}", levels[number % 3], message)
        for number in range(count)
    ]


async def pages(run: Served, **arguments: Any) -> list[Any]:
    """All pages of one call, each of a size that hosts take."""
    found, cursor = [], None
    while True:
        page = await run.findings(cursor=cursor, **arguments)
        assert wire_size(page) <= WIRE_LIMIT
        found.append(page)
        cursor = page.next_cursor
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 7, 1000])
async def test_joined_pages_are_every_finding_by_file_line_and_rule(run: Served, limit: int) -> None:
    write(run, *many(40))
    found = await pages(run, limit=limit)
    keys = [(item.file, item.line, item.rule) for page in found for item in page.items]
    assert keys == sorted((file, line, rule) for file, line, rule, _, _ in many(40))
    assert {page.total for page in found} == {40}
    assert all(len(page.items) <= limit for page in found)


async def test_a_limit_is_brought_between_1_and_1000_and_is_100_when_none_is_given(run: Served) -> None:
    write(run, *(("a", number, "r", "note", "") for number in range(1, 1500)))
    assert [len((await run.findings(limit=limit)).items) for limit in (-9, 0, 1, 2)] == [1, 1, 1, 2]
    assert len((await run.findings()).items) == 100
    most = (await run.findings(limit=1000)).items
    for limit in (1001, 10**9):
        assert (await run.findings(limit=limit)).items == most


@pytest.mark.parametrize("character", ["x", "\x01", "\\", '"', "é", "漢", "🎉", "\u202e"])
async def test_a_page_fits_whatever_messages_are_made_of(run: Served, character: str) -> None:
    write(run, *many(12, message=character * 20_000))
    found = await pages(run, limit=1000)
    assert sum(len(page.items) for page in found) == 12


async def test_severity_is_matched_without_case_and_path_as_a_beginning(run: Served) -> None:
    write(run, *many(90))
    errors = await run.findings(severity="ERRor", limit=1000)
    assert (errors.total, {item.severity for item in errors.items}) == (30, {"error"})
    below = await run.findings(path="src/f1", limit=1000)
    assert sorted({item.file for item in below.items}) == ["src/f1.py", "src/f10.py", "src/f11.py"]
    for spelled in ("./src/f1", f"{run.repo.path}/src/f1"):
        assert (await run.findings(path=spelled, limit=1000)).items == below.items
    both = await run.findings(severity="error", path="src/f3.py", limit=1000)
    assert {(item.severity, item.file) for item in both.items} == {("error", "src/f3.py")}


@pytest.mark.parametrize("severity", ["fatal", "critical", "high"])
async def test_a_severity_that_is_no_level_is_refused_and_not_answered_with_nothing(
    run: Served, severity: str
) -> None:
    """No findings would look like a clean run."""
    write(run, *many(3))
    with pytest.raises(InvalidArgumentsError, match="is no SARIF level") as caught:
        await run.findings(severity=severity)
    assert caught.value.hint == "give one of: error, warning, note"
    assert (await run.findings(severity="")).total == 3  # some hosts send it for what was not given


async def test_a_cursor_of_other_arguments_or_of_other_findings_is_refused(run: Served) -> None:
    write(run, *many(50))
    cursor = (await run.findings(limit=5, severity="note")).next_cursor
    assert (await run.findings(limit=9, severity="note", cursor=cursor)).total == 16  # another limit is fine
    for other in ({}, {"severity": "error"}, {"severity": "note", "path": "src"}):
        with pytest.raises(InvalidCursorError):
            await run.findings(cursor=cursor, **other)
    write(run, *many(51))
    with pytest.raises(InvalidCursorError):
        await run.findings(limit=5, severity="note", cursor=cursor)
