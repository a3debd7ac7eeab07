"""`tools check`: what is wrong with declared tools is found without running them, the rest by their examples."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from artifactize.cli import cli
from support.artifacts import ArtifactProject

if TYPE_CHECKING:
    from pathlib import Path

WORD = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
SCRIPT = "#!/bin/sh\necho ran >> ran.txt; echo said\n"


def tool(**fields: Any) -> dict[str, Any]:
    return {"description": "Says.", "protocol": "json", "command": "./say.sh", "example": {}, **fields}


def project(tmp_path: Path, **tools: dict[str, Any]) -> ArtifactProject:
    made = ArtifactProject.create(tmp_path).declare("guide", views={"agent_tools": tools})
    made.write("guide/say.sh", SCRIPT)
    (made.root / "guide/say.sh").chmod(0o755)
    return made


def checked(made: ArtifactProject, *words: str) -> tuple[int, dict[str, tuple[str, str]]]:
    place = ("--repo", str(made.root), "--state-dir", str(made.state))
    done = CliRunner().invoke(cli, ["tools", "check", "--json", *words, *place])
    found = json.loads(done.stdout)["tools"]
    return done.exit_code, {
        each["tool"]: (each["status"], f"{each['code']}: {each['message']}") for each in found
    }


def test_a_check_runs_nothing_and_names_what_a_call_would_fail_for(tmp_path: Path) -> None:
    digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
    made = project(
        tmp_path,
        pinned=tool(pin={"sha256": {"say.sh": digest}}),
        changed=tool(pin={"sha256": {"say.sh": "0" * 64}}),
        lost=tool(command="nowhere-at-all"),
        wrong=tool(input=WORD),
        shy={key: value for key, value in tool().items() if key != "example"},
    )
    code, found = checked(made)
    assert code == 1
    assert {name: status for name, (status, _) in found.items()} == {
        "changed": "failed",
        "lost": "failed",
        "pinned": "ok",
        "shy": "warning",
        "wrong": "failed",
    }
    assert found["changed"][1].startswith(f"PIN_MISMATCH: say.sh has SHA-256 {digest}")
    assert found["lost"][1] == "PROGRAM_MISSING: lost: nowhere-at-all is not on the PATH"
    assert "'word' is a required property" in found["wrong"][1]
    assert not (made.root / "guide/ran.txt").exists()
    assert not made.state.exists()


def test_execute_calls_each_tool_with_its_example(tmp_path: Path) -> None:
    made = project(
        tmp_path,
        says=tool(input=WORD, example={"word": "x"}),
        fails=tool(command="sh", args=["-c", "exit 4"]),
        old=tool(pin={"version": {"args": ["--version"], "equals": "0.1"}}),
    )
    code, found = checked(made, "--execute")
    assert code == 1
    assert found["says"] == ("ok", "None: its example was answered")
    assert found["fails"][1].startswith("TOOL_FAILED: fails ended with 4")
    assert found["old"][1].startswith("PIN_MISMATCH: ")
    assert (made.root / "guide/ran.txt").read_text().startswith("ran\n")


def test_without_declared_tools_there_is_nothing_wrong(tmp_path: Path) -> None:
    made = ArtifactProject.create(tmp_path).declare("guide")
    done = CliRunner().invoke(cli, ["tools", "check", "--repo", str(made.root)])
    assert (done.exit_code, done.stdout) == (0, "no tools are declared; every review has the built-in ones\n")
