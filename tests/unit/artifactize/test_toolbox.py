"""A toolbox: checked arguments, one call at a time, a record of each; commands that a declaration offers."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from artifactize.domain.tool_declarations import (
    BUILT_INS,
    Protocol,
    ToolDeclaration,
    ToolPin,
    VersionPin,
    placeholder_fault,
    tool_name_fault,
)
from artifactize.toolbox.commands import DeclaredTool
from artifactize.toolbox.schemas import schema_fault
from artifactize.toolbox.toolbox import EvalToolbox
from artifactize.tree.operands import OperandError, Prepared
from support.toolboxes import scope_of

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.toolbox.contract import ToolRecord

pytestmark = pytest.mark.anyio
WORD: dict[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string", "pattern": "^(a+)+$"}, "n": {"type": "integer"}},
    "additionalProperties": False,
}


def tool(tmp_path: Path, script: str, *args: str, **fields: Any) -> DeclaredTool:
    declared = ToolDeclaration(
        **{
            "name": "say",
            "description": "Says it.",
            "protocol": Protocol.JSON,
            "command": "sh",
            "input_schema": WORD,
            **fields,
        }
    )
    (tmp_path / "cwd").mkdir(exist_ok=True)
    prepared = Prepared((declared.command, "-c", script, "sh", *args), tmp_path / "cwd")
    return DeclaredTool(
        declared, prepared, tmp_path / "private", {"PATH": "/usr/bin:/bin", "LANG": "C", "SECRET": "s"}
    )


async def called(tmp_path: Path, script: str, *args: str, given: dict[str, Any], **fields: Any) -> str:
    toolbox = EvalToolbox(lambda: scope_of(tmp_path), [tool(tmp_path, script, *args, **fields)])
    return (await toolbox.call("say", given)).text


async def test_every_call_is_recorded_refused_ones_too(tmp_path: Path) -> None:
    toolbox = EvalToolbox(lambda: scope_of(tmp_path, a="x\n"))
    assert [spec.name for spec in toolbox.specs] == list(BUILT_INS)
    given = {"path": "guide/a"}
    answer = await toolbox.call("read", given)
    await toolbox.call("read", {"path": "guide/b"})
    await toolbox.call("wipe\x1b", {})
    digest = hashlib.sha256(json.dumps(given, separators=(",", ":")).encode()).hexdigest()
    read, missing, unknown = toolbox.records
    assert (read.number, read.name, read.arguments_sha256, read.error) == (1, "read", digest, None)
    assert read.answer_bytes == len(answer.text.encode())
    assert read.summary == '{"path":"guide/a"}'
    assert (missing.error, unknown.error, unknown.name) == ("NOT_FOUND", "UNKNOWN_TOOL", "wipe\\u001b")


async def test_a_used_up_budget_answers_no_more_calls(tmp_path: Path) -> None:
    told: list[ToolRecord] = []
    toolbox = EvalToolbox(lambda: scope_of(tmp_path, a="x"), most_calls=1, on_record=told.append)
    assert (await toolbox.call("list", {})).error is None
    assert (await toolbox.call("list", {})).error == "BUDGET"
    assert tuple(told) == toolbox.records


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("read", {}, "'path' is a required property"),
        ("read", {"path": 3}, "path: 3 is not of type 'string'"),
        ("read", {"path": "guide/a", "lines": 0}, "lines: 0 is less than the minimum"),
        ("read", {"path": "guide/a", "shell": "rm"}, "'shell' was unexpected"),
        ("read", {"path": "\ud800"}, "UTF-8"),
        ("read", [], "one JSON object"),
        ("grep", {"pattern": ""}, "pattern"),
    ],
    ids=range(7),
)
async def test_arguments_that_the_schema_refuses_reach_no_tool(
    tmp_path: Path, name: str, given: Any, said: str
) -> None:
    answer = await EvalToolbox(lambda: scope_of(tmp_path, a="x")).call(name, given)
    assert answer.error == "INVALID_ARGUMENTS"
    assert said in answer.text


async def test_every_reader_and_help_answer_in_their_schema(tmp_path: Path) -> None:
    toolbox = EvalToolbox(lambda: scope_of(tmp_path, a="# x\n"))
    calls: dict[str, Any] = {
        "read": {"path": "guide/a", "lines": 1.0},
        "list": {},
        "glob": {"pattern": "**"},
        "grep": {"pattern": "x"},
        "section": {"path": "guide/a"},
        "open": {"path": "guide/a"},
        "help": {},
    }
    for name, given in calls.items():
        assert (await toolbox.call(name, given)).error is None
    explained = (await toolbox.call("help", {"tool": "grep"})).text
    assert "RE2" in explained
    assert all(schema_fault(spec.input_schema) is None for spec in toolbox.specs)


async def test_calls_wait_for_each_other(tmp_path: Path) -> None:
    script = 'mkdir lock || exit 9; for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done; rmdir lock; echo "$$"'
    toolbox = EvalToolbox(lambda: scope_of(tmp_path), [tool(tmp_path, script)])
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(toolbox.call, "say", {})
    assert [record.error for record in toolbox.records] == [None, None, None]


async def test_json_tools_get_the_arguments_on_stdin_and_a_bare_environment(tmp_path: Path) -> None:
    text = await called(tmp_path, 'cat; echo; pwd; echo "$SECRET|$HOME"', given={"word": "aa"})
    sent, place, seen = text.strip().split("\n")
    assert json.loads(sent) == {"word": "aa"}
    assert place == str(tmp_path / "cwd")
    assert seen == f"|{tmp_path / 'private/tool-say-1/home'}"
    assert not (tmp_path / "private/tool-say-1").exists()


async def test_plain_tools_get_literal_arguments_and_never_an_option(tmp_path: Path) -> None:
    args = ("--word={input.word}", "{input.n}", "{x}")
    fields = {"protocol": Protocol.PLAIN, "args": args, "input_schema": {"type": "object"}}
    script = 'for each in "$@"; do echo "<$each>"; done'
    given: dict[str, Any] = {"word": "$(id) {input.n}"}
    assert await called(tmp_path, script, *args, given=given, **fields) == (
        "<--word=$(id) {input.n}>\n<{x}>\n"
    )
    assert "starts with '-'" in await called(tmp_path, script, *args, given={"n": "-rf"}, **fields)
    assert "<-rf>" in await called(tmp_path, script, "--", "{input.n}", given={"n": "-rf"}, **fields)
    assert "text or a number" in await called(tmp_path, script, *args, given={"n": []}, **fields)


@pytest.mark.parametrize(
    ("script", "fields", "said"),
    [
        ("echo 'bad ✗' >&2; exit 3", {}, "TOOL_FAILED: say ended with 3: bad ✗"),
        ("sleep 60", {"timeout_ms": 50}, "TOOL_TIMEOUT: say did not end within 50 ms"),
        ("yes | head -c 5000", {"max_output_bytes": 1000}, "[the first 1000 bytes; 4000 more left out"),
        (r"printf '\033[31mred\377'", {}, "red\ufffd"),
        ("true", {}, "[no output]"),
        ("true", {"pin": ToolPin({"tool.py": "0" * 64})}, "PIN_MISMATCH: tool.py has SHA-256"),
        ("true", {"pin": ToolPin({}, VersionPin(("-c", "echo 2"), "1"))}, "PIN_MISMATCH: `sh -c echo 2`"),
        ("true", {"pin": ToolPin({}, VersionPin(("-c", "echo 2"), "2"))}, "[no output]"),
    ],
    ids=range(8),
)
async def test_each_way_a_command_can_end_has_its_answer(
    tmp_path: Path, script: str, fields: dict[str, Any], said: str
) -> None:
    (tmp_path / "cwd").mkdir()
    (tmp_path / "cwd/tool.py").write_text("changed")
    assert (await called(tmp_path, script, given={}, **fields)).startswith(said)


async def test_a_missing_program_and_a_linked_script_are_named(tmp_path: Path) -> None:
    assert "nowhere is not on the PATH" in await called(tmp_path, "", given={}, command="nowhere")
    linked = tool(tmp_path, "")
    linked.prepared = OperandError("t.py is reached through a symbolic link")
    assert (
        "PROGRAM_MISSING: say: t.py is"
        in (await EvalToolbox(lambda: scope_of(tmp_path), [linked]).call("say", {})).text
    )


async def test_a_pattern_of_a_declared_schema_cannot_be_made_to_hang(tmp_path: Path) -> None:
    text = await called(tmp_path, "true", given={"word": "a" * 40_000 + "!"})
    assert text.startswith("INVALID_ARGUMENTS: word: 'aaa")


def test_declared_names_schemas_and_placeholders_are_checked() -> None:
    assert tool_name_fault("grep") == "'grep' is a built-in tool; choose another name"
    assert tool_name_fault("Say") is not None
    assert tool_name_fault("say_it") is None
    assert "is not valid" in str(schema_fault({"type": "objekt"}))
    assert 'type = "object"' in str(schema_fault({"type": "array"}))
    assert placeholder_fault(("{input.word}", "{input.n}"), WORD) is None
    assert placeholder_fault(("{input.no}",), WORD) == "{input.no} has no property in the tool's input schema"
    assert "its type is one of" in str(
        placeholder_fault(("{input.x}",), {"properties": {"x": {"type": "array"}}})
    )
