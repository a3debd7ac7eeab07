"""The inspection operations, bound to one workspace: looking, without changing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.models.inspection import (
    CacheListRequest,
    CacheListResult,
    ConfigCheckRequest,
    ConfigCheckResult,
    ConfigProblem,
    RunListRequest,
    RunListResult,
    RunReport,
    RunShowRequest,
    StatusRequest,
    StatusResult,
)
from artifactize.service.doctor import diagnose
from artifactize.service.logs import read_logs
from artifactize.service.observing import observe
from artifactize.service.predicting import predict
from artifactize.service.projecting import cache_entry, run_report, run_summary
from artifactize.service.request_reports import list_requests, show_request
from artifactize.service.tool_checking import check_tools
from artifactize.service.workspace import off_loop
from artifactize.store import records, requests, runs
from artifactize.tree.discovery import check_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.models.health import DoctorRequest, DoctorResult
    from artifactize.models.logs import LogsRequest, LogsResult
    from artifactize.models.requests import (
        RequestDetail,
        RequestListRequest,
        RequestListResult,
        RequestShowRequest,
    )
    from artifactize.models.tool_checks import ToolsCheckRequest, ToolsCheckResult
    from artifactize.service.workspace import Workspace
    from artifactize.tree.traces import Trace


class Inspection:
    """Reads of the repository and its state. `workspace` is asked for when an operation needs it.

    What of the repository is looked at is noted in a `trace`.
    """

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def status(self, request: StatusRequest, *, trace: Trace | None = None) -> StatusResult:
        """Say for each eval whether verify will execute, reuse, wait or be blocked, and why."""
        return await predict(self._workspace(), request, trace=trace)

    async def config_check(
        self, request: ConfigCheckRequest, *, trace: Trace | None = None
    ) -> ConfigCheckResult:
        """Report every mistake in the declarations; runs nothing and opens no input."""
        del request
        root = self._workspace().root
        project, problems = await off_loop(lambda: check_project(root, trace))
        shown = tuple(
            ConfigProblem(
                file=each.file,
                line=each.line,
                column=each.column,
                key_path=each.key_path,
                message=each.message,
            )
            for each in problems
        )
        return ConfigCheckResult(
            ok=not problems,
            artifacts=len(project.artifacts),
            evals=len(project.evals),
            problems=shown or None,
        )

    async def run_list(self, request: RunListRequest) -> RunListResult:
        """List the saved Runs of the repository, newest first."""
        return await off_loop(lambda: self._run_list(request))

    async def run_show(self, request: RunShowRequest) -> RunReport:
        """Show a saved Run with all its requests."""
        seen = await observe(self._workspace(), request.run_id)
        return run_report(seen.run, seen.requests)

    async def request_list(self, request: RequestListRequest) -> RequestListResult:
        """List requests of the repository's Runs."""
        return await off_loop(lambda: list_requests(self._workspace(), request))

    async def request_show(self, request: RequestShowRequest) -> RequestDetail:
        """Show one request with what is saved of it."""
        return await off_loop(lambda: show_request(self._workspace(), request))

    async def cache_list(self, request: CacheListRequest) -> CacheListResult:
        """List the reusable verdicts of the state, newest first."""
        return await off_loop(lambda: self._cache_list(request))

    async def request_logs(self, request: LogsRequest) -> LogsResult:
        """Show what an eval printed."""
        return await read_logs(self._workspace(), request)

    async def tools_check(self, request: ToolsCheckRequest) -> ToolsCheckResult:
        """Check the tools declared for reviewers; with `execute`, call each with its example."""
        return await check_tools(self._workspace(), request)

    async def doctor(self, request: DoctorRequest) -> DoctorResult:
        """Check the repository, its declarations, the state and the worker."""
        del request
        workspace = self._workspace()
        return await off_loop(lambda: diagnose(workspace))

    def _run_list(self, request: RunListRequest) -> RunListResult:
        workspace = self._workspace()
        store = workspace.existing_store()
        if store is None:
            return RunListResult(runs=())
        with store.read() as connection:
            found = runs.newest(connection, workspace.repository, limit=request.limit, offset=request.offset)
            counts = requests.counts(connection, [run.id for run in found])
        return RunListResult(runs=tuple(run_summary(run, counts.get(run.id, {})) for run in found))

    def _cache_list(self, request: CacheListRequest) -> CacheListResult:
        store = self._workspace().existing_store()
        if store is None:
            return CacheListResult(entries=())
        with store.read() as connection:
            found = records.listed(connection, limit=request.limit)
        return CacheListResult(entries=tuple(cache_entry(record) for record in found))
