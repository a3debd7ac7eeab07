"""The SARIF file keeps the worst findings, counts the others, and reads back as what was written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Finding, Judged, Level, Provenance
from prview.domain.sarif import build_sarif
from prview.domain.sarif_reading import read_sarif
from prview.errors import StorageCorruptError

JUDGED = st.lists(
    st.builds(
        Judged,
        finding=st.builds(
            Finding,
            check=st.just("ruff"),
            rule=st.sampled_from(["F401", "F821"]),
            level=st.sampled_from(Level),
            path=st.sampled_from(["a.py", "sub dir/ü%.py", "new\nline.py", "#?.py"]),
            line=st.integers(1, 9),
            message=st.text(max_size=8),
        ),
        provenance=st.sampled_from(Provenance),
        occurrence=st.integers(0, 3),
        on_added_line=st.booleans(),
    ),
    max_size=12,
)


@given(JUDGED)
def test_what_is_written_reads_back(judged: list[Judged]) -> None:
    log = build_sarif(judged, version="1", commit="c" * 40)
    items = read_sarif(json.dumps(log.document))
    told = [(i.file, i.line, i.rule, i.level, i.message) for i in items]
    meant = [
        (j.finding.path, j.finding.line, j.finding.rule_id, j.finding.level.value, j.finding.message)
        for j in judged
    ]
    assert sorted(told) == sorted(meant)
    assert [t[:3] for t in told] == sorted(t[:3] for t in told)


@given(JUDGED, st.integers(0, 12))
def test_what_does_not_fit_is_the_least_important_and_counted(judged: list[Judged], limit: int) -> None:
    log = build_sarif(judged, version="1", commit="c" * 40, limit=limit)
    assert log.truncated == max(0, len(judged) - limit)
    kept = len(read_sarif(json.dumps(log.document)))
    assert kept == min(limit, len(judged))
    run = json.loads(json.dumps(log.document))["runs"][0]
    if any(result["baselineState"] == "unchanged" for result in run["results"]):
        new = sum(item.introduced for item in judged)
        assert sum(result["baselineState"] == "new" for result in run["results"]) == new
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"runs": [{}]}', '{"runs": [{"results": [{"ruleId": "x"}]}]}']
)
def test_a_log_that_lacks_what_it_must_hold_is_corrupt(text: str) -> None:
    with pytest.raises(StorageCorruptError):
        read_sarif(text)
