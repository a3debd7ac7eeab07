"""`codevetter-verify-mcp` over stdio: one tool for one enabled repository, and receipts that are the stored ones."""

from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.canonical import canonical_json, sha256_hex
from mcpkit.testing import RawServer, check_failure, check_success, check_tools, connect
from support.codevetter import Bench, bench
from support.preview_site import Answer, Logged, PreviewSite, document
from support.processes import wait_until
from support.repos import GitRepo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio
TOOL = "verify_change_preview"
CLOSED_PORT = "http://127.0.0.1:9/"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Bench]:
    made = bench(tmp_path)
    yield made
    made.assert_no_browser()


@pytest.fixture
def repo_id(machine: Bench) -> str:
    return machine.enable()


@pytest.fixture
def site(machine: Bench) -> Iterator[PreviewSite]:
    with PreviewSite(revision=machine.repo.resolve("feature")) as running:
        yield running


def change(preview: str, **source: str) -> dict[str, Any]:
    return {"source": {"kind": "range", "value": "main..feature", **source}, "preview_url": preview}


def raw_server(machine: Bench, repo_id: str) -> RawServer:
    return RawServer(machine.server(repo_id), env=machine.env)


async def test_the_server_offers_exactly_one_tool_with_the_contracts_closed_input(
    machine: Bench, repo_id: str
) -> None:
    async with connect(machine.server(repo_id), env=machine.env) as client:
        tools = (await client.list_tools()).tools
    check_tools(tools)
    (tool,) = tools
    hints = tool.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
        False,
        False,
        False,
        True,
    )
    assert "local verification execution" in (tool.description or "").lower()
    schema = tool.input_schema
    assert set(schema["properties"]) == set(schema["required"]) == {"source", "preview_url"}
    assert schema["properties"]["source"]["properties"]["kind"]["enum"] == ["pull_request", "range"]
    assert schema["properties"]["source"]["additionalProperties"] is False


@pytest.mark.browser
async def test_the_tools_receipt_is_the_stored_one_and_the_commands(
    machine: Bench, repo_id: str, site: PreviewSite
) -> None:
    told: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with connect(machine.server(repo_id), env=machine.env) as client:
        tool = (await client.list_tools()).tools[0]
        result = await client.call_tool(TOOL, change(site.url), progress_callback=progress)
    receipt = check_success(result, tool)
    assert (receipt["verdict"], receipt["preview"]["status"]) == ("passed_with_limits", "verified")
    canonical = canonical_json(receipt)
    assert canonical_json(machine.json("receipts", "show", receipt["run_id"])) == canonical
    assert machine.run("receipts", "export", receipt["run_id"]).stdout.strip().encode() == canonical
    with closing(sqlite3.connect(machine.folder / "home" / "codevetter.sqlite3")) as connection:
        (stored,) = connection.execute("SELECT document, sha256 FROM receipts").fetchall()
    assert stored == (canonical, sha256_hex(canonical))
    assert "identifying the preview" in told
    assert any("visited /about" in (message or "") for message in told)


async def test_a_source_that_arrives_as_json_text_is_taken(machine: Bench, repo_id: str) -> None:
    arguments = change(CLOSED_PORT)
    arguments["source"] = json.dumps(arguments["source"])
    async with connect(machine.server(repo_id), env=machine.env) as client:
        tool = (await client.list_tools()).tools[0]
        assert (
            check_success(await client.call_tool(TOOL, arguments), tool)["source"]["input"] == "main..feature"
        )


async def test_a_repository_that_nobody_enabled_has_no_server(machine: Bench) -> None:
    with raw_server(machine, "repo-0000000000000000") as server:
        code, _ = server.wait()
        assert code == 2
        assert "codevetter verify enable" in server.log


async def test_a_repository_that_was_replaced_is_not_the_enabled_one(
    machine: Bench, repo_id: str, tmp_path: Path
) -> None:
    async with connect(machine.server(repo_id), env=machine.env) as client:
        machine.repo.path.rename(tmp_path / "moved")
        GitRepo.create(machine.repo.path)
        body = check_failure(await client.call_tool(TOOL, change(CLOSED_PORT)))
    assert body["error_class"] == "revoked"


async def test_only_the_owners_hosts_are_visited(machine: Bench, site: PreviewSite) -> None:
    enabled = machine.json(
        "verify", "enable", "--repo", str(machine.repo.path), "--preview-host", "*.widget.example"
    )
    async with connect(machine.server(enabled["repo_id"]), env=machine.env) as client:
        body = check_failure(await client.call_tool(TOOL, change(site.url)))
    assert body["error_class"] == "invalid_input"
    assert site.log == []


