"""The operations: what each one's docstring says is the description of the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oskit.clock import now
from prview.models import explaining, requests, results
from prview.service.artifacts import read_artifact
from prview.service.dashboard import open_dashboard
from prview.service.doctor import doctor
from prview.service.explaining import explain_run
from prview.service.findings import findings
from prview.service.health import health
from prview.service.initializing import initialize
from prview.service.listing import list_all
from prview.service.naming import whole_run_id
from prview.service.pruning import prune
from prview.service.results import completed_review
from prview.service.reviewing import review
from prview.service.running import run_review
from prview.service.state import state
from prview.service.verdict import verdict
from prview.store.sarif_files import SarifFiles

if TYPE_CHECKING:
    from prview.service.settings import Settings


class Prview:
    """prview with everything it needs. Stateless: every request names its repository.

    What it remembers, parsed files, it believes only while they are the very same.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sarif_files = SarifFiles()

    async def health(self, request: requests.HealthRequest) -> results.HealthResult:
        """Say whether prview can work: its version, git, and for a repo the programs its profile needs.

        Call it once at the start of a session.
        """
        return await health(self._settings, request)

    async def state(self, request: requests.StateRequest) -> results.StateResult:
        """Look at a repository cheaply: branch, base, size of the change, the latest runs.

        Call it before run_review: when the latest run for HEAD is completed, no new one is needed.
        """
        return await state(self._settings, request)

    async def run_review(self, request: requests.RunReviewRequest) -> results.RunReviewResult:
        """Review what HEAD adds to its base and write a pack with one merge verdict.

        Profile "quick" answers with the verdict, within 120 seconds. Profile "deep" also runs the tests, in
        the background: poll verdict with the returned run_id. One run a branch at a time.
        """
        return await run_review(self._settings, request)

    async def verdict(self, request: requests.VerdictRequest) -> results.VerdictResult:
        """Give the decision of a run (default: the latest for HEAD): verdict, blockers, caveats, gates.

        While a run is not finished it says how alive it is; poll until status is completed.
        """
        return await verdict(self._settings, request)

    async def findings(self, request: requests.FindingsRequest) -> results.FindingsResult:
        """Page through the located findings of a completed run, ordered by file, line and rule."""
        return await findings(self._settings, request, files=self._sarif_files)

    async def read_artifact(self, request: requests.ReadArtifactRequest) -> results.ReadArtifactResult:
        """Read one text file of a run's pack by lines, when verdict and findings are not enough."""
        return await read_artifact(self._settings, request)

    async def runs(self, request: requests.RunsRequest) -> results.RunsResult:
        """List the runs of a branch or of all branches."""
        return await list_all(self._settings, request)

    async def prune(self, request: requests.PruneRequest) -> results.PruneResult:
        """Remove old runs; never one that is active, never the newest completed one of a branch."""
        return await prune(self._settings, request)

    async def doctor(self, request: requests.DoctorRequest) -> results.DoctorResult:
        """Say which programs were found, and where."""
        return await doctor(self._settings, request)

    async def explain(self, request: requests.ExplainRequest) -> explaining.ExplainResult:
        """Say why a run has its verdict: every reason with its evidence and the way out."""
        return await explain_run(self._settings, request)

    async def open(self, request: requests.OpenRequest) -> explaining.OpenResult:
        """Show a run's dashboard in the browser, or say where it is."""
        return await open_dashboard(self._settings, request)

    async def init(self, request: requests.InitRequest) -> explaining.InitResult:
        """Write policy, hook, CI and MCP registration into a checkout; keep what is there."""
        return await initialize(self._settings, request)

    async def review(self, request: requests.ReviewRequest) -> results.RunReviewResult:
        """Review a branch in this process: the command line's door."""
        started = now()
        return completed_review(await review(self._settings, request), asked_at=started)

    async def whole_run_id(self, repo: str, part: str) -> str:
        """Return the id of the run that a person means by a part of it; for the command line alone."""
        return await whole_run_id(self._settings, repo, part)
