"""The review for programs: results of checks, changed files, the whole report."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from prview.domain.gate import explain
from prview.models.report import CheckRecord, CommitRecord, FileRecord, FindingRecord, Report, SignalRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.domain.change import Change
    from prview.domain.coverage import Coverage
    from prview.domain.decision import Decision, Weighed
    from prview.domain.findings import Judged
    from prview.domain.signals import SignalResult
    from prview.models.gate import MergeGate
    from prview.models.records import RunRecord


def check_record(weighed: Weighed) -> CheckRecord:
    """One check with every finding, and what the policy makes of the introduced ones."""
    result = weighed.result
    severities = {id(item): severity.value for severity, item in weighed.ranked}
    return CheckRecord(
        id=result.id,
        name=result.name,
        status=result.status,
        execution_state=result.state.value,
        outcome=result.outcome.value,
        reason=explain(result),
        unseen=result.unseen,
        tool=result.tool,
        examined=tuple(sorted(result.examined)),
        flaky=result.flaky,
        findings=tuple(finding_record(item, policy=severities.get(id(item))) for item in result.judged),
    )


def finding_record(item: Judged, *, policy: str | None = None) -> FindingRecord:
    """One finding with its origin. `policy`: what becomes of an introduced one."""
    finding = item.finding
    return FindingRecord(
        path=finding.path,
        line=finding.line,
        column=finding.column,
        end_line=finding.end_line,
        rule=finding.rule_id,
        level=finding.level.value,
        policy=policy,
        message=finding.message,
        provenance=item.provenance.value,
        on_added_line=item.on_added_line,
        fingerprint=item.fingerprint,
        help_uri=finding.help_uri,
    )


def signal_record(result: SignalResult) -> SignalRecord:
    """One signal; its documents are named, not repeated."""
    signal = result.signal
    return SignalRecord(
        kind=result.kind,
        title=result.title,
        state=result.state.value,
        reason=result.reason,
        escalates=signal.escalates if signal else False,
        limits=result.limits,
        artifacts=tuple(artifact.path for artifact in signal.artifacts) if signal else (),
        data=dict(signal.data) if signal else {},
    )


def build_report(
    change: Change,
    decision: Decision,
    *,
    run: RunRecord,
    gate: MergeGate,
    coverage: Coverage,
    signals: Sequence[SignalResult] = (),
    patches: Mapping[str, str] = MappingProxyType({}),
) -> Report:
    """Everything in one document. `patches`: changed path to the pack-relative path of its own patch."""
    return Report(
        run=run,
        decision=gate.decision,
        checks=tuple(check_record(weighed) for weighed in decision.checks),
        files=tuple(
            FileRecord(
                path=file.path,
                status=file.status,
                old_path=file.old_path,
                old_mode=file.old_mode,
                new_mode=file.new_mode,
                added=file.added,
                deleted=file.deleted,
                binary=file.binary,
                checks=coverage.looked.get(file.path, ()),
                patch=patches.get(file.path),
            )
            for file in change.files
        ),
        commits=tuple(
            CommitRecord(
                sha=commit.sha,
                author=commit.author,
                email=commit.email,
                time=commit.time,
                subject=commit.subject,
            )
            for commit in change.commits
        ),
        signals=tuple(signal_record(result) for result in signals),
    )
