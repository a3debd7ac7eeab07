from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.text import escape_untrusted

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred", r"\u001b[31mred"),
        ("user\u202etxt.exe", r"user\u202etxt.exe"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("nul\0", r"nul\u0000"),
        ("del\x7f c1\x9b", r"del\u007f c1\u009b"),
        ("over\rwritten", r"over\u000dwritten"),
        ("line\u2028end\ufeff", r"line\u2028end\ufeff"),
        ("tag\U000e0041", r"tag\udb40\udc41"),
        ("lone\udcff", r"lone\udcff"),
    ],
)
def test_what_hides_or_reorders_is_spelled_out(raw: str, shown: str) -> None:
    assert escape_untrusted(raw) == shown


@pytest.mark.parametrize(
    "text", ["two\nlines", "crlf\r\nlines", "tab\tstop", "żółć 漢字 👩‍👩‍👧", "back\\slash \\u202e", ""]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escape_untrusted(text) == text


@given(ANY_TEXT)
def test_nothing_unsafe_remains_and_a_second_time_changes_nothing(text: str) -> None:
    safe = escape_untrusted(text)
    assert escape_untrusted(safe) == safe
    assert {unicodedata.category(c) for c in safe if c not in "\n\t\r"}.isdisjoint({"Cc", "Cs"})
    safe.encode()


@given(ANY_TEXT)
def test_json_text_stays_the_same_json(text: str) -> None:
    """A progress message may be JSON; escaping it must not change what it says."""
    assert json.loads(escape_untrusted(json.dumps(text, ensure_ascii=False))) == text
