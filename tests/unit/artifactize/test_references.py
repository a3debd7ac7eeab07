from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.references import Operand, operand, text_references


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Check {guide} against {terms}.", ("guide", "terms")),
        ("{a} {b} {a}", ("a", "b")),
        ("{a}/src/x.py and --flag={b}/y", ("a", "b")),
        (r"\{a} \{b\}", ()),
        (r"\\{a}", ("a",)),
        ("{{a}} {{ b }}", ()),
        ("${a} ${b:-c}", ()),
        ('{"a": {"b": 1}} {c}', ("c",)),
        ("{ a } {b c} {}", ()),
        ("unmatched { then {a}", ("a",)),
        ("closed } then {a} }", ("a",)),
        ("{a", ()),
        ("", ()),
    ],
)
def test_a_text_refers_to_exactly_these_names(text: str, names: tuple[str, ...]) -> None:
    assert text_references(text) == names


@pytest.mark.parametrize(
    ("argument", "found"),
    [
        ("{a}", Operand("", "a", "")),
        ("{a}/x/y.txt", Operand("", "a", "x/y.txt")),
        ("--file={a}/x", Operand("--file=", "a", "x")),
        ("--file={a}", Operand("--file=", "a", "")),
        ("{{a}}", None),
        ("x{a}", None),
        ("-f={a}", None),
        ("{a}x", None),
        ("{print $1}", None),
        (r"\{a}", None),
        ("${a}", None),
    ],
)
def test_an_argument_is_a_reference_only_as_a_whole(argument: str, found: Operand | None) -> None:
    assert operand(argument) == found


@given(st.text(st.sampled_from("{}$\\ab/ "), max_size=40))
def test_every_text_is_scanned_to_its_end(text: str) -> None:
    for name in text_references(text):
        assert "{" + name + "}" in text


@given(st.lists(st.sampled_from(["{a}", "{{b}}", "${c}", r"\{d}", " ", "word", "{e}"]), max_size=8))
def test_only_plain_references_count_among_literals(parts: list[str]) -> None:
    expected = tuple(dict.fromkeys(part[1] for part in parts if part in {"{a}", "{e}"}))

    assert text_references(" ".join(parts)) == expected
