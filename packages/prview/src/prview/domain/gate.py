"""The decision as `MERGE_GATE.json`, schema 2.1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.domain.lfs import lfs_sizes
from prview.domain.policy import Severity
from prview.models.gate import (
    CoverageEntry,
    GateCheck,
    GateDecision,
    GateFiles,
    GatePolicy,
    InlineFindings,
    MergeGate,
)
from prview.models.records import BaseRef

if TYPE_CHECKING:
    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.domain.coverage import Coverage
    from prview.domain.decision import Decision, Weighed
    from prview.domain.policy import Policy

QUALITY = "20_quality"
SARIF_PATH = "30_context/INLINE_FINDINGS.sarif"


def result_path(check: str) -> str:
    """Pack-relative path of a check's result."""
    return f"{QUALITY}/{check}.result.json"


@dataclass(frozen=True)
class Hidden:
    """What a pack does not show.

    `truncated` counts findings that the SARIF file has no room for; `masked` are pack-relative paths of
    patches that are not git's bytes, as secrets are taken out of them.
    """

    truncated: int = 0
    masked: tuple[str, ...] = ()


def log_path(check: str) -> str:
    """Pack-relative path of what a check's program said."""
    return f"{QUALITY}/{check}.log"


def build_gate(
    change: Change,
    decision: Decision,
    *,
    policy: Policy,
    coverage: Coverage,
    profile: str,
    generated_at: str,
    hidden: Hidden,
) -> MergeGate:
    """Fill in the document."""
    judged = [item for weighed in decision.checks for item in weighed.result.judged]
    introduced = sum(item.introduced for item in judged)
    return MergeGate(
        generated_at=generated_at,
        target=BaseRef(ref=change.target, commit=change.head),
        bases=tuple(BaseRef(ref=base.ref, commit=base.commit) for base in change.bases),
        profile=profile,
        policy=GatePolicy(
            version=policy.version,
            mode=policy.mode.value,
            default_severity=policy.default_severity.value,
            source=policy.source,
        ),
        checks=tuple(_check(weighed) for weighed in decision.checks),
        inline_findings=InlineFindings(
            path=SARIF_PATH,
            total=len(judged),
            introduced=introduced,
            preexisting=len(judged) - introduced,
            truncated=hidden.truncated,
        ),
        decision=_decision(decision),
        files=_files(change, coverage, hidden.masked),
    )


def _files(change: Change, coverage: Coverage, masked: tuple[str, ...]) -> GateFiles:
    entries = (
        CoverageEntry(
            path=file.path,
            checks=coverage.looked.get(file.path, ()),
            outside=coverage.outside.get(file.path),
            lfs=str(sizes) if (sizes := lfs_sizes(file.patch)) else None,
        )
        for file in change.files
    )
    return GateFiles(
        changed=len(change.files), unexamined=coverage.unexamined, coverage=tuple(entries), masked=masked
    )


def _check(weighed: Weighed) -> GateCheck:
    result = weighed.result
    return GateCheck.model_validate(
        {
            "id": result.id,
            "name": result.name,
            "status": result.status,
            "execution_state": result.state.value,
            "outcome": result.outcome.value,
            "class": result.kind.value,
            "severity": weighed.severity.value,
            "policy_conclusion": weighed.conclusion,
            "confidence_impact": result.confidence.value,
            "merge_impact": weighed.impact.value,
            "blocking": weighed.blocking,
            "duration_secs": round(result.duration_s, 3),
            "cached": result.cached,
            "reason": _reason(weighed),
            "evidence": result_path(result.id) if result.judged or result.flaky else None,
            "log": log_path(result.id) if result.log else None,
        }
    )


def _reason(weighed: Weighed) -> str | None:
    """Why it ended so, what the status alone would not say, and whether this run looked itself."""
    result = weighed.result
    reused = f"reused from run {', '.join(result.reused_from)}" if result.reused_from else None
    return "; ".join(part for part in (explain(result), _aside(weighed), reused) if part) or None


def _aside(weighed: Weighed) -> str | None:
    """Why a pass has new findings, or a failure plays no part."""
    introduced = weighed.result.introduced
    if not introduced:
        return None
    notes = weighed.result.worst_introduced is Level.NOTE
    if weighed.severity is Severity.IGNORE:
        return "only notes, which ask for nothing" if notes else "ignored by the policy"
    return f"only notes, but the policy has them {weighed.severity.value}" if notes else None


def explain(result: CheckResult) -> str | None:
    """One sentence: why it did not look, or what it found; None for a clean pass."""
    if result.reason:
        return result.reason
    new, old = len(result.introduced), len(result.preexisting)
    if new or old:
        return f"{new} introduced, {old} preexisting"
    return "flaky: failed once, passed when run again" if result.flaky else None


def _decision(decision: Decision) -> GateDecision:
    return GateDecision(
        analysis_status=decision.analysis.value,
        merge_recommendation=decision.recommendation.value,
        verdict=decision.ruling.verdict.value,
        allow_merge=decision.ruling.allow_merge,
        policy_allow_merge=decision.policy_allows,
        quality_pass=decision.quality_pass,
        recommended_label=decision.ruling.label,
        quality_failures=decision.failures,
        introduced_quality_failures=decision.introduced_failures,
        preexisting_quality_failures=decision.preexisting_failures,
        decision_reason=decision.reason,
        review_caveats=decision.caveats,
        blocking_issues=decision.blocking_issues,
    )
