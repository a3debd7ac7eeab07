"""artifactize's tools over stdio, through the official client: Runs, pages, and every class of failure."""

from __future__ import annotations

import json
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from artifactize.errors import CODES
from mcpkit.testing import check_failure, check_success, check_tools, connect
from support.artifacts import ArtifactProject, counting, is_running, lines_of, runtime, wait_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

pytestmark = pytest.mark.anyio

TOOLS = [
    *("verify_start", "verify_wait", "verify_watch", "verify_result", "verify_cancel"),
    *("status", "config_check", "config_graph", "run_list", "run_show"),
    *("request_list", "request_show", "request_logs", "cache_list", "cache_show"),
    *("remote_status", "tools_check", "doctor"),
]
ALL = {"kind": "all"}


class Served:
    """The tools of a served project."""

    def __init__(self, client: Any, tools: dict[str, Any]) -> None:
        self._client = client
        self.tools = tools

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a call that succeeds."""
        answer: dict[str, Any] = check_success(
            await self._client.call_tool(tool, arguments), self.tools[tool]
        )
        return answer

    async def watch(self, told: list[dict[str, Any]], **arguments: Any) -> dict[str, Any]:
        """The answer of verify_watch; what it tells meanwhile goes to `told`."""

        async def hear(_progress: float, _total: float | None, message: str | None) -> None:
            told.append(json.loads(message or ""))

        result = await self._client.call_tool("verify_watch", arguments, progress_callback=hear)
        answer: dict[str, Any] = check_success(result, self.tools["verify_watch"])
        return answer

    async def failure(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error object of a call that fails."""
        result = await self._client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        found: dict[str, Any] = check_failure(result)
        assert found.keys() == {"code", "message"}
        return found

    async def pages(self, tool: str, **arguments: Any) -> list[dict[str, Any]]:
        """All detail pages of a call."""
        found = [await self.call(tool, **arguments)]
        while found[-1]["next_cursor"] is not None:
            found.append(await self.call(tool, **arguments, cursor=found[-1]["next_cursor"]))
        return found

    async def finished(self, run_id: str) -> dict[str, Any]:
        """The answer of verify_wait once the Run is over."""
        status = await self.call("verify_wait", run_id=run_id, timeout_seconds=30)
        assert status["state"] == "FINISHED", status
        return status


@asynccontextmanager
async def serving(project: ArtifactProject) -> AsyncIterator[Served]:
    async with connect(project.command("mcp")) as client:
        tools = (await client.list_tools()).tools
        yield Served(client, {tool.name: tool for tool in tools})


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


async def test_hosts_can_take_the_tools(project: ArtifactProject) -> None:
    async with serving(project) as served:
        check_tools(served.tools.values(), max_bytes=32 * 1024)
        assert list(served.tools) == TOOLS
        writers = [name for name, tool in served.tools.items() if not tool.annotations.read_only_hint]
        assert writers == ["verify_start", "verify_cancel"]


async def test_a_run_is_started_waited_for_and_judged(project: ArtifactProject) -> None:
    project.declare(
        "guide", evals={"good": runtime("true"), "bad": runtime("sh", "-c", "echo broken >&2; exit 3")}
    )
    async with serving(project) as served:
        started = await served.call("verify_start", scope=ALL)
        status = await served.finished(started["run_id"])
        result = await served.call("verify_result", run_id=started["run_id"])

    assert started["next_check"] == {"tool": "verify_wait", "after_seconds": 5}
    assert (status["outcome"], status["exit_code"]) == ("RED", 1)
    assert status["next_check"]["tool"] == "verify_result"
    (finding,) = result["findings"]
    assert (finding["eval"], finding["state"], finding["exit_code"]) == ("guide/bad", "RED", 3)
    assert (finding["summary"], result["outcome"], result["next_cursor"]) == ("broken", "RED", None)
    assert result["scope"] == ALL


async def test_what_is_reused_is_finished_when_the_call_returns(project: ArtifactProject) -> None:
    project.declare("guide", evals={"good": runtime("true")})
    assert project.verify("--all").code == 0

    async with serving(project) as served:
        started = await served.call("verify_start", scope={"kind": "artifact", "artifactId": "guide"})

    assert (started["state"], started["outcome"]) == ("FINISHED", "GREEN")


