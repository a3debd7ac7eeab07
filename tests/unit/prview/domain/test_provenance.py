"""What only the head has is introduced, counted per rule, renamed path and line text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Finding, Level
from prview.domain.provenance import judge

FINDINGS = st.lists(
    st.builds(
        Finding,
        check=st.just("ruff"),
        rule=st.sampled_from(["F401", "E501"]),
        level=st.just(Level.WARNING),
        path=st.sampled_from(["a.py", "sub/a.py"]),
        line=st.integers(1, 5),
        message=st.sampled_from(["one", "two"]),
        anchor=st.sampled_from(["import os", "x = 1"]),
    ),
    max_size=12,
)


def key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.path, finding.anchor


@given(FINDINGS, FINDINGS)
def test_of_equal_findings_exactly_the_surplus_is_introduced(
    head: list[Finding], base: list[Finding]
) -> None:
    judged = judge(head, base, renames={}, added={})
    introduced = Counter(key(item.finding) for item in judged if item.introduced)
    assert introduced == Counter(map(key, head)) - Counter(map(key, base))
    assert Counter(item.finding for item in judged) == Counter(head), "nothing is lost"


@given(FINDINGS, st.integers(1, 50))
def test_findings_that_only_moved_are_old(base: list[Finding], by: int) -> None:
    moved = [replace(finding, line=finding.line + by) for finding in base]
    assert not any(item.introduced for item in judge(moved, base, renames={}, added={}))


@given(FINDINGS)
def test_a_renamed_file_keeps_its_findings(base: list[Finding]) -> None:
    renames = {"a.py": "b.py"}
    renamed = [replace(finding, path=renames.get(finding.path, finding.path)) for finding in base]
    assert not any(item.introduced for item in judge(renamed, base, renames=renames, added={}))


@given(FINDINGS)
def test_fingerprints_are_unique_and_do_not_depend_on_lines(head: list[Finding]) -> None:
    prints = [item.fingerprint for item in judge(head, (), renames={}, added={})]
    assert len(set(prints)) == len(prints)
    moved = [replace(finding, line=finding.line + 7) for finding in head]
    assert sorted(item.fingerprint for item in judge(moved, (), renames={}, added={})) == sorted(prints)


def finding(line: int, message: str = "unused", anchor: str = "import os") -> Finding:
    return Finding("ruff", "F401", Level.WARNING, "a.py", line, message, anchor)


def test_the_copy_on_an_added_line_is_the_new_one() -> None:
    judged = judge([finding(1), finding(9)], [finding(5)], renames={}, added={"a.py": frozenset({1})})
    assert [(item.finding.line, item.introduced) for item in judged] == [(1, True), (9, False)]


def test_of_two_mistakes_on_one_line_the_one_with_a_known_message_is_old() -> None:
    anchor = "from x import a, b"
    head = [finding(1, "`a` unused", anchor), finding(1, "`b` unused", anchor)]
    judged = judge(head, [finding(1, "`b` unused", anchor)], renames={}, added={"a.py": frozenset({1})})
    assert [(item.finding.message, item.introduced) for item in judged] == [
        ("`a` unused", True),
        ("`b` unused", False),
    ]


def test_the_same_name_in_another_folder_is_another_file() -> None:
    other = replace(finding(1), path="sub/a.py")
    assert [item.introduced for item in judge([finding(1)], [other], renames={}, added={})] == [True]
