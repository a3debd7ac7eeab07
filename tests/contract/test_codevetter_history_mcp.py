"""`codevetter-mcp` over stdio: it reads, it executes nothing, and it works where nothing could be executed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.testing import RawServer, check_failure, check_success, check_tools, connect
from support.codevetter import SCRIPTS, Bench, bench

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
TOOLS = ["receipts_list", "receipt_get", "history_log", "change_paths"]
CLOSED_PORT = "http://127.0.0.1:9/"
UNIMPORTABLE = """
import sys

class _Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"playwright", "httpx"}:
            raise ModuleNotFoundError(name)
        if name in {"codevetter_verify.trex", "codevetter_verify.projection", "codevetter_verify.wiring"}:
            raise ModuleNotFoundError(name)
        if name.startswith("codevetter_verify.browser"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, _Gone())
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A repository with one receipt, whose history may be read and which may not be verified by agents."""
    made = bench(tmp_path_factory.mktemp("history"))
    assert made.run(*made.trex(CLOSED_PORT)[1:]).returncode == 2
    return made


@pytest.fixture(scope="module")
def repo_id(machine: Bench) -> str:
    return str(machine.json("history", "enable", "--repo", str(machine.repo.path))["repo_id"])


@pytest.fixture(scope="module")
def crippled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which nothing that visits can be imported."""
    folder = tmp_path_factory.mktemp("crippled")
    (folder / "sitecustomize.py").write_text(UNIMPORTABLE)
    return {"PYTHONPATH": str(folder)}


def server(repo_id: str) -> list[str]:
    return [str(SCRIPTS / "codevetter-mcp"), "--repo-id", repo_id]


async def test_it_offers_four_tools_that_read_and_none_that_executes(machine: Bench, repo_id: str) -> None:
    async with connect(server(repo_id), env=machine.env) as client:
        tools = (await client.list_tools()).tools
    check_tools(tools)
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint, hints.open_world_hint) == (True, False, False)
        assert not set(tool.input_schema["properties"]) & {"preview_url", "source", "url", "command", "repo"}


async def test_it_answers_every_tool_with_the_browser_and_the_visit_unimportable(
    machine: Bench, repo_id: str, crippled: dict[str, str]
) -> None:
    refused = machine.run("trex", "--range", "a..b", "--preview", CLOSED_PORT, **crippled)
    assert refused.returncode == 2
    assert "ModuleNotFoundError" in refused.stderr  # so the environment is what it is meant to be
    async with connect(server(repo_id), env={**machine.env, **crippled}) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

        async def ask(name: str, **arguments: object) -> dict[str, Any]:
            return check_success(await client.call_tool(name, arguments), tools[name])

        (line,) = (await ask("receipts_list"))["receipts"]
        got = await ask("receipt_get", run_id=line["run_id"])
        assert got["receipt"]["causes"] == ["preview_unreachable"]
        assert got["receipt"]["repo_path"] == "<repository>"
        assert len((await ask("history_log"))["commits"]) == 2
        assert (await ask("change_paths", range="main..feature"))["run_id"] == line["run_id"]


def test_neither_permission_is_the_other(machine: Bench, repo_id: str, tmp_path: Path) -> None:
    with RawServer(machine.server(repo_id), env=machine.env) as execution:
        assert execution.wait()[0] == 2
        assert "verification is not enabled" in execution.log
    (tmp_path / "tmp").mkdir()
    other = Bench(machine.repo, tmp_path)
    verified_only = other.enable()
    with RawServer(server(verified_only), env=other.env) as reading:
        assert reading.wait()[0] == 2
        assert "codevetter history enable" in reading.log


async def test_disabling_ends_a_server_that_runs_already(machine: Bench, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    other = Bench(machine.repo, tmp_path)
    there = str(machine.repo.path)
    repo_id = other.json("history", "enable", "--repo", there)["repo_id"]
    async with connect(server(repo_id), env=other.env) as client:
        assert other.run("history", "disable", "--repo", there).returncode == 0
        body = check_failure(await client.call_tool("history_log", {}))
    assert (body["error_class"], body["schema_version"]) == ("revoked", "codevetter.history.v1")
    assert there not in str(body["message"])


def test_the_printed_entry_starts_this_server_and_not_the_other(machine: Bench, repo_id: str) -> None:
    printed = machine.run("history", "config", "--repo", str(machine.repo.path), "--host", "claude")
    assert "codevetter-mcp" in printed.stdout
    assert "codevetter-verify-mcp" not in printed.stdout
    assert repo_id in printed.stdout
    assert sys.executable.rpartition("/")[0] in printed.stdout