async def test_a_scope_may_arrive_as_json_text_and_must_be_one_form(project: ArtifactProject) -> None:
    project.declare("guide", evals={"good": runtime("true"), "more": runtime("true")})
    evals = {"kind": "evals", "evalIds": ["guide/more", "guide/good", "guide/more"]}
    async with serving(project) as served:
        started = await served.call("verify_start", scope=json.dumps(evals))
        report = json.loads(
            (await served.pages("run_show", run_id=started["run_id"]))[0]["entries"][0]["text"]
        )
        two_forms = await served.failure("verify_start", scope={"kind": "all", "artifactId": "guide"})
        no_id = await served.failure("verify_start", scope={"kind": "eval"})
        many = await served.failure("verify_start", scope={"kind": "evals", "evalIds": ["guide/good"] * 65})

    assert [each["eval"] for each in report["requests"]] == ["guide/more", "guide/good"]
    assert report["scope"] == {"kind": "evals", "evalIds": ["guide/more", "guide/good"]}
    assert "kind 'all' does not take artifactId" in two_forms["message"]
    assert "kind 'eval' needs evalId" in no_id["message"]
    assert "evalIds" in many["message"]
    assert {each["code"] for each in (two_forms, no_id, many)} == {"invalid_arguments"}


async def test_a_request_key_is_one_run_in_every_process(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("guide", evals={"slow": counting(log)})
    async with serving(project) as one, serving(project) as other:
        first = await one.call("verify_start", scope=ALL, request_key="same:1")
        second = await other.call("verify_start", scope=ALL, request_key="same:1")
        await one.finished(first["run_id"])
        project.write("guide/new", "x")
        third = await one.call("verify_start", scope=ALL, request_key="same:1")

    assert first["run_id"] == second["run_id"] == third["run_id"]
    assert lines_of(log) == 1


async def test_closing_the_connection_leaves_the_run_going(project: ArtifactProject, tmp_path: Path) -> None:
    gate, pids = tmp_path / "gate", tmp_path / "pids"
    project.declare(
        "guide",
        evals={
            "slow": runtime("sh", "-c", f"echo $$ >> '{pids}'; while ! test -e '{gate}'; do sleep 0.02; done")
        },
    )
    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL))["run_id"]
        wait_for(lambda: lines_of(pids))
        running = await served.call("verify_wait", run_id=run_id, timeout_seconds=0)
    assert (running["state"], running["running"], running["outcome"]) == ("RUNNING", ["guide/slow"], None)
    assert is_running(int(pids.read_text()))

    gate.touch()
    async with serving(project) as served:
        assert (await served.finished(run_id))["outcome"] == "GREEN"


async def test_watching_tells_every_eval_and_the_outcome_to_every_attachment(
    project: ArtifactProject, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    project.declare("a", evals={"bad": runtime("false"), "good": runtime("true")})
    project.declare(
        "b", evals={"slow": runtime("sh", "-c", f"while ! test -e '{gate}'; do sleep 0.02; done")}
    )
    told: list[list[dict[str, Any]]] = [[], [], []]

    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL))["run_id"]
        wait_for(lambda: len(project.rows("SELECT 1 FROM requests WHERE state IN ('GREEN', 'RED')")) == 2)
        going_on = await served.watch(told[0], run_id=run_id, timeout_seconds=1)
        gate.touch()
        over = await served.watch(told[1], run_id=run_id)
        again = await served.watch(told[2], run_id=run_id)
        quiet = await served.call("verify_watch", run_id=run_id)
        result = await served.call("verify_result", run_id=run_id)

    evals = [
        {each["data"]["eval"]: each["data"]["state"] for each in events if each["kind"] == "eval_result"}
        for events in told
    ]
    assert (going_on["state"], over["outcome"]) == ("RUNNING", "RED")
    assert over == again == quiet
    assert [events[0]["kind"] for events in told] == ["update"] * 3
    assert evals[0] == {"a/bad": "RED", "a/good": "GREEN"}
    assert evals[1] == evals[2] == {"a/bad": "RED", "a/good": "GREEN", "b/slow": "GREEN"}
    assert [event["data"] for event in told[1] if event["kind"] == "outcome"] == [result]
    assert told[2][-1] == {"kind": "outcome", "data": result}


async def test_cancelling_ends_the_commands(project: ArtifactProject, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    project.declare("guide", evals={"slow": runtime("sh", "-c", f"echo $$ >> '{pids}'; sleep 60")})
    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL))["run_id"]
        pid = wait_for(lambda: int(pids.read_text()) if lines_of(pids) else None)
        cancelled = await served.call("verify_cancel", run_id=run_id)
        again = await served.call("verify_cancel", run_id=run_id)

    assert (cancelled["state"], cancelled["outcome"]) == ("FINISHED", "CANCELLED")
    assert again == cancelled
    assert not is_running(pid)


