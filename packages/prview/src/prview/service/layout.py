"""Which file of a pack holds what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.gate import SARIF_PATH, log_path, result_path
from prview.render.dashboard.data import Dashboard, PastRun
from prview.render.dashboard.page import dashboard
from prview.render.gate_text import failures_summary, gate_text
from prview.render.index_text import index_text
from prview.render.listings import commit_list, file_status, metadata
from prview.render.logs import full_log, problem_log
from prview.render.patches import commit_patches, file_patches
from prview.render.records import build_report, check_record
from prview.render.review_text import review_text
from prview.store import paths
from prview.store.documents import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prview.domain.change import Change
    from prview.domain.coverage import Coverage
    from prview.domain.decision import Decision, Weighed
    from prview.domain.signals import SignalResult
    from prview.models.gate import MergeGate
    from prview.models.records import RunRecord


@dataclass(frozen=True)
class Decided:
    """A review that is through, secrets taken out. `ai_only` leaves out what only people read."""

    change: Change
    decision: Decision
    coverage: Coverage
    signals: tuple[SignalResult, ...]
    run: RunRecord
    gate: MergeGate
    sarif: bytes
    history: tuple[PastRun, ...] = ()
    ai_only: bool = False


def lay_out(decided: Decided) -> dict[str, bytes]:
    """Every file of the pack but its archive, manifest, seal and logs: pack-relative path to content."""
    files = {
        **{item.path: _text(item.text) for signal in decided.signals for item in signal.artifacts},
        **_summary(decided),
        **_diff(decided.change),
        **_quality(decided.decision.checks),
        SARIF_PATH: decided.sarif,
        paths.REPORT: _report(decided),
        paths.REVIEW: _text(
            review_text(decided.change, decided.decision, coverage=decided.coverage, signals=decided.signals)
        ),
    }
    if not decided.ai_only:
        files[paths.DASHBOARD] = _text(_dashboard(decided))
    archive = () if decided.ai_only else (paths.ARCHIVE,)
    made_later = (paths.INDEX, *archive, paths.MANIFEST, paths.SANITY, *paths.LOGS)
    index = index_text(
        decided.change,
        run=decided.run,
        gate=decided.gate,
        files=[*files, *made_later],
        history=decided.history,
    )
    return files | {paths.INDEX: _text(index)}


def masked_patches(original: Change, shown: Change) -> tuple[str, ...]:
    """Pack-relative paths of the patches in which something was masked, that is, are not git's bytes."""
    return tuple(sorted(_differing_patches(original, shown)))


def _differing_patches(original: Change, shown: Change) -> Iterator[str]:
    if original.patch is not shown.patch:
        yield paths.PATCH
    names = own_patches(shown)
    for before, after in zip(original.files, shown.files, strict=True):
        if before.patch is not after.patch and after.path in names:
            yield names[after.path]
    before_commits, after_commits = commit_patches(original.commits), commit_patches(shown.commits)
    # a masked subject changes the name of a patch, not its place
    for before_patch, (name, patch) in zip(before_commits.values(), after_commits.items(), strict=True):
        if before_patch != patch:
            yield f"{paths.COMMIT_PATCHES}/{name}"


def own_patches(change: Change) -> Mapping[str, str]:
    """Path of every changed file with a patch of its own, to that patch's pack-relative path."""
    return {path: f"{paths.FILE_PATCHES}/{name}" for path, name in file_patches(change).items()}


def _summary(decided: Decided) -> dict[str, bytes]:
    change, run, gate = decided.change, decided.run, decided.gate
    return {
        paths.RUN: document(run),
        paths.GATE: document(gate),
        paths.GATE_TEXT: _text(gate_text(gate)),
        paths.FAILURES: _text(failures_summary(decided.decision)),
        paths.METADATA: _text(metadata(change, run)),
        paths.FILE_STATUS: _text(file_status(change)),
        paths.COMMITS: _text(commit_list(change)),
    }


def _diff(change: Change) -> dict[str, bytes]:
    names = own_patches(change)
    by_commit = {
        f"{paths.COMMIT_PATCHES}/{name}": patch for name, patch in commit_patches(change.commits).items()
    }
    by_file = {names[file.path]: file.patch for file in change.files if file.path in names}
    return {paths.PATCH: change.patch} | by_commit | by_file


def _quality(checks: tuple[Weighed, ...]) -> dict[str, bytes]:
    results = tuple(weighed.result for weighed in checks)
    records = {result_path(weighed.result.id): document(check_record(weighed)) for weighed in checks}
    logs = {log_path(result.id): _text(result.log) for result in results if result.log}
    together = {paths.ALL_LOGS: _text(full_log(results)), paths.PROBLEM_LOGS: _text(problem_log(results))}
    return records | logs | together


def _dashboard(decided: Decided) -> str:
    return dashboard(
        Dashboard(
            change=decided.change,
            decision=decided.decision,
            coverage=decided.coverage,
            run=decided.run,
            gate=decided.gate,
            signals=decided.signals,
            history=decided.history,
            patches=own_patches(decided.change),
        )
    )


def _report(decided: Decided) -> bytes:
    report = build_report(
        decided.change,
        decided.decision,
        run=decided.run,
        gate=decided.gate,
        coverage=decided.coverage,
        signals=decided.signals,
        patches=own_patches(decided.change),
    )
    return document(report)


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
