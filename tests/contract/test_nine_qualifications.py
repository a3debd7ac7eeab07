"""The nine things that the contract wants proved before a verification server ships, in its order and its words.

One machine, one site and one real visit serve them all. `nox -s wheels` runs this module against the installed
wheels, without this checkout and without a desktop.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.canonical import canonical_json, sha256_hex
from mcpkit.testing import RawServer, check_failure, check_success
from support.codevetter import SCRIPTS, Bench, bench
from support.preview_site import PreviewSite
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.repos import FileState

TOOL = "verify_change_preview"
CLOSED_PORT = "http://127.0.0.1:9/"
DESKTOP = {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A repository with work in progress, and a machine without a desktop."""
    with pytest.MonkeyPatch.context() as patch:
        for name in DESKTOP & os.environ.keys():
            patch.delenv(name)
        made = bench(tmp_path_factory.mktemp("nine"))
        made.repo.write("uncommitted.txt", "work in progress")
        yield made
    made.assert_no_browser()


@pytest.fixture(scope="module")
def repo_id(machine: Bench) -> str:
    return machine.enable()


@pytest.fixture(scope="module")
def site(machine: Bench) -> Iterator[PreviewSite]:
    with PreviewSite(revision=machine.repo.resolve("feature")) as running:
        yield running


@pytest.fixture(scope="module")
def server(machine: Bench, repo_id: str) -> Iterator[RawServer]:
    """Started from another repository's folder, by somebody whose environment points at that one."""
    elsewhere = GitRepo.create(machine.folder / "elsewhere").path
    misleading = {"GIT_DIR": str(elsewhere / ".git"), "GIT_WORK_TREE": str(elsewhere), "PWD": str(elsewhere)}
    with RawServer(machine.server(repo_id), env={**machine.env, **misleading}) as raw:
        raw.handshake()
        yield raw


@pytest.fixture(scope="module")
def tool(server: RawServer) -> dict[str, Any]:
    (offered,) = server.answer(server.begin("tools/list", {}))["result"]["tools"]
    made: dict[str, Any] = offered
    return made


@dataclass(frozen=True)
class Visited:
    """A completed verification, and the checkout before it and after."""

    receipt: dict[str, Any]
    before: dict[str, FileState]
    after: dict[str, FileState]


@pytest.fixture(scope="module")
def visited(machine: Bench, server: RawServer, tool: dict[str, Any], site: PreviewSite) -> Visited:
    before = snapshot(machine.repo.path)
    receipt = check_success(server.call(TOOL, change(site.url)), tool)
    return Visited(receipt, before, snapshot(machine.repo.path))


def change(preview: object, **source: object) -> dict[str, Any]:
    return {"source": {"kind": "range", "value": "main..feature", **source}, "preview_url": preview}


PULL = "https://github.com/acme/widget/pull/42"
AMBIGUOUS: list[dict[str, Any]] = [
    {},
    {"preview_url": CLOSED_PORT},
    {**change(CLOSED_PORT), "source": [change(CLOSED_PORT)["source"]]},
    {**change(CLOSED_PORT), "source": PULL},
    {**change(CLOSED_PORT), "second_source": change(CLOSED_PORT)["source"]},
    {**change(CLOSED_PORT), "headers": {"x": "y"}},
    {**change(CLOSED_PORT), "cookies": "a=b"},
    {**change(CLOSED_PORT), "route": "/admin"},
    {**change(CLOSED_PORT), "command": "npm test"},
    {**change(CLOSED_PORT), "prompt": "click everything"},
    change([CLOSED_PORT]),
    change(CLOSED_PORT, extra="x"),
    change(CLOSED_PORT, kind="branch"),
    change(CLOSED_PORT, value=["main..feature"]),
    change(CLOSED_PORT, value="main"),
    change(CLOSED_PORT, value="main..feature..other"),
    change(CLOSED_PORT, value="--upload-pack=x..feature"),
    change(CLOSED_PORT, value=PULL),
    change(CLOSED_PORT, kind="pull_request"),
    change(CLOSED_PORT, kind="pull_request", value=f"{PULL}/files"),
    change(CLOSED_PORT, kind="pull_request", value=PULL.replace("github.com", "gitlab.com")),
]


def test_1_the_tool_schema_rejects_unknown_fields_and_ambiguous_source_selectors(
    machine: Bench, server: RawServer
) -> None:
    """Before anything runs; that it was tried is noted, without what was said."""
    before = machine.json("receipts", "list")
    bodies = [check_failure(server.call(TOOL, arguments)) for arguments in AMBIGUOUS]
    assert {body["error_class"] for body in bodies} == {"invalid_input"}
    assert {body["schema_version"] for body in bodies} == {"codevetter.verify.v1"}
    assert '{"source": {"kind": "range", "value": "main..HEAD"}}' in str(bodies[1]["message"])
    assert machine.json("receipts", "list") == before
    noted = machine.json("audit", "list", "--limit", "1000")["entries"]
    refused = [entry for entry in noted if entry["status"] == "invalid_arguments"]
    assert len(refused) >= len(AMBIGUOUS)
    assert all(entry["request_bytes"] > 0 for entry in refused)
    assert "click everything" not in str(noted)


@pytest.mark.browser
def test_2_repository_scope_cannot_be_changed_by_tool_input(
    machine: Bench, server: RawServer, visited: Visited
) -> None:
    """Nor by where the server was started, or by what its environment tells git."""
    elsewhere = str(machine.folder / "elsewhere")
    for name in ("repo", "repo_path", "repo_id", "cwd", "scope", "path"):
        body = check_failure(server.call(TOOL, {**change(CLOSED_PORT), name: elsewhere}))
        assert body["error_class"] == "invalid_input"
        assert f"`{name}` is not an argument" in str(body["message"])
    assert visited.receipt["repo_path"] == str(machine.repo.path)
    assert visited.receipt["source"]["head_sha"] == machine.repo.resolve("feature")


