"""What could review here, what a provider's refusal means, and where keys may be sent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from artifactize.agents import http_faults
from artifactize.agents.access import ANTHROPIC, Access, access, is_loopback
from artifactize.agents.backends import backend_states
from artifactize.agents.claude_line import ClaudeLine
from artifactize.agents.codex_line import CodexLine

if TYPE_CHECKING:
    from pathlib import Path


def test_backends_are_ready_when_they_are_installed_and_configured(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    found = {each.name: each for each in backend_states({"PATH": str(tmp_path), "OPENAI_API_KEY": "k"})}
    assert {name for name, each in found.items() if each.ready} == {"openai", "claude"}
    assert found["openai"].detail == "https://api.openai.com/v1"
    assert "ANTHROPIC_API_KEY is not set" in found["anthropic"].detail
    assert "sign in" in found["codex"].detail


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:1", True),
        ("http://localhost:1", True),
        ("https://api.anthropic.com.example.com", False),
        ("http://127.0.0.1@example.com", False),
        ("http://127.0.0.1.example.com", False),
        ("http://192.168.0.1", False),
        ("file:///etc/hostname", False),
        ("http://[::1", False),
    ],
)
def test_only_this_machine_may_stand_in_for_a_provider(url: str, *, allowed: bool) -> None:
    assert is_loopback(url) is allowed


def test_a_key_is_in_no_representation() -> None:
    found = access(ANTHROPIC, {"ANTHROPIC_API_KEY": " secret \n"})
    assert found == Access("secret", "https://api.anthropic.com", local=False)
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12),
        ({"retry-after-ms": "250", "retry-after": "12"}, 0.25),
        ({"retry-after": "Tue, 01 Dec 2026 00:01:00 GMT"}, 60),
        ({"retry-after": "Mon, 30 Nov 2026 00:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_a_provider_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert http_faults.retry_after(headers, at=datetime(2026, 12, 1, tzinfo=UTC)) == seconds


def test_an_empty_account_is_no_bad_request() -> None:
    body = {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"},
    }
    assert http_faults.of_answer(400, body, {}).code == "QUOTA"
    assert http_faults.of_answer(500, "<html>\u202e", {}).message == "HTTP 500: <html>\\u202e"


def test_command_lines_report_failures_and_foreign_tools_that_were_used() -> None:
    claude = ClaudeLine().read(
        b'{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","name":"Bash"},'
        b'{"type":"tool_use","name":"mcp__artifactize-tools__read"}]}}\n'
        b'{"type":"result","subtype":"success","is_error":true,"result":"Not logged in - Please run /login"}\n'
    )
    assert (claude.models, claude.foreign_tools) == (["m"], {"Bash"})
    assert claude.fault is not None
    assert claude.fault.code == "AUTHENTICATION"
    codex = CodexLine().read(
        b'warning\n{"type":"item.completed","item":{"type":"command_execution","command":"ls"}}\n'
        b'{"type":"turn.failed","error":{"message":"You have hit your usage limit."}}\n'
    )
    assert (codex.ended, codex.foreign_tools) == (False, {"command_execution"})
    assert codex.fault is not None
    assert codex.fault.code == "QUOTA"
