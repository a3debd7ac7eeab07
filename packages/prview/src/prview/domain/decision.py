"""From check results to the decision: what blocks, what needs a look, what is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.checks import CheckResult, Confidence, Outcome, State
from prview.domain.findings import LEVEL_ORDER
from prview.domain.policy import SEVERITY_ORDER, Impact, Mode, Policy, Severity
from prview.domain.verdict import Analysis, Recommendation, Ruling, derive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.change import Change
    from prview.domain.coverage import Coverage
    from prview.domain.findings import Judged

_IMPACT_ORDER = (Impact.NONE, Impact.REVIEW, Impact.BLOCK)

SHOWN = 3
"""How many findings a one-line summary names before it counts the rest."""


@dataclass(frozen=True)
class Weighed:
    """A check under a policy.

    `ranked` are its introduced findings, each with what the policy makes of it, the most serious first.
    `silenced`: the repository wants nothing of it, so that it plays no part, whatever became of it.
    """

    result: CheckResult
    severity: Severity
    impact: Impact
    ranked: tuple[tuple[Severity, Judged], ...] = ()
    silenced: bool = False

    @property
    def counted(self) -> tuple[Judged, ...]:
        """The introduced findings that the policy does not ignore, the most serious first."""
        return tuple(judged for severity, judged in self.ranked if severity is not Severity.IGNORE)

    @property
    def blocking(self) -> bool:
        """Whether this check alone forbids the merge."""
        return self.impact is Impact.BLOCK

    @property
    def conclusion(self) -> str:
        """What policy makes of it: pass, block, warn, ignore, neutral or unknown."""
        if self.silenced:
            return "ignore"
        if self.result.state is State.SKIPPED and self.result.neutral:
            return "neutral"
        if self.result.state is not State.EXECUTED:
            return "unknown"
        if self.result.outcome is not Outcome.INTRODUCED:
            return "pass"
        return self.severity.value


@dataclass(frozen=True)
class Decision:
    """Everything the gate says; `ruling` was derived from the three values before it."""

    analysis: Analysis
    recommendation: Recommendation
    quality_pass: bool
    ruling: Ruling
    policy_allows: bool
    checks: tuple[Weighed, ...]
    introduced_failures: tuple[str, ...]
    preexisting_failures: tuple[str, ...]
    reason: str
    caveats: tuple[str, ...]
    blocking_issues: tuple[str, ...]

    @property
    def failures(self) -> tuple[str, ...]:
        """Checks with any failure, new or old, each once."""
        return tuple(dict.fromkeys((*self.introduced_failures, *self.preexisting_failures)))


def decide(
    change: Change,
    results: Sequence[CheckResult],
    *,
    policy: Policy,
    coverage: Coverage,
    escalation: Impact = Impact.REVIEW,
    notes: Sequence[str] = (),
    contradicted_by: Sequence[str] = (),
) -> Decision:
    """Weigh every check under the policy and derive the verdict.

    `escalation` is what an escalating check does to the merge; `notes` are further caveats of the run.
    `contradicted_by` says which earlier runs of the same range found what this one left out: evidence against
    an approval that nobody has taken back.
    """
    weighed = tuple(_weigh(result, policy, escalation) for result in results)
    counted = [item for item in weighed if item.severity is not Severity.IGNORE]
    quality_pass = not any(item.result.introduced for item in counted)
    analysis = _analysis([item.result for item in weighed if not item.silenced], coverage)
    approvable = analysis is Analysis.COMPLETE and quality_pass and not contradicted_by
    recommendation = _recommend(change, weighed, approvable=approvable)
    ruling = derive(analysis=analysis, recommendation=recommendation, quality_pass=quality_pass)
    blocking = tuple(_failure(item) for item in weighed if item.blocking)
    against = [*contradicted_by, *_caveats(change, weighed, coverage)]
    left_out = _left_out([item.result for item in weighed if not item.silenced])
    caveats = (*left_out, *change.caveats, *notes, *against)
    return Decision(
        analysis=analysis,
        recommendation=recommendation,
        quality_pass=quality_pass,
        ruling=ruling,
        policy_allows=not blocking,
        checks=weighed,
        introduced_failures=tuple(item.result.id for item in weighed if item.result.introduced),
        preexisting_failures=tuple(item.result.id for item in weighed if item.result.preexisting),
        reason="; ".join((_reason(ruling, blocking=blocking, against=against, weighed=weighed), *left_out)),
        caveats=tuple(dict.fromkeys(caveats)),
        blocking_issues=blocking,
    )


def _weigh(result: CheckResult, policy: Policy, escalation: Impact) -> Weighed:
    if policy.silences(result.id):
        return Weighed(result, Severity.IGNORE, Impact.NONE, _ranked(result, policy), silenced=True)
    severity = policy.worst_severity(result.id, (item.finding for item in result.introduced))
    impact = policy.impact(severity) if result.introduced else Impact.NONE
    if result.escalates:
        impact = max(impact, _escalated(escalation, policy), key=_IMPACT_ORDER.index)
    return Weighed(result, severity, impact, _ranked(result, policy))


def _ranked(result: CheckResult, policy: Policy) -> tuple[tuple[Severity, Judged], ...]:
    def rank(item: tuple[Severity, Judged]) -> tuple[int, int]:
        severity, judged = item
        return SEVERITY_ORDER[severity], LEVEL_ORDER[judged.finding.level]

    weighed = ((policy.finding_severity(item.finding), item) for item in result.introduced)
    return tuple(sorted(weighed, key=rank))


def _escalated(escalation: Impact, policy: Policy) -> Impact:
    """Shadow never blocks, but a person is asked."""
    blocks = escalation is Impact.BLOCK and policy.mode is Mode.SHADOW
    return Impact.REVIEW if blocks else escalation


def _analysis(results: Sequence[CheckResult], coverage: Coverage) -> Analysis:
    lost = {result.confidence for result in results}
    if Confidence.LOST in lost:
        return Analysis.INCOMPLETE
    return Analysis.DEGRADED if Confidence.LOWERED in lost or coverage.unexamined else Analysis.COMPLETE


def _recommend(change: Change, weighed: Sequence[Weighed], *, approvable: bool) -> Recommendation:
    """An empty diff is no reason to approve: nothing was seen."""
    impacts = {item.impact for item in weighed}
    if Impact.BLOCK in impacts:
        return Recommendation.BLOCK
    if Impact.REVIEW in impacts or not approvable or not change.files:
        return Recommendation.REVIEW_REQUIRED
    return Recommendation.APPROVE


def _caveats(change: Change, weighed: Sequence[Weighed], coverage: Coverage) -> list[str]:
    found = [] if change.files else [f"{change.target} changes nothing since {', '.join(change.base_names)}"]
    for item in weighed:
        result = item.result
        if item.silenced:
            continue
        if result.confidence is not Confidence.NONE:
            found.append(f"{result.id} {_what_happened(result.state)}: {result.unseen or result.reason}")
        if not item.blocking and (item.impact is Impact.REVIEW or item.severity is not Severity.IGNORE):
            found += [_failure(item)] if result.introduced or result.escalates else []
        if result.flaky:
            found.append(f"{result.id}: flaky, failed once and passed when run again: {_some(result.flaky)}")
    if coverage.unexamined:
        found.append(
            f"no check read {_count(len(coverage.unexamined), 'changed file')}: {_some(coverage.unexamined)}"
        )
    return found


def _left_out(results: Sequence[CheckResult]) -> tuple[str, ...]:
    """What the mode or an option kept from looking: neutral for the verdict, which does not speak of it."""
    found = [result for result in results if result.left_out]
    if not found:
        return ()
    reasons = dict.fromkeys(result.reason or "" for result in found)
    told = (
        f"{', '.join(result.id for result in found if result.reason == reason)} ({reason})"
        for reason in reasons
    )
    command = "prview --deep" if all("standard profile" in reason for reason in reasons) else "prview"
    return (f"not run: {'; '.join(told)}; run `{command}` for {'it' if len(found) == 1 else 'them'}",)


def _what_happened(state: State) -> str:
    return {
        State.EXECUTED: "did not see everything",
        State.SKIPPED: "was skipped",
        State.UNAVAILABLE: "is unavailable",
        State.ERROR: "could not be evaluated",
        State.TIMEOUT: "ran out of time",
    }.get(state, state.value)


def _failure(item: Weighed) -> str:
    """What stands against the merge; what the policy ignores is counted, and not named as a reason."""
    places = [place(judged) for judged in item.counted]
    ignored = len(item.ranked) - len(places)
    aside = f" ({ignored} more ignored by the policy)" if ignored else ""
    if not places:
        return f"{item.result.id}: {item.result.name} asks for a look{aside}"
    return f"{item.result.id}: {_count(len(places), 'introduced finding')}: {_some(places)}{aside}"


def place(item: Judged) -> str:
    """Where, which rule and about what, for one line."""
    finding = item.finding
    return f"{finding.path}:{finding.line} {finding.rule} {finding.subject}".rstrip()


def _some(items: Sequence[str]) -> str:
    rest = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _reason(
    ruling: Ruling, *, blocking: Sequence[str], against: Sequence[str], weighed: Sequence[Weighed]
) -> str:
    if blocking:
        return f"{_count(len(blocking), 'check')} found what blocks this merge"
    if not ruling.allow_merge:
        return against[0].rstrip(".") if against else "the analysis does not carry an approval"
    executed = sum(item.result.state is State.EXECUTED for item in weighed)
    return f"{_count(executed, 'check')} looked at every changed file and found nothing new"