async def test_a_running_answer_is_small_however_large_the_run(
    project: ArtifactProject, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    evals = {
        f"eval-with-a-long-name-{number:03}-{'x' * 38}": runtime(
            "sh", "-c", f"while ! test -e '{gate}'; do sleep 0.1; done", instruction=f"Number {number}."
        )
        for number in range(20)
    }
    name = "artifact-with-a-long-name-" + "y" * 38
    project.declare("guide", name=name, evals=evals)
    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL, jobs=8))["run_id"]
        wait_for(lambda: len(project.rows("SELECT id FROM requests WHERE state = 'RUNNING'")) == 8)
        running = await served.call("verify_wait", run_id=run_id, timeout_seconds=1)
        gate.touch()
        await served.finished(run_id)

    assert running["counts"] == [{"state": "QUEUED", "count": 12}, {"state": "RUNNING", "count": 8}]
    assert len(json.dumps(running)) < 2048


async def test_findings_come_twenty_a_page(project: ArtifactProject) -> None:
    project.declare("guide", evals={f"e{number:02}": runtime("false") for number in range(45)})
    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL))["run_id"]
        await served.finished(run_id)
        pages = [await served.call("verify_result", run_id=run_id)]
        while pages[-1]["next_cursor"]:
            pages.append(await served.call("verify_result", run_id=run_id, cursor=pages[-1]["next_cursor"]))
        other = (await served.call("verify_start", scope=ALL))["run_id"]
        foreign = await served.failure("verify_result", run_id=other, cursor=pages[0]["next_cursor"])

    assert [len(page["findings"]) for page in pages] == [20, 20, 5]
    assert [each["eval"] for page in pages for each in page["findings"]] == [
        f"guide/e{n:02}" for n in range(45)
    ]
    assert {page["findings_total"] for page in pages} == {45}
    assert foreign["code"] == "invalid_cursor"


async def test_a_long_answer_comes_in_pages_that_join_to_the_commands_json(project: ArtifactProject) -> None:
    evals = {f"e{number:03}": runtime("true", title="ünïcödé ✓ " * 60) for number in range(120)}
    project.declare("guide", evals=evals)
    printed = project.run("status", "--json").json
    async with serving(project) as served:
        pages = await served.pages("status")

    texts = ["".join(entry["text"] for entry in page["entries"]) for page in pages]
    offsets = [page["entries"][0]["offset"] for page in pages]
    assert len(pages) > 2
    assert json.loads("".join(texts)) == printed
    assert offsets == [len("".join(texts[:index]).encode()) for index in range(len(texts))]


async def test_a_cursor_is_refused_when_the_evidence_changed(project: ArtifactProject) -> None:
    evals = {f"e{number:03}": runtime("true", title="x" * 500) for number in range(120)}
    project.declare("guide", evals=evals)
    async with serving(project) as served:
        cursor = (await served.call("status"))["next_cursor"]
        project.declare("other", evals={"one": runtime("true")})
        failure = await served.failure("status", cursor=cursor)

    assert failure["code"] == "invalid_cursor"


async def test_logs_of_a_reused_verdict_are_those_of_its_execution(project: ArtifactProject) -> None:
    project.declare(
        "guide", evals={"prints": runtime("sh", "-c", "seq 300; printf '\\033[31mred\\033[0m\\377' >&2")}
    )
    assert project.verify("--all").code == 0
    async with serving(project) as served:
        run_id = (await served.call("verify_start", scope=ALL))["run_id"]
        report = json.loads((await served.pages("run_show", run_id=run_id))[0]["entries"][0]["text"])
        request = report["requests"][0]["request_id"]
        logs = json.loads((await served.pages("request_logs", request_id=request))[0]["entries"][0]["text"])
        wrong = await served.failure("request_logs", request_id=request, tail=5, start=1)

    out, err = logs["streams"]
    assert report["requests"][0]["source"] == "reused"
    assert logs["producer_run"] != run_id
    assert [line["number"] for line in out["lines"]] == list(range(251, 301))
    assert (out["evidence"], out["total_bytes"]) == ("complete", 1092)
    assert [line["text"] for line in err["lines"]] == ["red\ufffd"]
    assert "tail and start/end exclude each other" in wrong["message"]


# --- every class of failure -----------------------------------------------------------------------------------


