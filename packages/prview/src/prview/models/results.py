"""What is answered: the shapes of the contract, field by field.

The contract has answers whose fields depend on the state of a run. Such a field is left out when it has no
value (`exclude_if`); a field that is always there says null.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mcpkit.models import Response, Wire
from prview.models.versions import SCHEMA_VERSION

Verdict = Literal["PASS", "CONDITIONAL", "BLOCK"]
MergeRecommendation = Literal["approve", "review_required", "block"]


def _is_none(value: object) -> bool:
    return value is None


class PrviewResponse(Response):
    """Stamps the version of the protocol on every answer."""

    schema_version: Literal["prview.mcp.v1"] = SCHEMA_VERSION


class GlobalDeps(Wire):
    """What prview needs everywhere."""

    git: bool = Field(description="Whether a usable git was found.")


class RepoDeps(Wire):
    """What the reviewed repository's profile needs."""

    profile: str = Field(description="python, js, rust, go, mixed or generic.")
    tools: dict[str, bool] = Field(description="Whether each program of the profile was found.")


class HealthResult(PrviewResponse):
    """Answer of `health`."""

    version: str = Field(description="prview's version.")
    protocol: Literal["prview.mcp.v1"] = SCHEMA_VERSION
    deps_global: GlobalDeps
    deps_repo: RepoDeps | None = Field(
        default=None, description="null without a repo or a detectable profile."
    )


class RunSummary(Wire):
    """One run, as an index entry."""

    run_id: str
    commit: str = Field(description="Short id of the reviewed commit.")
    status: str = Field(description="completed, in_progress, stale or failed.")
    profile: str | None = Field(
        default=None, description="quick, standard or deep; null in state, and when the run left no record."
    )
    base_used: list[str]
    merge_status: Verdict | None = Field(default=None, description="The verdict of a completed run.")
    generated_at: str | None = None
    started_at: str | None = Field(default=None, exclude_if=_is_none)
    elapsed_s: float | None = Field(default=None, exclude_if=_is_none, description="Seconds since the start.")


class StateResult(PrviewResponse):
    """Answer of `state`."""

    branch: str | None = Field(description="null when HEAD is detached.")
    commit: str = Field(description="Short id of HEAD.")
    default_branch: str | None = Field(description="The base that run_review takes when none is given.")
    base_fallback: bool
    base_caveats: list[str]
    dirty: bool
    files_changed: int | None = Field(
        description="Files that HEAD changes since the merge base; null if unknowable."
    )
    latest_run_for_head: RunSummary | None = None
    latest_run_any: RunSummary | None = None


class Gate(Wire):
    """One check, as the decision sees it."""

    id: str
    status: str = Field(description="PASS, FAIL, SKIPPED, UNAVAILABLE, ERROR or TIMEOUT.")
    reason: str | None = None
    evidence: str | None = Field(default=None, description="Pack-relative path of what shows it.")


class ArtifactPaths(Wire):
    """Where to read on."""

    pack: str = Field(description="Absolute path of the pack; the others are relative to it.")
    merge_gate: str
    sarif: str | None = Field(default=None, exclude_if=_is_none)
    report: str | None = Field(default=None, exclude_if=_is_none)


class Stats(Wire):
    """Counts of a review."""

    checks_passed: int
    checks_failed: int
    files_changed: int


class RunReviewResult(PrviewResponse):
    """Answer of `run_review`: everything for a completed run, the first fields for a started one."""

    run_id: str
    status: Literal["completed", "running"]
    commit: str
    base_used: list[str]
    base_fallback: bool
    verdict: Verdict | None = Field(default=None, exclude_if=_is_none)
    merge_recommendation: MergeRecommendation | None = Field(default=None, exclude_if=_is_none)
    allow_merge: bool | None = Field(default=None, exclude_if=_is_none)
    blocking_issues: list[str] | None = Field(default=None, exclude_if=_is_none)
    caveats: list[str]
    gates: list[Gate] | None = Field(default=None, exclude_if=_is_none)
    artifact_paths: ArtifactPaths | None = Field(default=None, exclude_if=_is_none)
    stats: Stats | None = Field(default=None, exclude_if=_is_none)


class VerdictResult(PrviewResponse):
    """Answer of `verdict`: the decision of a completed run, or how alive the run is."""

    run_id: str
    commit: str
    status: Literal["completed", "in_progress", "stale", "failed"]
    base_used: list[str]
    merge_recommendation: MergeRecommendation | None = Field(default=None, exclude_if=_is_none)
    allow_merge: bool | None = Field(default=None, exclude_if=_is_none)
    verdict: Verdict | None = Field(default=None, exclude_if=_is_none)
    blocking_issues: list[str] | None = Field(default=None, exclude_if=_is_none)
    caveats: list[str] | None = Field(default=None, exclude_if=_is_none)
    gates: list[Gate] | None = Field(default=None, exclude_if=_is_none)
    generated_at: str | None = Field(default=None, exclude_if=_is_none)
    run_status: Literal["running"] | None = Field(default=None, exclude_if=_is_none)
    started_at: str | None = Field(default=None, exclude_if=_is_none)
    elapsed_s: float | None = Field(default=None, exclude_if=_is_none)
    retry_after_ms: int | None = Field(default=None, exclude_if=_is_none)


class ProgramFound(Wire):
    """One program of `doctor`."""

    name: str
    path: str | None = Field(description="Absolute path; null when it is missing.")
    origin: str | None = Field(description="The project's own folder, PATH, or this installation.")
    needed_for: str


class DoctorResult(PrviewResponse):
    """Answer of `prview doctor`."""

    version: str
    home: str = Field(description="Where runs are kept.")
    home_writable: bool
    profile: str | None
    programs: list[ProgramFound]
    checks: list[str] = Field(
        default_factory=list, description="Ids of all checks and signals, as a policy can name them."
    )
    healthy: bool = Field(description="Whether nothing that every review needs is missing.")


class RunsResult(PrviewResponse):
    """Answer of `prview runs list`."""

    branch: str | None = Field(
        description="The branch whose runs are listed; null for all of the repository."
    )
    runs: list[RunSummary]


class PruneResult(PrviewResponse):
    """Answer of `prview runs prune`."""

    removed: list[RunSummary] = Field(description="The runs that went, or would go.")
    freed_bytes: int
    dry_run: bool


class FindingItem(Wire):
    """One finding of a run."""

    file: str
    line: int
    severity: str = Field(description="SARIF level.")
    rule: str
    message: str
    artifact_ref: str = Field(description="Pack-relative path of the file it was lifted from.")


class FindingsResult(PrviewResponse):
    """Answer of `findings`."""

    items: list[FindingItem]
    total: int
    next_cursor: str | None = None


class ReadArtifactResult(PrviewResponse):
    """Answer of `read_artifact`."""

    content: str
    total_lines: int
    next_cursor: str | None = None
