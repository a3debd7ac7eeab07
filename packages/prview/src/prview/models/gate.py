"""`00_summary/MERGE_GATE.json`, schema 2.1: the decision and everything it was derived from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mcpkit.models import Wire
from prview.models.records import BaseRef
from prview.models.results import MergeRecommendation, Verdict

GATE_SCHEMA: Literal["2.1"] = "2.1"


class GatePolicy(Wire):
    """The policy that was applied, and where it came from."""

    version: int
    mode: str
    default_severity: str
    source: str


class GateCheck(Wire):
    """One check: what happened, what policy makes of it, and what that does to the merge."""

    id: str
    name: str
    status: str
    execution_state: str = Field(description="executed, skipped, unavailable, error or timeout.")
    outcome: str = Field(description="clean, introduced, preexisting, flaky or none.")
    check_class: str = Field(alias="class", serialization_alias="class")
    severity: str
    policy_conclusion: str = Field(description="pass, block, warn, ignore, neutral or unknown.")
    confidence_impact: str = Field(description="none, lowered or lost.")
    merge_impact: str = Field(description="none, review or block.")
    blocking: bool
    duration_secs: float
    cached: bool
    reason: str | None
    evidence: str | None
    log: str | None


class InlineFindings(Wire):
    """How many findings the SARIF file holds, and how many were left out of it."""

    path: str
    total: int
    introduced: int
    preexisting: int
    truncated: int


class GateDecision(Wire):
    """The decision: `verdict` and `allow_merge` follow from the two axes and `quality_pass`."""

    analysis_status: str
    merge_recommendation: MergeRecommendation
    verdict: Verdict
    allow_merge: bool
    policy_allow_merge: bool
    quality_pass: bool
    recommended_label: str
    quality_failures: tuple[str, ...]
    introduced_quality_failures: tuple[str, ...]
    preexisting_quality_failures: tuple[str, ...]
    decision_reason: str
    review_caveats: tuple[str, ...]
    blocking_issues: tuple[str, ...]


class CoverageEntry(Wire):
    """One changed file: who looked at it, and why nobody has to."""

    path: str
    checks: tuple[str, ...] = Field(description="Ids of the checks that looked at it.")
    outside: str | None = Field(
        default=None, description="generated, vendored or ignored: not the repository's own work."
    )
    lfs: str | None = Field(default=None, description="Sizes of a file that Git LFS keeps: old -> new bytes.")


class GateFiles(Wire):
    """The changed files, those that no check looked at, and the ledger of who looked at which."""

    changed: int
    unexamined: tuple[str, ...]
    coverage: tuple[CoverageEntry, ...] = ()
    masked: tuple[str, ...] = Field(
        default=(), description="Pack-relative paths of patches in which secrets are masked: not git's bytes."
    )


class MergeGate(Wire):
    """The whole document."""

    schema_version: Literal["2.1"] = GATE_SCHEMA
    generated_at: str
    target: BaseRef
    bases: tuple[BaseRef, ...]
    profile: str
    policy: GatePolicy
    checks: tuple[GateCheck, ...]
    inline_findings: InlineFindings
    decision: GateDecision
    files: GateFiles
