"""The SARIF file is valid, keeps the worst findings, counts the others, and reads back as what was written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Finding, Judged, Level, Provenance
from prview.domain.sarif import SarifContext, build_sarif
from prview.domain.sarif_reading import read_sarif
from prview.errors import StorageCorruptError
from support.sarif import check_sarif

CONTEXT = SarifContext(version="1", commit="c" * 40, tags={"ruff": ("lint",), "secrets": ("security",)})
ONE = Judged(Finding("ruff", "F401", Level.WARNING, "a.py", 3, "unused", anchor="import os"), Provenance.INTRODUCED, 0, on_added_line=True)  # fmt: skip

JUDGED = st.lists(
    st.builds(
        Judged,
        finding=st.builds(
            Finding,
            check=st.sampled_from(["ruff", "secrets"]),
            rule=st.sampled_from(["F401", "F821", "ü rule"]),
            level=st.sampled_from(Level),
            path=st.sampled_from(["a.py", "sub dir/ü%.py", "new\nline.py", "#?.py", 'c:"q\\.py']),
            line=st.integers(0, 9),
            message=st.text(max_size=8),
            anchor=st.text(max_size=3),
            column=st.none() | st.integers(0, 9),
            end_line=st.none() | st.integers(0, 9),
            help_uri=st.none()
            | st.sampled_from(["https://x.invalid/ä?b#c", "javascript:1", "http://[", "x y", ""]),
        ),
        provenance=st.sampled_from(Provenance),
        occurrence=st.integers(0, 3),
        on_added_line=st.booleans(),
    ),
    max_size=12,
)


@given(JUDGED)
def test_what_is_written_is_valid_and_reads_back(judged: list[Judged]) -> None:
    log = build_sarif(judged, context=CONTEXT)
    check_sarif(log.content)
    told = [(i.file, i.line, i.rule, i.level, i.message) for i in read_sarif(log.content)]
    meant = [
        (j.finding.path, max(j.finding.line, 1), j.finding.rule_id, j.finding.level.value, j.finding.message)
        for j in judged
    ]
    assert sorted(told) == sorted(meant)
    assert [t[:3] for t in told] == sorted(t[:3] for t in told)


@given(JUDGED, st.integers(0, 12))
def test_what_does_not_fit_is_the_least_important_and_counted(judged: list[Judged], limit: int) -> None:
    log = build_sarif(judged, context=CONTEXT, limit=limit)
    run = check_sarif(log.content)
    assert log.truncated == run["properties"]["truncated"] == max(0, len(judged) - limit)
    assert len(run["results"]) == min(limit, len(judged))
    if any(result["baselineState"] == "unchanged" for result in run["results"]):
        new = sum(item.introduced for item in judged)
        assert sum(result["baselineState"] == "new" for result in run["results"]) == new
    said = [note["descriptor"]["id"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert said == (["prview/left-out"] if log.truncated else [])


def test_a_file_that_compresses_to_more_than_github_takes_loses_its_least_important_half() -> None:
    judged = [replace(ONE, occurrence=at, provenance=list(Provenance)[at % 2]) for at in range(64)]
    whole = build_sarif(judged, context=CONTEXT)
    log = build_sarif(judged, context=CONTEXT, size=2000)
    run = check_sarif(log.content)
    assert (whole.truncated, log.truncated) == (0, 64 - len(run["results"]))
    assert 0 < len(run["results"]) < 64
    assert {result["baselineState"] for result in run["results"]} == {"new"}


def test_more_than_github_shows_is_kept_and_said() -> None:
    judged = [replace(ONE, occurrence=at) for at in range(5_001)]
    run = check_sarif(build_sarif(judged, context=CONTEXT).content)
    assert len(run["results"]) == 5_001
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "GitHub shows the 5000 most severe of these 5001 findings."


def test_a_check_that_could_not_look_is_no_successful_execution() -> None:
    log = build_sarif([], context=replace(CONTEXT, problems=["mypy could not be evaluated: boom"]))
    (invocation,) = check_sarif(log.content)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "mypy could not" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_the_line_hash_survives_moving_and_reindenting_and_tells_equal_lines_apart() -> None:
    moved = replace(ONE, finding=replace(ONE.finding, path="b.py", line=90, anchor=" import  os"))
    second = replace(ONE, occurrence=1)

    def line_hash(item: Judged) -> str:
        run = check_sarif(build_sarif([item], context=CONTEXT).content)
        return str(run["results"][0]["partialFingerprints"]["primaryLocationLineHash"])

    assert line_hash(ONE) == line_hash(moved)
    assert line_hash(second).split(":") == [line_hash(ONE).split(":")[0], "2"]


def test_rules_carry_what_github_sorts_by() -> None:
    secret = replace(ONE, finding=replace(ONE.finding, check="secrets", rule="jwt", level=Level.ERROR, help_uri="https://x.invalid/a"))  # fmt: skip
    rules = {rule["id"]: rule for rule in check_sarif(build_sarif([ONE, secret], context=CONTEXT).content)["tool"]["driver"]["rules"]}  # fmt: skip
    assert rules["secrets/jwt"]["properties"]["security-severity"] == "8.0"
    assert rules["secrets/jwt"]["helpUri"] == "https://x.invalid/a"
    assert "security-severity" not in rules["ruff/F401"]["properties"]


def test_a_long_message_is_cut_where_the_check_s_own_result_is_not() -> None:
    log = build_sarif([replace(ONE, finding=replace(ONE.finding, message="x" * 9000))], context=CONTEXT)
    assert len(read_sarif(log.content)[0].message) == 4000


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"runs": [{}]}', '{"runs": [{"results": [{"ruleId": "x"}]}]}']
)
def test_a_log_that_lacks_what_it_must_hold_is_corrupt(text: str) -> None:
    with pytest.raises(StorageCorruptError):
        read_sarif(text)


def test_the_same_findings_in_another_order_give_the_same_bytes() -> None:
    judged = [replace(ONE, finding=replace(ONE.finding, line=at, help_uri=f"https://x.invalid/{at}")) for at in (1, 2, 3)]  # fmt: skip
    assert build_sarif(judged, context=CONTEXT).content == build_sarif(judged[::-1], context=CONTEXT).content
    assert json.loads(build_sarif([], context=CONTEXT).content)["runs"][0]["results"] == []
