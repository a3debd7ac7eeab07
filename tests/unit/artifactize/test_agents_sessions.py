"""Saved conversations: read, shown, and asked about afterwards; a question changes no verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from artifactize.agents.contract import AgentLimits
from artifactize.agents.session_file import MASK, SessionFile
from artifactize.agents.sessions import SessionError, read_session, send, transcript
from support.reviewing import GREEN, Waits, reviewed
from support.scripted_providers import KEY, MESSAGES, ScriptedProvider

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = AgentLimits(timeout_ms=60_000)


@pytest.mark.anyio
async def test_a_question_is_appended_and_changes_no_verdict(tmp_path: Path) -> None:
    ended, _ = await reviewed(MESSAGES, [MESSAGES.text(GREEN)], tmp_path)
    before = ended.session_file.read_bytes()
    replies = [
        MESSAGES.text(f"Because of {KEY}, it is RED now."),
        MESSAGES.fault(401, "authentication_error"),
    ]
    with ScriptedProvider(replies) as provider:
        given = provider.environment(MESSAGES)
        reply = await send(ended.session_file, "Why?", environment=given, limits=LIMITS, sleep=Waits())
        failed = await send(ended.session_file, "Why?", environment=given, limits=LIMITS, sleep=Waits())
    assert reply.text == f"Because of {MASK}, it is RED now."
    assert (failed.text, failed.code) == (None, "AUTHENTICATION")
    request = provider.requests[0]
    assert "tools" not in request
    assert request["messages"][0]["content"][0]["text"].endswith("The question:\n\nWhy?")
    assert ended.session_file.read_bytes().startswith(before)
    verdicts = [entry for entry in read_session(ended.session_file) if entry["type"] == "verdict"]
    assert [entry["verdict"] for entry in verdicts] == ["GREEN"]


def test_no_key_reaches_the_file(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    session = SessionFile(file, {"MY_TOKEN": "abcdef-1", "PATH": "/usr/bin", "SHORT_KEY": "ab"})
    session.add("event", event={"abcdef-1": ["x abcdef-1", {"deep": "sk-" + "a1b2" * 6}], "n": 1})
    (entry,) = read_session(file)
    assert entry["event"] == {MASK: [f"x {MASK}", {"deep": MASK}], "n": 1}


def test_a_conversation_is_shown_in_order_with_nothing_invisible(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    session = SessionFile(file, {})
    session.add("said", text="look \u202eat this")
    session.add("tool_call", name="read", arguments="{}")
    with file.open("a") as more:
        more.write('{"type": "cut')
    shown = transcript(read_session(file))
    assert "look \\u202eat this" in shown
    assert shown.index("said") < shown.index("tool_call")
    assert "cut" not in shown


def test_a_session_that_is_missing_or_damaged_is_named(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    with pytest.raises(SessionError, match="does not exist"):
        read_session(file)
    for text, words in (("{\n{}\n", "damaged"), ("[]\n", "no saved conversation")):
        file.write_text(text)
        with pytest.raises(SessionError, match=words):
            read_session(file)


@pytest.mark.anyio
async def test_nothing_is_asked_about_a_session_without_a_model(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text(json.dumps({"type": "task", "backend": "other"}) + "\n")
    with pytest.raises(SessionError, match="which model"):
        await send(file, "Why?", environment={}, limits=LIMITS)
