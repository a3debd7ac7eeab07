"""Both edges of artifactize: the commands' `--json` and the tools' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.artifacts import ArtifactProject, dependency, runtime
from support.parity import Call, Pair

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SERVER = "artifactize"
_KEY = "parity"


def small_project(folder: Path) -> ArtifactProject:
    """A GREEN Artifact, a RED one, and one that waits for both."""
    project = ArtifactProject.create(folder)
    project.declare("base", evals={"good": runtime("true")}).write("base/ü.txt", "x\n")
    project.declare("bad", evals={"check": runtime("sh", "-c", "echo one; echo 'broken ✗' >&2; exit 3")})
    return project.declare("top", mounts={"b": "base"}, evals={"ready": dependency("b", "bad")})


def _reviewed(folder: Path) -> tuple[ArtifactProject, str]:
    project = small_project(folder)
    result = project.result("--all", "--request-key", _KEY)
    return project, str(result["run_id"])


def _call(
    project: ArtifactProject, words: tuple[str, ...], arguments: dict[str, object], *, exit_code: int = 0
) -> Call:
    return Call(project.command(*words, "--json"), project.command("mcp"), arguments, exit_code=exit_code)


def _new(words: tuple[str, ...], *, exit_code: int = 0) -> Callable[[Path], Call]:
    return lambda folder: _call(small_project(folder), words, {}, exit_code=exit_code)


def _old(words: tuple[str, ...], *, exit_code: int = 0) -> Callable[[Path], Call]:
    return lambda folder: _call(_reviewed(folder)[0], words, {}, exit_code=exit_code)


def _of_run(words: tuple[str, ...]) -> Callable[[Path], Call]:
    def prepare(folder: Path) -> Call:
        project, run_id = _reviewed(folder)
        return _call(project, (*words, run_id), {"run_id": run_id})

    return prepare


def _result(folder: Path) -> Call:
    project, run_id = _reviewed(folder)
    words = ("verify", "--all", "--request-key", _KEY)
    return _call(project, words, {"run_id": run_id}, exit_code=1)


def _mistaken(folder: Path) -> Call:
    project = small_project(folder).write("wrong/index.artf", 'name = "w w"\nbasis = 1\n')
    return _call(project, ("config", "check"), {}, exit_code=2)


def _mistaken_status(folder: Path) -> Call:
    project = small_project(folder).write("wrong/index.artf", 'name = "w w"\n')
    return _call(project, ("status",), {}, exit_code=2)


def _logs(folder: Path) -> Call:
    project, run_id = _reviewed(folder)
    requests = project.run("run", "show", run_id, "--json").json["requests"]
    request_id = next(each["request_id"] for each in requests if each["eval"] == "bad/check")
    words = ("request", "logs", request_id, "--search", "broken")
    return _call(project, words, {"request_id": request_id, "search": "broken"})


def _request(folder: Path) -> Call:
    project, run_id = _reviewed(folder)
    requests = project.run("request", "list", "--run", run_id, "--state", "RED", "--json").json["requests"]
    request_id = requests[0]["request_id"]
    return _call(project, ("request", "show", request_id), {"request_id": request_id})


def _tooled(folder: Path) -> Call:
    said = {"description": "Says ü.", "protocol": "plain", "command": "echo", "args": ["ü"], "example": {}}
    lost = {"description": "Is not there.", "protocol": "json", "command": "./no.sh"}
    project = small_project(folder)
    project.declare("tooled", views={"agent_tools": {"say": said}, "human_tools": {"lost": lost}})
    return _call(project, ("tools", "check"), {}, exit_code=1)


def _key(options: tuple[str, ...], **arguments: object) -> Callable[[Path], Call]:
    def prepare(folder: Path) -> Call:
        project, _ = _reviewed(folder)
        key = project.run("cache", "list", "--json").json["entries"][0]["key"]
        return _call(project, ("cache", "show", key, *options), {"key": key, **arguments})

    return prepare


def _unknown(words: tuple[str, ...], field: str) -> Callable[[Path], Call]:
    return lambda folder: _call(small_project(folder), (*words, "nobody"), {field: "nobody"}, exit_code=2)


PAIRS = [
    Pair(SERVER, "verify_result", "red", _result),
    Pair(SERVER, "verify_cancel", "finished", _of_run(("run", "cancel"))),
    Pair(SERVER, "verify_cancel", "unknown", _unknown(("run", "cancel"), "run_id")),
    Pair(SERVER, "status", "new", _new(("status",), exit_code=1)),
    Pair(SERVER, "status", "reviewed", _old(("status",), exit_code=1)),
    Pair(SERVER, "status", "mistaken", _mistaken_status),
    Pair(SERVER, "config_check", "good", _new(("config", "check"))),
    Pair(SERVER, "config_check", "mistaken", _mistaken),
    Pair(SERVER, "config_graph", "all", _new(("config", "graph"))),
    Pair(SERVER, "run_list", "none", _new(("run", "list"))),
    Pair(SERVER, "run_list", "one", _old(("run", "list"))),
    Pair(SERVER, "run_show", "red", _of_run(("run", "show"))),
    Pair(SERVER, "run_show", "unknown", _unknown(("run", "show"), "run_id")),
    Pair(SERVER, "request_list", "all", _old(("request", "list"))),
    Pair(SERVER, "request_show", "red", _request),
    Pair(SERVER, "request_show", "unknown", _unknown(("request", "show"), "request_id")),
    Pair(SERVER, "request_logs", "search", _logs),
    Pair(SERVER, "request_logs", "unknown", _unknown(("request", "logs"), "request_id")),
    Pair(SERVER, "cache_list", "two", _old(("cache", "list"))),
    Pair(SERVER, "cache_show", "history", _key(("--history",), history=True)),
    Pair(SERVER, "remote_status", "none", _new(("remote", "status"))),
    Pair(SERVER, "tools_check", "failed", _tooled),
    Pair(SERVER, "doctor", "new", _new(("doctor",))),
]

ONLY_MCP = {
    (SERVER, "verify_start"): "the command `verify` submits and waits in one; its result is verify_result's",
    (SERVER, "verify_watch"): "the commands `verify --watch` and `run watch` print the same events as lines",
    (SERVER, "verify_wait"): "the command `verify` waits without a bound; its result is verify_result's",
}