# --- a run under way ---------------------------------------------------------------------------------------------


def hangs_for_browsers(request: Logged) -> Answer:
    """Answer the probe, and keep a browser waiting: the run is under way for as long as the test needs."""
    if "preview probe" in request.headers["user-agent"]:
        return Answer(document("<h1>Widget</h1>"))
    return Answer(hangs=True)


def browser_request(site: PreviewSite) -> None:
    """Wait until a browser asks."""
    wait_until(
        lambda: any("preview probe" not in r.headers.get("user-agent", "") for r in site.log), bound_s=30
    )


@pytest.fixture
def under_way(machine: Bench, repo_id: str, site: PreviewSite) -> Iterator[tuple[RawServer, int]]:
    """A server in whose browser a call waits for the site, and the id of that call."""
    site.answer("/", hangs_for_browsers)
    with raw_server(machine, repo_id) as server:
        server.handshake()
        call = server.begin("tools/call", {"name": TOOL, "arguments": change(site.url)})
        browser_request(site)
        assert machine.browsers()
        yield server, call


def last_causes(machine: Bench) -> list[str]:
    (line,) = machine.json("receipts", "list")["receipts"]
    causes: list[str] = machine.json("receipts", "show", line["run_id"])["causes"]
    return causes


@pytest.mark.browser
def test_cancelling_the_call_ends_the_browser_and_records_it(
    machine: Bench, under_way: tuple[RawServer, int]
) -> None:
    server, call = under_way
    server.cancel(call)
    wait_until(lambda: machine.browsers() == [], bound_s=4)
    wait_until(lambda: machine.json("receipts", "list")["receipts"] != [], bound_s=20)
    assert last_causes(machine) == ["cancelled"]


@pytest.mark.browser
@pytest.mark.parametrize("how", ["eof", "sigterm"])
def test_the_end_of_the_host_ends_the_browser(
    machine: Bench, under_way: tuple[RawServer, int], how: str
) -> None:
    server, _ = under_way
    if how == "eof":
        server.close_stdin()
    else:
        server.process.send_signal(signal.SIGTERM)
    code, seconds = server.wait()
    assert code == 0, server.log
    assert seconds < 10
    machine.assert_no_browser()
    assert last_causes(machine) == ["cancelled"]


@pytest.mark.browser
def test_a_killed_server_leaves_nothing_to_the_next_one(
    machine: Bench, under_way: tuple[RawServer, int], repo_id: str
) -> None:
    server, _ = under_way
    server.process.kill()
    server.process.wait(10)
    with raw_server(machine, repo_id) as following:
        following.handshake()
        machine.assert_no_browser()
        listed = machine.json("receipts", "list")["receipts"]
        assert [machine.json("receipts", "show", line["run_id"])["causes"] for line in listed] == [
            ["interrupted"]
        ]
        result = following.call(TOOL, change(CLOSED_PORT))
        assert result["structuredContent"]["causes"] == ["preview_unreachable"]


@pytest.mark.browser
def test_a_second_call_anywhere_is_told_which_run_is_under_way(
    machine: Bench, under_way: tuple[RawServer, int], repo_id: str, site: PreviewSite
) -> None:
    server, _ = under_way
    with raw_server(machine, repo_id) as other:
        other.handshake()
        for asked in (server, other):
            body = check_failure(asked.call(TOOL, change(site.url)))
            assert body["error_class"] == "run_in_progress"
            assert str(body["active_run_id"]).startswith("trex-preview-")
            assert 1000 <= int(str(body["retry_after_ms"])) <= 15_000
            assert body["same_request"] is True
            assert "for the same source and preview" in str(body["message"])
        assert check_failure(other.call(TOOL, change(CLOSED_PORT)))["same_request"] is False


@pytest.mark.browser
def test_disabling_ends_a_running_run_with_a_receipt_within_two_seconds(
    machine: Bench, under_way: tuple[RawServer, int]
) -> None:
    server, call = under_way
    machine.run("verify", "disable", "--repo", str(machine.repo.path))
    wait_until(lambda: machine.browsers() == [], bound_s=3)
    receipt = server.answer(call)["result"]["structuredContent"]
    assert (receipt["verdict"], receipt["causes"]) == ("no_confidence", ["revoked"])
    assert machine.json("receipts", "show", receipt["run_id"]) == receipt


def test_nothing_but_frames_comes_out_of_stdout(machine: Bench, repo_id: str) -> None:
    with raw_server(machine, repo_id) as server:
        server.handshake()
        server.call(TOOL, change(CLOSED_PORT))
        assert {frame["jsonrpc"] for frame in server.frames} == {"2.0"}
