from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.envelope import (
    COMMON_CLASSES,
    MAX_BODY_BYTES,
    MAX_MESSAGE_CHARS,
    ClassEnvelope,
    CodeEnvelope,
    UndeclaredErrorClass,
)
from mcpkit.errors import InvalidArgumentsError, InvalidCursorError, ToolError

CLASSES = ClassEnvelope(frozenset({"run_failed"}), "x.v1")
CODES = CodeEnvelope(frozenset({"run_failed"}))
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)


def size(body: object) -> int:
    return len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def test_the_class_envelope_has_class_message_version_and_details_in_this_order() -> None:
    error = ToolError("run_failed", "it broke", hint="mend it", run_id="r1", retry_after_ms=5)
    assert list(CLASSES.body(error).items()) == [
        ("error_class", "run_failed"),
        ("message", "it broke (mend it)"),
        ("schema_version", "x.v1"),
        ("run_id", "r1"),
        ("retry_after_ms", 5),
    ]


def test_the_code_envelope_keeps_details_inside() -> None:
    assert CODES.body(ToolError("run_failed", "it broke", secret="s")) == {
        "code": "run_failed",
        "message": "it broke",
    }


def test_a_server_may_have_its_own_word_for_invalid_arguments() -> None:
    envelope = ClassEnvelope(frozenset(), "x.v1", invalid="invalid_input")
    assert envelope.body(InvalidArgumentsError("no"))["error_class"] == "invalid_input"
    assert envelope.body(InvalidCursorError())["error_class"] == "invalid_cursor"


@pytest.mark.parametrize("envelope", [CLASSES, CODES])
def test_a_class_nobody_declared_is_a_defect(envelope: ClassEnvelope | CodeEnvelope) -> None:
    with pytest.raises(UndeclaredErrorClass, match="'surprise' is not one of this server \\(run_failed\\)"):
        envelope.body(ToolError("surprise", "x"))


@pytest.mark.parametrize("error_class", sorted(COMMON_CLASSES))
def test_the_common_classes_need_no_declaration(error_class: str) -> None:
    assert CODES.body(ToolError(error_class, "x"))["code"] == error_class


def test_details_cannot_replace_the_fixed_fields() -> None:
    assert CLASSES.body(ToolError("run_failed", "x", schema_version="y.v9"))["schema_version"] == "x.v1"


def test_details_of_any_type_become_json() -> None:
    error = ToolError(
        "run_failed",
        "x",
        path=Path("/a\udcff"),
        ratio=math.nan,
        data=b"\x00",
        pairs=({"k\x1b": frozenset({1})},),
        nothing=None,
        yes=True,
    )
    body = CLASSES.body(error)
    assert {key: body[key] for key in error.details} == {
        "path": r"/a\udcff",
        "ratio": "nan",
        "data": r"b'\x00'",
        "pairs": [{r"k\u001b": "frozenset({1})"}],
        "nothing": None,
        "yes": True,
    }


def test_invisible_characters_of_a_message_are_spelled_out() -> None:
    assert CODES.body(ToolError("run_failed", "a\x1b[2J\u202e"))["message"] == r"a\u001b[2J\u202e"


def test_a_long_message_is_cut_and_says_so() -> None:
    message = CODES.body(ToolError("run_failed", "x" * 10_000))["message"]
    assert isinstance(message, str)
    assert len(message) == MAX_MESSAGE_CHARS
    assert message.endswith("… (cut)")


def test_the_largest_detail_goes_first_and_is_named() -> None:
    body = CLASSES.body(ToolError("run_failed", "x", small="kept", large="y" * 9000))
    assert body["small"] == "kept"
    assert body["omitted"] == ["large"]


@given(ANY_TEXT, st.integers(1, 300), st.dictionaries(ANY_TEXT, ANY_TEXT | st.lists(ANY_TEXT), max_size=5))
def test_a_body_is_bounded_json_whatever_the_error_says(
    text: str, times: int, details: dict[str, Any]
) -> None:
    error = ToolError("run_failed", text * times)
    error.details = details
    for envelope in (CLASSES, CODES):
        body = envelope.body(error)
        assert size(body) <= MAX_BODY_BYTES
        assert json.loads(json.dumps(body)) == body


def test_an_internal_error_tells_its_id_and_nothing_else() -> None:
    for body, key in ((CLASSES.internal("ab12"), "error_class"), (CODES.internal("ab12"), "code")):
        assert body[key] == "internal_error"
        assert "ab12" in str(body["message"])
