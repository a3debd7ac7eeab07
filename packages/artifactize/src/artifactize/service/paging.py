"""The inspection operations as MCP tools: pages of exactly the JSON of the command line, compact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.models.caching import CacheShowRequest
from artifactize.models.graphs import ConfigGraphRequest
from artifactize.models.health import DoctorPageRequest, DoctorRequest
from artifactize.models.inspection import (
    CacheListPageRequest,
    CacheListRequest,
    ConfigCheckPageRequest,
    ConfigCheckRequest,
    RunListPageRequest,
    RunListRequest,
    RunShowPageRequest,
    RunShowRequest,
    StatusPageRequest,
    StatusRequest,
)
from artifactize.models.logs import LogsPageRequest, LogsRequest
from artifactize.models.page_requests import CacheShowPageRequest, ConfigGraphPageRequest
from artifactize.models.requests import (
    RequestListPageRequest,
    RequestListRequest,
    RequestShowPageRequest,
    RequestShowRequest,
)
from artifactize.models.team import RemoteStatusPageRequest, RemoteStatusRequest
from artifactize.models.tool_checks import ToolsCheckPageRequest, ToolsCheckRequest
from artifactize.service.caching import Caching
from artifactize.service.continuing import Continuations, Made
from artifactize.service.evidence import Both, StateEvidence, TreeEvidence
from artifactize.service.graphing import Graphing
from artifactize.service.inspection import Inspection
from artifactize.service.remotes import Remotes
from artifactize.service.workspace import off_loop
from mcpkit.paging import DetailPage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel, JsonValue

    from artifactize.service.workspace import Workspace
    from artifactize.tree.traces import Trace


class Pages:
    """Each operation gives one JSON text in pages."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace
        self._inspection = Inspection(workspace)
        self._graphing = Graphing(workspace)
        self._caching = Caching(workspace)
        self._remotes = Remotes(workspace)
        self._continuations = Continuations()

    async def status(self, request: StatusPageRequest) -> DetailPage:
        """Predict what verify would do with every declared eval, and why; runs no eval and changes nothing.

        For each eval: execute, reuse, wait or blocked, with the reason (which file or dependency changed).
        The answer is JSON text in pages: join entries[].text until next_cursor is null, then parse.
        """
        return await self._continuations.page("status", {}, request.cursor, self._status)

    async def config_check(self, request: ConfigCheckPageRequest) -> DetailPage:
        """Report every mistake in the declarations with file, line, column and key path; runs nothing.

        The answer is JSON text in pages, as in status.
        """
        return await self._of_tree(
            "config_check",
            {},
            request.cursor,
            lambda trace: self._inspection.config_check(ConfigCheckRequest(), trace=trace),
        )

    async def config_graph(self, request: ConfigGraphPageRequest) -> DetailPage:
        """Show the declared Artifacts, evals, gates and who takes what in; runs nothing and opens no input.

        With an artifact or eval, what that needs; with impact, also all that a change of it can reach (status
        says what has to run again, and why). The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(exclude={"cursor"})
        wanted = ConfigGraphRequest(**chosen)
        return await self._of_tree(
            "config_graph",
            chosen,
            request.cursor,
            lambda trace: self._graphing.config_graph(wanted, trace=trace),
        )

    async def run_list(self, request: RunListPageRequest) -> DetailPage:
        """List the saved Runs of this repository, newest first; limit and offset choose which.

        The answer is JSON text in pages, as in status.
        """
        wanted = RunListRequest(limit=request.limit, offset=request.offset)
        arguments: dict[str, JsonValue] = {"limit": request.limit, "offset": request.offset}
        return await self._of_state(
            "run_list", arguments, request.cursor, lambda: self._inspection.run_list(wanted)
        )

    async def run_show(self, request: RunShowPageRequest) -> DetailPage:
        """Show a saved Run: its selection, every request with state, reason, source and fingerprints.

        The answer is JSON text in pages, as in status.
        """
        wanted = RunShowRequest(run_id=request.run_id)
        return await self._of_state(
            "run_show",
            {"run_id": request.run_id},
            request.cursor,
            lambda: self._inspection.run_show(wanted),
        )

    async def request_list(self, request: RequestListPageRequest) -> DetailPage:
        """List requests (one eval of one Run each): of a Run, in a state, or all of this repository's.

        The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(mode="json", exclude={"cursor"})
        wanted = RequestListRequest(**chosen)
        return await self._of_state(
            "request_list", chosen, request.cursor, lambda: self._inspection.request_list(wanted)
        )

    async def request_show(self, request: RequestShowPageRequest) -> DetailPage:
        """Show one request: state, reason, source, key, fingerprints, and how much its execution printed.

        The answer is JSON text in pages, as in status.
        """
        wanted = RequestShowRequest(request_id=request.request_id)
        return await self._of_state(
            "request_show",
            {"request_id": request.request_id},
            request.cursor,
            lambda: self._inspection.request_show(wanted),
        )

    async def request_logs(self, request: LogsPageRequest) -> DetailPage:
        """Show what an eval printed: the last 50 lines, or those that tail, start, end or search choose.

        The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(exclude={"cursor"})
        wanted = LogsRequest(**chosen)
        return await self._always_anew(
            "request_logs", chosen, request.cursor, lambda: self._inspection.request_logs(wanted)
        )

    async def doctor(self, request: DoctorPageRequest) -> DetailPage:
        """Check whether artifactize can work here: repository, declarations, state, worker.

        The answer is JSON text in pages, as in status.
        """
        return await self._always_anew(
            "doctor", {}, request.cursor, lambda: self._inspection.doctor(DoctorRequest())
        )

    async def tools_check(self, request: ToolsCheckPageRequest) -> DetailPage:
        """Check the tools declared for reviewers: complete, their programs found, their pins hold; runs none.

        The answer is JSON text in pages, as in status.
        """
        return await self._always_anew(
            "tools_check",
            {},
            request.cursor,
            lambda: self._inspection.tools_check(ToolsCheckRequest()),
        )

    async def cache_list(self, request: CacheListPageRequest) -> DetailPage:
        """List the reusable verdicts of the state, newest first.

        The answer is JSON text in pages, as in status.
        """
        wanted = CacheListRequest(limit=request.limit)
        return await self._of_state(
            "cache_list",
            {"limit": request.limit},
            request.cursor,
            lambda: self._inspection.cache_list(wanted),
        )

    async def cache_show(self, request: CacheShowPageRequest) -> DetailPage:
        """Show the verdict of a reuse key with what it answers for; null when there is none.

        With history, every record of the key (a list). The answer is JSON text in pages, as in status.
        """
        wanted = CacheShowRequest(key=request.key)
        make: Callable[[], Awaitable[BaseModel]] = (
            (lambda: self._caching.cache_history(wanted))
            if request.history
            else (lambda: self._caching.cache_show(wanted))
        )
        arguments: dict[str, JsonValue] = {"key": request.key, "history": request.history}
        return await self._of_state("cache_show", arguments, request.cursor, make)

    async def remote_status(self, request: RemoteStatusPageRequest) -> DetailPage:
        """Say which team review store is used, whether it answers, and how many verdicts wait for it.

        The answer is JSON text in pages, as in status.
        """
        return await self._always_anew(
            "remote_status", {}, request.cursor, lambda: self._remotes.status(RemoteStatusRequest())
        )

    async def _status(self) -> Made:
        state = await off_loop(lambda: StateEvidence(self._workspace()))
        tree = TreeEvidence(self._workspace())
        found = await self._inspection.status(StatusRequest(), trace=tree.trace)
        proof = tree.proof()
        return Made(found, None if proof is None else Both(state, proof))

    async def _of_tree(
        self,
        tool: str,
        arguments: Mapping[str, JsonValue],
        cursor: str | None,
        make: Callable[[Trace], Awaitable[BaseModel]],
    ) -> DetailPage:
        async def made() -> Made:
            tree = TreeEvidence(self._workspace())
            found = await make(tree.trace)
            return Made(found, tree.proof())

        return await self._continuations.page(tool, arguments, cursor, made)

    async def _of_state(
        self,
        tool: str,
        arguments: Mapping[str, JsonValue],
        cursor: str | None,
        make: Callable[[], Awaitable[BaseModel]],
    ) -> DetailPage:
        async def made() -> Made:
            state = await off_loop(lambda: StateEvidence(self._workspace()))
            return Made(await make(), state)

        return await self._continuations.page(tool, arguments, cursor, made)

    async def _always_anew(
        self,
        tool: str,
        arguments: Mapping[str, JsonValue],
        cursor: str | None,
        make: Callable[[], Awaitable[BaseModel]],
    ) -> DetailPage:
        async def made() -> Made:
            return Made(await make(), None)

        return await self._continuations.page(tool, arguments, cursor, made)
