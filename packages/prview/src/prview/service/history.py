"""Earlier runs of a branch, for the trend on the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.dashboard.data import PastRun
from prview.render.dashboard.trends import SHOWN
from prview.store.index import read_index

if TYPE_CHECKING:
    from prview.store.home import BranchRuns, RepositoryRuns


def earlier_runs(runs: RepositoryRuns, branch: BranchRuns) -> tuple[PastRun, ...]:
    """The newest completed runs of the branch, the oldest of them first."""
    own = [entry for entry in read_index(runs) if entry.branch_key == branch.folder.name]
    return tuple(
        PastRun(
            run_id=entry.run_id,
            commit=entry.commit,
            verdict=entry.verdict,
            generated_at=entry.generated_at,
            introduced=entry.introduced,
            preexisting=entry.preexisting,
            files_changed=entry.files_changed,
        )
        for entry in own[: SHOWN - 1][::-1]
    )
