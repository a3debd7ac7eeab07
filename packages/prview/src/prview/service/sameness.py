"""`--update`: whether the newest review already answers what is asked.

It does when both ends of the range, the working tree, prview itself, mode, steps, policy, settings and what
is installed (programs, packages) are the same and nothing was missing from it. What a check could not look at
then, it may be able to look at now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.canonical import canonical_json, sha256_hex
from prview import __version__
from prview.errors import StorageCorruptError
from prview.service.results import read_gate
from prview.store.runs import COMPLETED, list_runs

if TYPE_CHECKING:
    from prview.domain.change import Change
    from prview.models.records import RunRecord
    from prview.models.requests import ReviewRequest
    from prview.service.rules import Rules
    from prview.store.home import BranchRuns
    from prview.store.runs import StoredRun


def digest_of(request: ReviewRequest, rules: Rules, *, checked_out: bool, installed: str) -> str:
    """The digest of everything but the range that decides how it is looked."""
    policy, project = rules.policy, rules.project
    return sha256_hex(
        canonical_json(
            {
                "installed": installed,
                "profile": request.profile,
                "steps": [sorted(request.include), sorted(request.skip)],
                "code": checked_out or request.allow_code,
                "timeout": request.timeout_s,
                "ai_only": request.ai_only,
                "policy": [policy.version, policy.mode, policy.default_severity, policy.source],
                "checks": dict(policy.checks),
                "rules": dict(policy.rules),
                "project": [list(project.paths), list(project.ignores), project.breaking],
            }
        )
    )


def same_review(branch: BranchRuns, change: Change, asked: str) -> StoredRun | None:
    """The newest completed run of the branch when it is the same review, and a complete one."""
    newest = next((run for run in list_runs(branch) if run.status == COMPLETED), None)
    if newest is None or newest.record is None:
        return None
    same = _range_of(newest.record) == _range(change) and newest.record.asked == asked
    return newest if same and newest.record.prview_version == __version__ and _complete(newest) else None


def _range(change: Change) -> tuple[object, ...]:
    bases = [(base.ref, base.commit) for base in change.bases]
    return change.head, change.merge_base, bases, change.dirty_tree


def _range_of(record: RunRecord) -> tuple[object, ...]:
    bases = [(base.ref, base.commit) for base in record.bases]
    return record.commit, record.merge_base, bases, record.dirty_tree


def _complete(run: StoredRun) -> bool:
    try:
        decision = read_gate(run).get("decision")
    except StorageCorruptError:
        return False
    return isinstance(decision, dict) and decision.get("analysis_status") == "complete"
