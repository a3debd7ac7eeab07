"""Why a run has its verdict: every reason with its evidence and the way out, read from the pack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prview.domain.advice import advice, uncovered_advice
from prview.domain.gate import result_path
from prview.domain.stored import read_decision
from prview.errors import StorageCorruptError
from prview.models.explaining import Evidence, ExplainResult, Issue, TopFindings
from prview.models.gate import GateCheck, MergeGate
from prview.models.report import CheckRecord, FindingRecord
from prview.service.findings import require_completed
from prview.service.opening import open_repo
from prview.service.results import read_gate
from prview.service.verdict import chosen_run
from prview.store.documents import read_document
from prview.store.paths import GATE

if TYPE_CHECKING:
    from prview.models.requests import ExplainRequest
    from prview.models.results import RunReviewResult
    from prview.service.settings import Settings
    from prview.store.runs import StoredRun

SHOWN = 5
"""Findings that an issue lists; the file it names has all of them."""

_LEVELS = {"error": 0, "warning": 1, "note": 2}
_POLICIES = {"block": 0, "warn": 1, "ignore": 2}
Effect = Literal["blocks", "asks for a look", "is unknown"]


async def explain_run(settings: Settings, request: ExplainRequest) -> ExplainResult:
    """Answer `prview explain`. Raises RunNotFoundError, StaleRunError, StorageCorruptError."""
    opened = await open_repo(settings, request.repo)
    run = await chosen_run(opened, request.run_id)
    require_completed(run)
    decision = read_decision(read_gate(run))
    gate = read_document(run.folder / GATE, MergeGate)
    if gate is None:
        raise StorageCorruptError(
            f"{GATE} of {run.run_id} is not of this version", hint="run the review again", run_id=run.run_id
        )
    issues = [issue for check in gate.checks if (issue := _issue(run, check))]
    return ExplainResult(
        run_id=run.run_id,
        verdict=decision.ruling.verdict.value,
        allow_merge=decision.ruling.allow_merge,
        reason=gate.decision.decision_reason,
        policy=f"{gate.policy.mode}, {gate.policy.source}",
        pack=str(run.folder),
        issues=(*sorted(issues, key=lambda issue: _ORDER.index(issue.effect)), *_uncovered(gate)),
        caveats=decision.caveats,
    )


_ORDER: tuple[Effect, ...] = ("blocks", "asks for a look", "is unknown")


def _effect(check: GateCheck) -> Effect | None:
    if check.blocking:
        return "blocks"
    if check.merge_impact == "review":
        return "asks for a look"
    if check.confidence_impact != "none" and check.policy_conclusion != "ignore":
        return "is unknown"
    counted = check.outcome == "introduced" and check.policy_conclusion in {"warn", "block"}
    return "asks for a look" if counted else None  # in shadow mode


def top_findings(result: RunReviewResult, *, limit: int = SHOWN) -> TopFindings:
    """The introduced findings that a review is about, what blocks first; what cannot be read is left out."""
    if result.artifact_paths is None:
        return TopFindings()
    folder = Path(result.artifact_paths.pack)
    # a check passes with notes alone, which a policy may take for more
    told = [gate.id for gate in result.gates or [] if gate.status == "FAIL" or gate.evidence]
    records = [record for name in told if (record := read_document(folder / result_path(name), CheckRecord))]
    worst = sorted((finding for record in records for finding in _introduced(record)), key=_urgency)
    shown = tuple(_evidence(finding) for finding in worst[:limit])
    return TopFindings(shown=shown, more=len(worst) - len(shown), in_file=result.artifact_paths.sarif)


def _issue(run: StoredRun, check: GateCheck) -> Issue | None:
    effect = _effect(check)
    if effect is None:
        return None
    record = read_document(run.folder / result_path(check.id), CheckRecord)
    found = _introduced(record) if record else []
    paths = tuple(dict.fromkeys(finding.path for finding in found))
    rules = tuple(dict.fromkeys(finding.rule for finding in found))
    return Issue(
        check=check.id,
        name=check.name,
        effect=effect,
        why=_why(check, record),
        evidence=tuple(_evidence(finding) for finding in found[:SHOWN]),
        more=max(len(found) - SHOWN, 0),
        files=tuple(path for path in (check.evidence, check.log) if path),
        fix=advice(check.id, state=check.execution_state, paths=paths, rules=rules, log=check.log),
    )


def _why(check: GateCheck, record: CheckRecord | None) -> str:
    unseen = record.unseen if record else None
    return unseen or check.reason or check.status


def _introduced(record: CheckRecord) -> list[FindingRecord]:
    """What the change brought and the policy does not ignore, the worst first."""
    found = [finding for finding in record.findings if finding.provenance == "introduced"]
    return sorted((finding for finding in found if finding.policy != "ignore"), key=_urgency)


def _urgency(finding: FindingRecord) -> tuple[int, int, str, int]:
    """What blocks first, then by level and place; a record of an older version says nothing of policy."""
    policy = _POLICIES.get(finding.policy or "", 1)
    return policy, _LEVELS.get(finding.level, 1), finding.path, finding.line


def _evidence(finding: FindingRecord) -> Evidence:
    return Evidence(
        file=finding.path,
        line=finding.line,
        level=finding.level,
        rule=finding.rule,
        message=finding.message,
    )


def _uncovered(gate: MergeGate) -> tuple[Issue, ...]:
    paths = gate.files.unexamined
    if not paths:
        return ()
    return (
        Issue(
            check="coverage",
            name="Coverage of the changed files",
            effect="is unknown",
            why=f"no check read {len(paths)} of {gate.files.changed} changed files",
            evidence=tuple(
                Evidence(file=path, line=1, level="note", rule="coverage", message="nobody looked at it")
                for path in paths[:SHOWN]
            ),
            more=max(len(paths) - SHOWN, 0),
            files=(GATE,),
            fix=uncovered_advice(paths),
        ),
    )
