"""The record of a test run: complete, or not believed."""

from __future__ import annotations

import json

import pytest

from prview.checks.base import ToolOutputError
from prview.checks.pytest_events import Failed, failure_finding, read_events


def lines(*events: dict[str, object]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def failed(name: str, when: str = "call") -> dict[str, object]:
    return {"event": "failed", "id": name, "when": when, "line": 3, "message": "assert 1 == 2"}


def test_a_test_that_fails_and_fails_to_clean_up_is_one_failure() -> None:
    session = read_events(
        lines(failed("t.py::a"), failed("t.py::a", "teardown"), {"event": "finished", "exit": 1})
    )
    assert [event.when for event in session.failed.values()] == ["call"]
    assert session.exit == 1


def test_a_session_that_did_not_finish_has_no_exit_code() -> None:
    assert read_events(lines({"event": "collected", "file": "t.py"})).exit is None
    assert read_events(b"").exit is None


def test_modules_of_the_checkout_are_named() -> None:
    foreign: dict[str, object] = {"event": "foreign", "module": "pkg", "file": "/home/ada/pkg/__init__.py"}
    assert read_events(lines(foreign)).foreign == ("pkg (/home/ada/pkg/__init__.py)",)


@pytest.mark.parametrize("data", [b"x\n", b"{}\n", b'{"event": "other"}\n', lines(failed("t.py::a"))[:-5]])
def test_a_line_that_is_none_of_ours_is_an_error(data: bytes) -> None:
    with pytest.raises(ToolOutputError):
        read_events(data)


def test_a_failure_is_found_by_file_and_test() -> None:
    event = Failed(event="failed", id="t/a.py::Test::test_x[a::b]", when="call", line=3, message="boom")
    finding = failure_finding(event)
    assert (finding.path, finding.anchor, finding.rule) == ("t/a.py", "Test::test_x[a::b]", "failed")
    broken = Failed(event="failed", id="t/a.py", when="collect", line=1, message="")
    assert failure_finding(broken).rule == "collection"