def _mistaken(project: ArtifactProject) -> dict[str, Any]:
    project.write("a/index.artf", "name =\n")
    return {"scope": ALL}


def _empty(project: ArtifactProject) -> dict[str, Any]:
    del project
    return {"scope": ALL}


def _unknown_eval(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    return {"scope": {"kind": "eval", "evalId": "guide/god"}}


def _link(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    (project.root / "guide" / "link").symlink_to("/etc/passwd")
    return {"scope": ALL}


def _unsafe_state(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    project.state.mkdir()
    project.state.chmod(0o777)
    return {"scope": ALL}


def _newer_state(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    assert project.verify("--all").code == 0
    with sqlite3.connect(project.state / "artifactize.db") as connection:
        connection.execute("INSERT INTO schema_version VALUES (1000)")
    connection.close()
    return {"scope": ALL}


def _corrupt_state(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    project.state.mkdir(mode=0o700)
    (project.state / "artifactize.db").write_bytes(b"no database " * 1000)
    return {"scope": ALL}


def _no_worker(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    project.state.mkdir(mode=0o700)
    (project.state / "worker.log").mkdir()
    return {"scope": ALL}


def _no_token(project: ArtifactProject) -> dict[str, Any]:
    project.declare("guide", evals={"good": runtime("true")})
    project.state.mkdir(mode=0o700)
    config = {"url": "https://reviews.example", "name": "me", "scopes": ["read"]}
    (project.state / "remote.json").write_text(json.dumps(config))
    (project.state / "remote.json").chmod(0o600)
    return {"scope": ALL}


FAILURES: dict[str, tuple[Callable[[ArtifactProject], dict[str, Any]], str]] = {
    "config_invalid": (_mistaken, "a/index.artf:1:7: not TOML"),
    "no_project": (_empty, "no Artifact is declared"),
    "unknown_selection": (_unknown_eval, "did you mean guide/good?"),
    "fingerprint_failed": (_link, "guide/link is a symbolic link"),
    "state_unavailable": (_unsafe_state, "other users may write"),
    "state_newer": (_newer_state, "schema 1000"),
    "state_corrupt": (_corrupt_state, "is damaged"),
    "review_store": (_no_token, "remote-token.json is missing"),
    "worker_failed": (_no_worker, "no worker could be started"),
}


@pytest.mark.parametrize("code", FAILURES)
async def test_a_verification_that_cannot_start_says_why(project: ArtifactProject, code: str) -> None:
    prepare, said = FAILURES[code]
    arguments = prepare(project)
    async with serving(project) as served:
        failure = await served.failure("verify_start", **arguments)

    assert failure["code"] == code
    assert said in failure["message"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("verify_wait", {"run_id": "nobody"}, "run_not_found"),
        ("verify_result", {"run_id": "nobody"}, "run_not_found"),
        ("verify_cancel", {"run_id": "nobody"}, "run_not_found"),
        ("verify_watch", {"run_id": "nobody"}, "run_not_found"),
        ("run_show", {"run_id": "nobody"}, "run_not_found"),
        ("request_list", {"run_id": "nobody"}, "run_not_found"),
        ("request_show", {"request_id": "nobody"}, "request_not_found"),
        ("request_logs", {"request_id": "nobody"}, "request_not_found"),
        ("status", {"cursor": "nonsense"}, "no_project"),
        ("config_check", {"cursor": "nonsense"}, "invalid_cursor"),
        ("verify_wait", {"run_id": "x", "timeout_seconds": 31}, "invalid_arguments"),
        ("verify_start", {}, "invalid_arguments"),
        ("verify_start", {"scope": ALL, "speculation": True}, "invalid_arguments"),
        ("verify_start", {"scope": ALL, "request_key": "a b"}, "invalid_arguments"),
        ("verify_start", {"scope": ALL, "jobs": 0}, "invalid_arguments"),
    ],
)
async def test_a_call_that_makes_no_sense_is_refused(
    project: ArtifactProject, tool: str, arguments: dict[str, Any], code: str
) -> None:
    async with serving(project) as served:
        assert (await served.failure(tool, **arguments))["code"] == code
    assert not project.state.exists()


def test_every_declared_class_has_been_seen() -> None:
    # of `cache rm`, `artifactize-tools`, `request submit`: no tools
    on_the_command_line = {"key_in_use", "tool_refused", "signoff_refused"}
    assert {*FAILURES, "run_not_found", "request_not_found", *on_the_command_line} == CODES
