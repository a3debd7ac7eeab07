"""Takes the secrets out and decides. No clock, no disk: the same review gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prview import __version__
from prview.domain.checks import State
from prview.domain.coverage import ledger
from prview.domain.decision import SHOWN, decide
from prview.domain.gate import Hidden, build_gate, explain
from prview.domain.masked import masked_change, masked_paths, masked_result, masked_signal
from prview.domain.policy import DEFAULT_POLICY, Impact, Policy
from prview.domain.sarif import SarifContext, build_sarif
from prview.models.records import BaseRef, RunRecord
from prview.service.layout import Decided, lay_out, masked_patches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.domain.signals import SignalResult
    from prview.render.dashboard.data import PastRun


@dataclass(frozen=True)
class Reviewed:
    """Everything that was observed, and under which names it is kept."""

    change: Change
    results: tuple[CheckResult, ...]
    profile: str
    run_id: str
    repo_key: str
    branch_key: str
    started_at: str
    generated_at: str
    policy: Policy = DEFAULT_POLICY
    signals: tuple[SignalResult, ...] = ()
    escalation: Impact = Impact.REVIEW
    outside: Mapping[str, str] = field(default_factory=dict)
    history: tuple[PastRun, ...] = ()
    asked: str = ""
    ai_only: bool = False
    contradicted_by: tuple[str, ...] = ()


def pack_files(reviewed: Reviewed) -> dict[str, bytes]:
    """Every file of the pack but its archive, manifest, seal and logs: pack-relative path to content.

    No secret that is known by its form or its name is in any of them.
    """
    shown = _masked(reviewed)
    masked = masked_patches(reviewed.change, shown.change)
    change, results = shown.change, shown.results
    sarif = build_sarif(
        (item for result in results for item in result.judged), context=_sarif_context(change, results)
    )
    coverage = ledger(change.files, results, outside=reviewed.outside)
    decision = decide(
        change,
        results,
        policy=reviewed.policy,
        coverage=coverage,
        escalation=reviewed.escalation,
        notes=_notes(truncated=sarif.truncated, masked=masked),
        contradicted_by=reviewed.contradicted_by,
    )
    gate = build_gate(
        change,
        decision,
        policy=reviewed.policy,
        coverage=coverage,
        profile=reviewed.profile,
        generated_at=reviewed.generated_at,
        hidden=Hidden(truncated=sarif.truncated, masked=masked),
    )
    return lay_out(
        Decided(
            change=change,
            decision=decision,
            coverage=coverage,
            signals=shown.signals,
            run=_run_record(reviewed),
            gate=gate,
            sarif=sarif.content,
            history=reviewed.history,
            ai_only=reviewed.ai_only,
        )
    )


def _masked(reviewed: Reviewed) -> Reviewed:
    return replace(
        reviewed,
        change=masked_change(reviewed.change),
        results=tuple(masked_result(result) for result in reviewed.results),
        signals=tuple(masked_signal(result) for result in reviewed.signals),
        outside=masked_paths(reviewed.outside),
    )


def _notes(*, truncated: int, masked: Sequence[str]) -> list[str]:
    """What a reader of the verdict should know about the pack itself."""
    notes = [f"{truncated} findings are left out of the SARIF file"] if truncated else []
    if masked:
        shown = ", ".join(masked[:SHOWN]) + (
            f" and {len(masked) - SHOWN} more" if len(masked) > SHOWN else ""
        )
        notes.append(f"secrets are masked in the pack: these patches are not git's bytes: {shown}")
    return notes


def _sarif_context(change: Change, results: Sequence[CheckResult]) -> SarifContext:
    broken = [result for result in results if result.state in {State.ERROR, State.TIMEOUT}]
    return SarifContext(
        version=__version__,
        commit=change.head,
        tags={result.id: (result.kind.value,) for result in results},
        problems=[f"{result.id} ended with {result.state.value}: {explain(result)}" for result in broken],
    )


def _run_record(reviewed: Reviewed) -> RunRecord:
    change = reviewed.change
    return RunRecord(
        run_id=reviewed.run_id,
        branch=change.branch or "",
        branch_key=reviewed.branch_key,
        repo_key=reviewed.repo_key,
        target=change.target,
        commit=change.head,
        bases=tuple(BaseRef(ref=base.ref, commit=base.commit) for base in change.bases),
        merge_base=change.merge_base,
        base_fallback=change.base_fallback,
        dirty=change.dirty,
        dirty_tree=change.dirty_tree,
        profile=reviewed.profile,
        files_changed=len(change.files),
        started_at=reviewed.started_at,
        generated_at=reviewed.generated_at,
        prview_version=__version__,
        asked=reviewed.asked,
    )
