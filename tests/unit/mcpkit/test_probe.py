"""What the probe says of servers that work, and of servers that fail in every way seen in the field."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from anyio import fail_after

from mcpkit.probe import ProbeReport, probe, render
from support import fake_server

pytestmark = pytest.mark.anyio

CALL = ("ping_tool", {"a": 1})


async def probed(*behaviour: str, within: float = 20, pid_file: Path | None = None) -> ProbeReport:
    env = {"PATH": os.environ["PATH"], **({"PID_FILE": str(pid_file)} if pid_file else {})}
    command = [sys.executable, "-S", fake_server.__file__, *behaviour]
    with fail_after(60):
        return await probe(command, call=CALL, timeout=within, env=env)


def process_exists(pid_file: Path) -> bool:
    return Path(f"/proc/{pid_file.read_text()}").exists()


async def test_a_working_server_is_reported_with_its_name_protocol_and_tools(tmp_path: Path) -> None:
    report = await probed(pid_file=tmp_path / "pid")
    assert report.ok
    assert (report.server_name, report.server_version) == ("fake", "7")
    assert report.protocol_version == "2025-06-18"
    assert report.tools == ("ping_tool",)
    assert report.call_ok is True
    assert (report.problem, report.hint) == (None, None)
    assert report.elapsed_ms > 0
    assert not process_exists(tmp_path / "pid")


async def test_without_a_call_nothing_is_said_about_one() -> None:
    report = await probe([sys.executable, "-S", fake_server.__file__], call=None)
    assert report.ok
    assert report.call_ok is None


async def test_a_server_that_never_answers_is_stopped_and_named(tmp_path: Path) -> None:
    report = await probed("silent", within=1, pid_file=tmp_path / "pid")
    assert not report.ok
    assert report.problem == "the handshake got no answer within 1 s"
    assert "run the command by hand" in str(report.hint)
    assert not process_exists(tmp_path / "pid")


async def test_a_server_that_ignores_the_end_of_input_and_sigterm_is_killed(tmp_path: Path) -> None:
    report = await probed("silent", "stubborn", within=1, pid_file=tmp_path / "pid")
    assert not report.ok
    assert report.elapsed_ms < 1000 + 8000
    assert not process_exists(tmp_path / "pid")


async def test_a_server_that_hangs_after_the_handshake_is_named_with_its_stage() -> None:
    report = await probed("no-tools", within=2)
    assert report.problem == "`tools/list` got no answer within 2 s"
    assert report.server_name == "fake"


async def test_a_server_that_exits_at_once_is_reported_with_its_last_words() -> None:
    report = await probed("exits")
    assert not report.ok
    assert "handshake failed" in str(report.problem)
    assert report.stderr == "no such configuration: demo.toml"
    assert "no such configuration: demo.toml" in render(report)


async def test_a_command_that_does_not_exist_is_the_problem(tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere")
    report = await probe([missing, "mcp"], call=None)
    assert report.problem == f"cannot start {missing}: No such file or directory"
    assert report.hint == "check that the command exists and may be executed"


@pytest.mark.parametrize(("behaviour", "shown"), [("garbage", "Loading model ..."), ("binary", "\ufffd")])
async def test_words_on_stdout_fail_the_probe_even_when_the_server_answers(
    behaviour: str, shown: str
) -> None:
    """Some hosts drop the connection at the first line that is no JSON-RPC."""
    report = await probed(behaviour)
    assert report.tools == ("ping_tool",)
    assert not report.ok
    assert "no JSON-RPC" in str(report.problem)
    assert shown in str(report.problem)
    assert "stderr" in str(report.hint)


async def test_garbage_and_silence_are_told_together() -> None:
    report = await probed("garbage", "silent", within=1)
    assert "no answer within 1 s" in str(report.problem)
    assert "Loading model ..." in str(report.problem)


async def test_a_refused_call_fails_the_probe_with_the_servers_words_made_harmless() -> None:
    report = await probed("call-fails")
    assert not report.ok
    assert report.call_ok is False
    assert report.tools == ("ping_tool",)
    assert report.problem == "the tool call was refused: it is \\u001b[31mbroken"
    assert "\x1b" not in render(report)
    assert "call: failed" in render(report)


async def test_a_report_renders_what_a_person_needs_and_as_json_types() -> None:
    report = await probed()
    assert render(report).splitlines()[1:] == [
        "server: fake 7, protocol 2025-06-18",
        "tools (1): ping_tool",
        "call: answered",
    ]
    assert report.as_dict()["tools"] == ["ping_tool"]