@pytest.mark.browser
def test_3_the_target_checkout_remains_unchanged(visited: Visited) -> None:
    """Byte for byte, the index, reflogs and configuration too, and what was not committed."""
    assert visited.after == visited.before
    assert {".git/index", ".git/config", "uncommitted.txt"} <= set(map(str, visited.before))


def test_4_preview_credentials_and_other_schemes_fail_before_execution(
    machine: Bench, server: RawServer, site: PreviewSite
) -> None:
    before, asked = machine.json("receipts", "list"), len(site.log)
    place = site.url.removeprefix("http://")
    for preview in (
        f"http://user:secret-4711@{place}",
        f"http://token-4711@{place}",
        f"ftp://{place}",
        f"file:///{place}",
        f"ws://{place}",
        "javascript:alert(1)",
        "data:text/html,x",
        f"//{place}",
    ):
        body = check_failure(server.call(TOOL, change(preview)))
        assert body["error_class"] == "invalid_input"
        assert "4711" not in str(body)
    assert len(site.log) == asked
    assert machine.json("receipts", "list") == before


@pytest.mark.browser
def test_5_completed_results_round_trip_through_the_canonical_receipt(
    machine: Bench, visited: Visited
) -> None:
    """The same bytes over MCP, in the store, and from the command line, and the digest is of them."""
    receipt = visited.receipt
    assert (receipt["verdict"], receipt["preview"]["status"]) == ("passed_with_limits", "verified")
    canonical = canonical_json(receipt)
    assert canonical_json(machine.json("receipts", "show", receipt["run_id"])) == canonical
    assert machine.run("receipts", "export", receipt["run_id"]).stdout.strip().encode() == canonical
    with closing(sqlite3.connect(machine.folder / "home" / "codevetter.sqlite3")) as connection:
        query = "SELECT document, sha256 FROM receipts WHERE run_id = ?"
        (stored,) = connection.execute(query, (receipt["run_id"],)).fetchall()
    assert stored == (canonical, sha256_hex(canonical))


def test_6_failures_remain_explicit_and_schema_valid(
    machine: Bench, server: RawServer, tool: dict[str, Any]
) -> None:
    """The protocol call completed; the verification did not, and the receipt fits the published schema."""
    receipt = check_success(server.call(TOOL, change(CLOSED_PORT)), tool)
    assert (receipt["verdict"], receipt["causes"]) == ("no_confidence", ["preview_unreachable"])
    nothing = check_success(server.call(TOOL, change(CLOSED_PORT, value="main..no-such-branch")), tool)
    assert (nothing["verdict"], nothing["causes"]) == ("no_confidence", ["source_unresolved"])
    assert machine.json("receipts", "show", receipt["run_id"]) == receipt


def test_7_disabling_verification_revokes_new_runs(site: PreviewSite, tmp_path: Path) -> None:
    """Of a server that runs, and of one that would start; nothing is asked of the preview."""
    own = bench(tmp_path)
    repo_id = own.enable()
    asked = len(site.log)
    with RawServer(own.server(repo_id), env=own.env) as running:
        running.handshake()
        assert own.run("verify", "disable", "--repo", str(own.repo.path)).returncode == 0
        assert check_failure(running.call(TOOL, change(site.url)))["error_class"] == "revoked"
    with RawServer(own.server(repo_id), env=own.env) as late:
        assert late.wait()[0] == 2
    assert len(site.log) == asked


def test_8_codevetter_mcp_still_exposes_no_execution_tool(machine: Bench, repo_id: str) -> None:
    """Not even where both permissions were given: it offers what reads, and takes no call that would execute."""
    there = str(machine.repo.path)
    assert machine.json("history", "enable", "--repo", there)["repo_id"] == repo_id
    before = machine.json("receipts", "list")
    with RawServer([str(SCRIPTS / "codevetter-mcp"), "--repo-id", repo_id], env=machine.env) as history:
        history.handshake()
        tools = history.answer(history.begin("tools/list", {}))["result"]["tools"]
        assert {tool["annotations"]["readOnlyHint"] for tool in tools} == {True}
        names = [tool["name"] for tool in tools]
        assert names == ["receipts_list", "receipt_get", "history_log", "change_paths"]
        call = {"name": TOOL, "arguments": change(CLOSED_PORT)}
        assert history.answer(history.begin("tools/call", call))["error"]["code"] == -32602
        for name in names:
            body = check_failure(history.call(name, {**change(CLOSED_PORT), "run_id": "x", "range": "a..b"}))
            assert body["error_class"] == "invalid_input"
    assert machine.json("receipts", "list") == before


@pytest.mark.browser
def test_9_packaged_protocol_tests_pass_without_the_desktop_ui(machine: Bench, visited: Visited) -> None:
    """What ran above are the console scripts of an installed distribution that needs no desktop library."""
    assert not DESKTOP & machine.env.keys()
    packaged = distribution("codevetter-verify")
    scripts = {entry.name for entry in packaged.entry_points if entry.group == "console_scripts"}
    assert {"codevetter", "codevetter-mcp", "codevetter-verify-mcp"} <= scripts
    needed = " ".join(packaged.requires or ()).lower()
    assert not [name for name in ("qt", "gtk", "tkinter", "pywebview", "tauri") if name in needed]
    assert visited.receipt["verdict"] == "passed_with_limits"
