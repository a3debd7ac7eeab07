"""The pages of every inspection tool, joined, are the JSON of the command: Runs of 1, 100, 10,000 requests."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from support.artifacts import ArtifactProject, runtime
from support.json_lines import JsonLines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCRIPTS = "Проверка 検査 فحص कसौटी 🧪"
MOST_BYTES = 64 * 1024
REVISION = "2025-06-18"


def project_of(tmp_path: Path, evals: int) -> ArtifactProject:
    """So many evals, a hundred in an Artifact; the first one prints and is GREEN."""
    project = ArtifactProject.create(tmp_path)
    for start in range(0, evals, 100):
        named = {
            f"e{number}": runtime("echo", SCRIPTS, title=f"{SCRIPTS} {number}", instruction="?")
            for number in range(start, min(start + 100, evals))
        }
        project.declare(f"a{start}", evals=named)
    return project


def compact(printed: str) -> str:
    """A command's JSON as pages carry it."""
    return json.dumps(json.loads(printed), ensure_ascii=False, separators=(",", ":"))


class Served:
    """The tools of a served project; a page costs this client next to nothing."""

    def __init__(self, wire: JsonLines) -> None:
        self._wire = wire

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The answer of a call, which is small enough for every host."""
        result = self._wire.request("tools/call", {"name": tool, "arguments": arguments})
        assert len(json.dumps(result, ensure_ascii=False).encode()) < MOST_BYTES
        assert not result.get("isError"), result
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def refusal(self, tool: str, arguments: dict[str, Any]) -> str:
        """The code of a call that fails."""
        result = self._wire.request("tools/call", {"name": tool, "arguments": arguments})
        assert result["isError"]
        return str(json.loads(result["content"][0]["text"])["code"])

    def joined(self, tool: str, arguments: dict[str, Any]) -> tuple[str, int]:
        """What the pages of a call make together, and how many there were."""
        page = self.call(tool, arguments)
        texts = [entry["text"] for entry in page["entries"]]
        pages = 1
        while page["next_cursor"] is not None:
            page = self.call(tool, {**arguments, "cursor": page["next_cursor"]})
            texts += [entry["text"] for entry in page["entries"]]
            pages += 1
        return "".join(texts), pages


@contextmanager
def serving(project: ArtifactProject) -> Iterator[Served]:
    with JsonLines(project.command("mcp"), env=os.environ, cwd="/") as wire:
        client = {"name": "test", "version": "1"}
        wire.request("initialize", {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client})
        wire.notify("notifications/initialized")
        yield Served(wire)


Calls: TypeAlias = "list[tuple[str, dict[str, Any], tuple[str, ...]]]"


def calls_about_all(run_id: str) -> Calls:
    """Each tool whose answer grows with the project, and the command that says the same."""
    listed = ("request", "list", "--run", run_id, "--limit", "10000")
    return [
        ("status", {}, ("status",)),
        ("config_check", {}, ("config", "check")),
        ("config_graph", {}, ("config", "graph")),
        ("run_list", {}, ("run", "list")),
        ("run_show", {"run_id": run_id}, ("run", "show", run_id)),
        ("request_list", {"run_id": run_id, "limit": 10000}, listed),
    ]


def calls_about_one(project: ArtifactProject) -> Calls:
    """The others."""
    request_id = project.run("request", "list", "--json").json["requests"][0]["request_id"]
    key = project.run("cache", "list", "--json").json["entries"][0]["key"]
    return [
        ("request_show", {"request_id": request_id}, ("request", "show", request_id)),
        ("request_logs", {"request_id": request_id}, ("request", "logs", request_id)),
        ("cache_list", {}, ("cache", "list")),
        ("cache_show", {"key": key}, ("cache", "show", key)),
        ("doctor", {}, ("doctor",)),
    ]


@pytest.mark.parametrize("evals", [1, 100, 10_000])
def test_joined_pages_are_the_commands_json(tmp_path: Path, evals: int) -> None:
    project = project_of(tmp_path, evals)
    small: Calls = []
    if evals < 10_000:
        assert project.verify("--eval", "a0/e0").code == 0
        small = calls_about_one(project)
    run_id = project.result("--all", "--reuse-only", "runtime")["run_id"]
    pages: dict[str, int] = {}
    with serving(project) as served:
        for name, arguments, words in [*small, *calls_about_all(run_id)]:
            text, pages[name] = served.joined(name, arguments)
            assert text == compact(project.run(*words, "--json").out), name
            assert name not in {"status", "run_show", "request_list"} or SCRIPTS in text

    assert (pages["run_show"] > 100) == (evals == 10_000)
    assert (pages["status"] > 1) == (evals > 1)


@pytest.mark.parametrize("change", ["a declaration", "an input", "a verdict"])
def test_a_kept_answer_is_not_served_after(change: str, tmp_path: Path) -> None:
    project = project_of(tmp_path, 100).write("a0/input.txt", "one\n")
    project.result("--all", "--reuse-only", "runtime")
    with serving(project) as served:
        first = served.call("status", {})
        arguments = {"cursor": first["next_cursor"]}
        second = served.call("status", arguments)
        again = served.call("status", arguments)
        if change == "a declaration":
            project.declare("other", evals={"one": runtime("true")})
        elif change == "an input":
            # nobody has been told of this file's content yet, so that only the files prove the change
            assert project.verify("--eval", "a0/e0").code == 0
            first = served.call("status", {})
            arguments = {"cursor": first["next_cursor"]}
            project.write("a0/input.txt", "two\n")
        else:
            assert project.verify("--eval", "a0/e0").code == 0
        refused = served.refusal("status", arguments)

    assert second == again
    assert refused == "invalid_cursor"


def test_what_a_program_says_is_asked_anew_for_every_page(tmp_path: Path) -> None:
    evals = {f"e{number}": runtime("true", title=SCRIPTS) for number in range(100)}
    told = tmp_path / "told"
    told.write_text("one")
    script = {"command": "cat", "args": [str(told)], "files": ["x.txt"]}
    project = ArtifactProject.create(tmp_path).write("guide/x.txt", "x\n")
    project.declare("guide", evals=evals, fingerprint={"script": script})
    assert project.verify("--all").code == 0
    with serving(project) as served:
        first = served.call("status", {})
        told.write_text("two")
        refused = served.refusal("status", {"cursor": first["next_cursor"]})

    assert refused == "invalid_cursor"
