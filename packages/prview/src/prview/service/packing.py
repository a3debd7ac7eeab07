"""Decides, and lays out the files of the pack. No clock, no disk: the same review gives the same bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prview import __version__
from prview.domain.coverage import ledger
from prview.domain.decision import decide
from prview.domain.gate import SARIF_PATH, build_gate, log_path, result_path
from prview.domain.policy import DEFAULT_POLICY, Impact, Policy
from prview.domain.sarif import build_sarif
from prview.models.records import BaseRef, RunRecord
from prview.render.gate_text import failures_summary, gate_text
from prview.render.index_text import index_text
from prview.render.listings import commit_list, file_status, metadata
from prview.render.records import build_report, check_record
from prview.render.review_text import review_text
from prview.store import paths
from prview.store.documents import document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.domain.signals import SignalResult


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


def pack_files(reviewed: Reviewed) -> dict[str, bytes]:
    """Every file of the pack but its manifest, seal and logs: pack-relative path to content."""
    change, run = reviewed.change, _run_record(reviewed)
    judged = [item for result in reviewed.results for item in result.judged]
    sarif = build_sarif(judged, version=__version__, commit=change.head)
    notes = [f"{sarif.truncated} findings are left out of the SARIF file"] if sarif.truncated else []
    coverage = ledger(change.files, reviewed.results, outside=reviewed.outside)
    decision = decide(
        change,
        reviewed.results,
        policy=reviewed.policy,
        coverage=coverage,
        escalation=reviewed.escalation,
        notes=notes,
    )
    gate = build_gate(
        change,
        decision,
        policy=reviewed.policy,
        coverage=coverage,
        profile=reviewed.profile,
        generated_at=reviewed.generated_at,
        truncated=sarif.truncated,
    )
    report = build_report(change, decision, run=run, gate=gate, coverage=coverage)
    files = {
        paths.RUN: document(run),
        paths.GATE: document(gate),
        paths.GATE_TEXT: _text(gate_text(gate)),
        paths.FAILURES: _text(failures_summary(decision)),
        paths.METADATA: _text(metadata(change, run)),
        paths.FILE_STATUS: _text(file_status(change)),
        paths.COMMITS: _text(commit_list(change)),
        paths.PATCH: change.patch,
        SARIF_PATH: _text(json.dumps(sarif.document, ensure_ascii=False, indent=2) + "\n"),
        paths.REPORT: document(report),
        paths.REVIEW: _text(review_text(change, decision)),
        **_quality(reviewed.results),
        **{item.path: _text(item.text) for signal in reviewed.signals for item in signal.artifacts},
    }
    listed = [*files, paths.INDEX, paths.MANIFEST, paths.SANITY, *paths.LOGS]
    files[paths.INDEX] = _text(index_text(change, run=run, gate=gate, files=listed))
    return files


def _quality(results: tuple[CheckResult, ...]) -> dict[str, bytes]:
    records = {result_path(result.id): document(check_record(result)) for result in results}
    return records | {log_path(result.id): _text(result.log) for result in results if result.log}


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
    )


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
