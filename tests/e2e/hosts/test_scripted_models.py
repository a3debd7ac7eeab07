"""Whole conversations in real hosts, offline: a scripted model calls our tools through Claude Code and Codex.

The servers are started from the registrations that the tools print. What is asserted is what the model was told.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.hosting import SCRIPTS, host, host_env, registration, server_named
from support.preview_site import PreviewSite
from support.repos import GitRepo
from support.scripted_model import FAREWELL, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.scripted_model import Results, Script

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(300)]


@pytest.fixture
def project(tmp_path: Path) -> GitRepo:
    """A branch with a page and a module changed, and an Artifact; its owner enabled verification."""
    repo = GitRepo.create(tmp_path / "project")
    artifact = (
        'name = "notes"\n\n[evals.there]\ntitle = "There are notes"\n'
        'profile = { kind = "runtime", command = "test", args = ["-s", "notes.txt"] }\n'
        'payload = { instruction = "There must be notes." }\n'
    )
    repo.write("web/src/pages/index.html", "<h1>Widget</h1>").write("notes.txt", "one\n")
    repo.write("index.artf", artifact).commit("first")
    repo.branch("feature").write("web/src/pages/about.html", "<h1>About</h1>").write("notes.txt", "two\n")
    repo.commit("second")
    for kind in ("verify", "history"):
        enable = [str(SCRIPTS / "codevetter"), kind, "enable", "--repo", "."]
        subprocess.run(enable, cwd=repo.path, env=host_env(tmp_path), check=True, capture_output=True)
    return repo


def claude(name: str, repo: GitRepo, tmp_path: Path, model: ScriptedModel) -> str:
    """Let Claude Code work once, with one server; what it says at the end."""
    env = {
        **host_env(tmp_path),
        "ANTHROPIC_BASE_URL": model.url,
        "ENABLE_TOOL_SEARCH": "false",
        "MCP_CONNECTION_NONBLOCKING": "0",
    }
    configuration = tmp_path / "mcp.json"
    configuration.write_text(registration(server_named(name), "claude", repo.path, env))
    server = next(iter(json.loads(configuration.read_text())["mcpServers"]))
    words = ["-p", "go", "--mcp-config", str(configuration), "--strict-mcp-config", "--output-format", "json"]
    command = [host("claude"), *words, "--allowedTools", f"mcp__{server}"]
    done = subprocess.run(
        command, cwd=repo.path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return str(json.loads(done.stdout)["result"])


def codex(name: str, repo: GitRepo, tmp_path: Path, model: ScriptedModel) -> str:
    """Let Codex work once, with one server; what it says at the end."""
    env = host_env(tmp_path)
    entry = registration(server_named(name), "codex", repo.path, env)
    provider = f'name = "scripted"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\n'
    config = Path(env["CODEX_HOME"], "config.toml")
    config.parent.mkdir(parents=True)
    config.write_text(
        'model = "scripted"\nmodel_provider = "scripted"\n\n'
        f"[model_providers.scripted]\n{provider}\n"
        f'{entry}required = true\ndefault_tools_approval_mode = "approve"\n'
    )
    done = subprocess.run(
        [host("codex"), "exec", "--json", "-s", "read-only", "go"],
        cwd=repo.path,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    items = [json.loads(line).get("item", {}) for line in done.stdout.splitlines()]
    return str(next(item["text"] for item in items if item.get("type") == "agent_message"))


HOSTS = pytest.mark.parametrize("work", [claude, codex], ids=["claude", "codex"])


def _told(script: Script, work: Callable[..., str], name: str, repo: GitRepo, tmp_path: Path) -> Results:
    with ScriptedModel(script) as model:
        assert work(name, repo, tmp_path, model) == FAREWELL
        return model.results


@HOSTS
def test_an_agent_reviews_its_branch(work: Callable[..., str], project: GitRepo, tmp_path: Path) -> None:
    repo = str(project.path)

    def script(results: Results) -> tuple[str, dict[str, Any]] | None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("health", {"repo": repo}),
            ("run_review", {"repo": repo, "base": "main"}),
            ("verdict", {"repo": repo}),
            ("findings", {"repo": repo, "limit": 5}),
            ("read_artifact", {"repo": repo, "run_id": "none", "artifact": "report.json"}),
        ]
        if len(results) == len(calls):
            return None
        return calls[len(results)]

    health, review, verdict, findings, refused = _told(script, work, "prview", project, tmp_path)
    assert health["deps_global"] == {"git": True}
    assert review["status"] == "completed"
    assert (verdict["run_id"], verdict["verdict"]) == (review["run_id"], review["verdict"])
    assert findings["total"] >= len(findings["items"])
    assert refused["error_class"] == "run_not_found"


@HOSTS
def test_an_agent_starts_waits_for_and_reads_a_run(
    work: Callable[..., str], project: GitRepo, tmp_path: Path
) -> None:
    def script(results: Results) -> tuple[str, dict[str, Any]] | None:
        if not results:
            return "verify_start", {"scope": {"kind": "all"}}
        if "findings" in results[-1]:
            return None
        name = "result" if results[-1]["state"] == "FINISHED" else "wait"
        return f"verify_{name}", {"run_id": results[0]["run_id"]}

    *_, waited, result = _told(script, work, "artifactize", project, tmp_path)
    assert (waited["state"], waited["run_id"]) == ("FINISHED", result["run_id"])
    assert (result["outcome"], result["total"], result["findings"]) == ("GREEN", 1, [])


@pytest.mark.browser
@HOSTS
def test_an_agent_verifies_its_preview(work: Callable[..., str], project: GitRepo, tmp_path: Path) -> None:
    with PreviewSite(revision=project.head) as site:
        source = {"kind": "range", "value": "main..feature"}

        def script(results: Results) -> tuple[str, dict[str, Any]] | None:
            call = {"source": source, "preview_url": site.url}
            return None if results else ("verify_change_preview", call)

        (receipt,) = _told(script, work, "codevetter-verify", project, tmp_path)
    assert receipt["verdict"] in {"passed_with_limits", "failed", "no_confidence"}
    assert receipt["source"]["head_sha"] == project.head
    assert site.writes() == []


@HOSTS
def test_an_agent_reads_what_runs_left(work: Callable[..., str], project: GitRepo, tmp_path: Path) -> None:
    where = ["--preview", "http://127.0.0.1:9/", "--range", "main..feature", "--json"]
    made = [str(SCRIPTS / "codevetter"), "trex", *where]
    subprocess.run(made, cwd=project.path, env=host_env(tmp_path), capture_output=True, check=False)

    def script(results: Results) -> tuple[str, dict[str, Any]] | None:
        if not results:
            return "receipts_list", {}
        if len(results) == 1:
            return "receipt_get", {"run_id": results[0]["receipts"][0]["run_id"]}
        return None

    listed, receipt = _told(script, work, "codevetter-history", project, tmp_path)
    assert [item["verdict"] for item in listed["receipts"]] == ["no_confidence"]
    assert listed["receipts"][0]["run_id"] in json.dumps(receipt)
