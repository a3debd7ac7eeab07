"""One function derives the verdict: whatever the axes say, it never says more than they carry."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from prview.domain.verdict import Analysis, Recommendation, Ruling, Verdict, derive

EVERYTHING = list(product(Analysis, Recommendation, (True, False)))


def test_only_a_complete_approved_clean_review_passes() -> None:
    passing = [
        combination
        for combination in EVERYTHING
        if derive(
            analysis=combination[0], recommendation=combination[1], quality_pass=combination[2]
        ).allow_merge
    ]
    assert passing == [(Analysis.COMPLETE, Recommendation.APPROVE, True)]


@given(st.sampled_from(Analysis), st.booleans())
def test_a_block_blocks_whatever_else_is_said(analysis: Analysis, quality_pass: bool) -> None:
    ruling = derive(analysis=analysis, recommendation=Recommendation.BLOCK, quality_pass=quality_pass)
    assert ruling == Ruling(Verdict.BLOCK)


def test_merging_is_allowed_exactly_by_a_pass() -> None:
    assert {verdict: Ruling(verdict).allow_merge for verdict in Verdict} == {
        Verdict.PASS: True,
        Verdict.CONDITIONAL: False,
        Verdict.BLOCK: False,
    }


def test_every_verdict_has_a_label() -> None:
    assert len({Ruling(verdict).label for verdict in Verdict}) == len(Verdict)
