"""From check results to the decision: a pass needs everything seen and nothing new."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.change import Base, Change, ChangedFile
from prview.domain.checks import CheckResult, Kind, State
from prview.domain.coverage import ledger
from prview.domain.decision import Decision, decide
from prview.domain.findings import Finding, Judged, Level, Provenance
from prview.domain.policy import DEFAULT_POLICY, Impact, Mode, Policy, Severity
from prview.domain.verdict import Analysis, Recommendation, Verdict

FILE = ChangedFile("a.py", "M")
CHANGE = Change("topic", "topic", "h" * 40, (Base("main", "b" * 40),), "b" * 40, (FILE,), ())
CLEAN = CheckResult("ruff", "Ruff", Kind.LINT, State.EXECUTED, examined=frozenset({"a.py"}))


def judged(level: Level, provenance: Provenance = Provenance.INTRODUCED) -> Judged:
    return Judged(Finding("ruff", "R", level, "a.py", 3, "m"), provenance, 0, on_added_line=True)


CLEAN_TEXT = replace(CLEAN, id="text", name="Text")


def decided(
    *results: CheckResult,
    policy: Policy = DEFAULT_POLICY,
    change: Change = CHANGE,
    escalation: Impact = Impact.REVIEW,
) -> Decision:
    coverage = ledger(change.files, results)
    return decide(change, results, policy=policy, coverage=coverage, escalation=escalation)


LEVELS = st.sampled_from(Level)
RESULTS = st.lists(
    st.builds(
        CheckResult,
        id=st.sampled_from(["ruff", "pytest", "other"]),
        name=st.just("n"),
        kind=st.sampled_from(Kind),
        state=st.sampled_from(State),
        reason=st.just("because"),
        judged=st.lists(st.builds(judged, LEVELS, st.sampled_from(Provenance)), max_size=3).map(tuple),
        examined=st.sampled_from([frozenset(), frozenset({"a.py"})]),
        neutral=st.booleans(),
        unseen=st.sampled_from([None, "something"]),
        escalates=st.booleans(),
    ),
    max_size=4,
    unique_by=lambda result: result.id,
)
POLICIES = st.builds(
    Policy,
    mode=st.sampled_from(Mode),
    default_severity=st.sampled_from(Severity),
    checks=st.dictionaries(st.sampled_from(["ruff", "pytest"]), st.sampled_from(Severity)),
    rules=st.dictionaries(st.sampled_from(["ruff/R", "ruff/*", "ruff/X*"]), st.sampled_from(Severity)),
)


@given(RESULTS, POLICIES)
def test_a_pass_means_that_everything_was_seen_and_nothing_is_new(
    results: list[CheckResult], policy: Policy
) -> None:
    decision = decided(*results, policy=policy)
    if not decision.ruling.allow_merge:
        return
    executed = [result for result in results if result.state is State.EXECUTED]
    assert any("a.py" in result.examined for result in executed) or any("a.py" in r.examined for r in results)
    for result in results:
        if policy.silences(result.id):
            continue
        assert result.state is State.EXECUTED or (result.state is State.SKIPPED and result.neutral)
        assert not result.escalates
        for item in result.introduced:
            assert policy.finding_severity(item.finding) is Severity.IGNORE


@given(RESULTS, POLICIES)
def test_verdict_recommendation_and_flags_never_contradict_each_other(
    results: list[CheckResult], policy: Policy
) -> None:
    decision = decided(*results, policy=policy)
    expected = {
        Recommendation.APPROVE: Verdict.PASS,
        Recommendation.REVIEW_REQUIRED: Verdict.CONDITIONAL,
        Recommendation.BLOCK: Verdict.BLOCK,
    }
    assert decision.ruling.verdict is expected[decision.recommendation]
    assert decision.ruling.allow_merge == (decision.ruling.verdict is Verdict.PASS)
    assert bool(decision.blocking_issues) == (decision.ruling.verdict is Verdict.BLOCK)
    assert decision.reason
    if decision.ruling.verdict is Verdict.CONDITIONAL:
        assert decision.caveats, "a verdict that is no pass says why"


@given(RESULTS, POLICIES, st.sampled_from(Impact))
def test_shadow_never_blocks(results: list[CheckResult], policy: Policy, escalation: Impact) -> None:
    shadow = replace(policy, mode=Mode.SHADOW)
    decision = decided(*results, policy=shadow, escalation=escalation)
    assert (decision.ruling.verdict is not Verdict.BLOCK, decision.policy_allows) == (True, True)


@given(RESULTS, POLICIES)
def test_the_worst_axis_wins(results: list[CheckResult], policy: Policy) -> None:
    """One check more can never make the verdict better, and no check hides another."""
    order = [Verdict.PASS, Verdict.CONDITIONAL, Verdict.BLOCK]
    together = decided(*results, policy=policy)
    alone = [decided(CLEAN_TEXT, result, policy=policy) for result in results]
    impacts = [each.ruling.verdict for each in alone if not each.ruling.allow_merge]
    assert order.index(together.ruling.verdict) >= max(map(order.index, impacts), default=0)


@given(RESULTS, POLICIES, st.sampled_from(State), LEVELS, st.booleans())
def test_an_ignored_check_has_no_effect_on_the_verdict(
    results: list[CheckResult], policy: Policy, state: State, level: Level, escalates: bool
) -> None:
    ignoring = replace(policy, checks={**policy.checks, "extra": Severity.IGNORE})
    extra = CheckResult(
        "extra", "E", Kind.LINT, state, reason="r", judged=(judged(level),), escalates=escalates
    )
    with_it, without = decided(*results, extra, policy=ignoring), decided(*results, policy=ignoring)
    assert with_it.ruling == without.ruling
    assert (with_it.analysis, with_it.recommendation) == (without.analysis, without.recommendation)
    assert (with_it.caveats, with_it.blocking_issues) == (without.caveats, without.blocking_issues)


@given(RESULTS, POLICIES, st.sampled_from(Impact))
def test_a_breaking_change_is_at_least_conditional_unless_the_project_says_otherwise(
    results: list[CheckResult], policy: Policy, escalation: Impact
) -> None:
    breaking = CheckResult("signal_breaking", "Breaking", Kind.SIGNAL, State.EXECUTED, escalates=True)
    decision = decided(*results, breaking, policy=policy, escalation=escalation)
    verdict = decision.ruling.verdict
    if escalation is Impact.NONE:
        assert verdict is decided(*results, policy=policy, escalation=escalation).ruling.verdict
    elif escalation is Impact.REVIEW:
        assert verdict is not Verdict.PASS
    else:
        assert verdict is (Verdict.CONDITIONAL if policy.mode is Mode.SHADOW else Verdict.BLOCK)


@given(st.sampled_from(Mode), st.sampled_from(Severity))
def test_a_clean_change_passes_under_every_policy(mode: Mode, severity: Severity) -> None:
    checks = {"ruff": severity, "pytest": severity}
    policy = Policy(mode=mode, default_severity=severity, checks=checks)
    left_out = CheckResult("pytest", "P", Kind.TESTS, State.SKIPPED, reason="left out", neutral=True)
    assert decided(CLEAN, left_out, policy=policy).ruling.verdict is Verdict.PASS


def test_a_signal_that_fails_lowers_the_confidence_and_sinks_nothing() -> None:
    failed = CheckResult("signal_x", "X", Kind.SIGNAL, State.ERROR, reason="KeyError: 1")
    decision = decided(CLEAN, failed)
    assert (decision.analysis, decision.ruling.verdict) == (Analysis.DEGRADED, Verdict.CONDITIONAL)
    assert decision.caveats == ("signal_x could not be evaluated: KeyError: 1",)


def test_what_blocks_is_named_before_what_does_not() -> None:
    rules = {"ruff/S602": Severity.BLOCK}
    items = tuple(
        Judged(Finding("ruff", rule, Level.WARNING, "a.py", line, "m"), Provenance.INTRODUCED, 0, True)
        for line, rule in enumerate(["F401", "F402", "F403", "F404", "S602"], 1)
    )
    decision = decided(replace(CLEAN, judged=items), policy=Policy(rules=rules))
    (issue,) = decision.blocking_issues
    assert issue.startswith("ruff: 5 introduced findings: a.py:5 S602, ")


@given(RESULTS, POLICIES)
def test_what_could_not_be_evaluated_is_said(results: list[CheckResult], policy: Policy) -> None:
    decision = decided(*results, policy=policy)
    for result in results:
        if result.state in {State.ERROR, State.TIMEOUT} and not policy.silences(result.id):
            lost = result.kind is not Kind.SIGNAL
            assert decision.analysis is Analysis.INCOMPLETE or not lost
            assert decision.analysis is not Analysis.COMPLETE
            assert any(result.id in caveat for caveat in decision.caveats)


@pytest.mark.parametrize(
    ("level", "verdict"),
    [(Level.ERROR, Verdict.BLOCK), (Level.WARNING, Verdict.CONDITIONAL), (Level.NOTE, Verdict.PASS)],
)
def test_by_default_errors_block_warnings_ask_and_notes_pass(level: Level, verdict: Verdict) -> None:
    decision = decided(replace(CLEAN, judged=(judged(level),)))
    assert decision.ruling.verdict is verdict


def test_what_was_there_before_does_not_count() -> None:
    decision = decided(replace(CLEAN, judged=(judged(Level.ERROR, Provenance.PREEXISTING),)))
    assert (decision.ruling.verdict, decision.preexisting_failures) == (Verdict.PASS, ("ruff",))


@pytest.mark.parametrize(
    ("state", "neutral", "analysis"),
    [
        (State.SKIPPED, True, Analysis.COMPLETE),
        (State.SKIPPED, False, Analysis.DEGRADED),
        (State.UNAVAILABLE, False, Analysis.DEGRADED),
        (State.ERROR, False, Analysis.INCOMPLETE),
        (State.TIMEOUT, True, Analysis.INCOMPLETE),
    ],
)
def test_what_did_not_look_lowers_the_analysis_unless_left_out_on_purpose(
    state: State, neutral: bool, analysis: Analysis
) -> None:
    other = CheckResult("x", "X", Kind.TESTS, state, reason="r", neutral=neutral)
    assert decided(CLEAN, other).analysis is analysis


def test_a_pass_says_what_the_mode_left_out() -> None:
    left = CheckResult(
        "pytest", "Pytest", Kind.TESTS, State.SKIPPED, reason="left out by the quick profile", neutral=True
    )
    idle = replace(left, id="ty", reason="no file that ty reads was changed")
    decision = decided(CLEAN, left, idle)
    assert decision.ruling.verdict is Verdict.PASS
    told = "not run: pytest (left out by the quick profile); run `prview` for it"
    assert told in decision.caveats
    assert decision.reason.endswith(f"; {told}")
    assert "ty" not in told.split()


def test_what_an_earlier_run_found_and_this_one_left_out_asks_for_a_look() -> None:
    told = "run r (standard) of this commit said BLOCK: pytest failed, and this run left that out"
    coverage = ledger(CHANGE.files, [CLEAN])
    decision = decide(CHANGE, [CLEAN], policy=DEFAULT_POLICY, coverage=coverage, contradicted_by=[told])
    assert decision.ruling.verdict is Verdict.CONDITIONAL
    assert decision.recommendation is Recommendation.REVIEW_REQUIRED
    assert told in decision.caveats
    assert decision.reason == told


def test_an_empty_change_is_nothing_to_approve() -> None:
    decision = decided(CLEAN, change=replace(CHANGE, files=()))
    assert decision.ruling.verdict is Verdict.CONDITIONAL


def test_a_check_of_text_is_not_enough_for_source_code() -> None:
    text = CheckResult("conflict_markers", "C", Kind.HYGIENE, State.EXECUTED, examined=frozenset({"a.py"}))
    assert decided(text).analysis is Analysis.DEGRADED
    prose = replace(CHANGE, files=(ChangedFile("a.md", "M"),))
    assert decided(replace(text, examined=frozenset({"a.md"})), change=prose).ruling.verdict is Verdict.PASS


def test_no_reason_names_what_the_policy_ignores() -> None:
    """An ignored rule beside one that blocks is counted, and is not a reason."""
    found = tuple(
        Judged(Finding("ruff", rule, Level.ERROR, path, 1, "m"), Provenance.INTRODUCED, 0, on_added_line=True)
        for rule, path in (("F401", "a.py"), ("F821", "b.py"))
    )
    policy = Policy(rules={"ruff/F401": Severity.IGNORE})
    decision = decided(replace(CLEAN, judged=found), policy=policy)
    assert decision.blocking_issues == (
        "ruff: 1 introduced finding: b.py:1 F821 (1 more ignored by the policy)",
    )
    assert [item.finding.rule for item in decision.checks[0].counted] == ["F821"]
