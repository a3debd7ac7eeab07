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
from mcpkit.canonical import compact_json, sha256_hex
from mcpkit.paging import Binding, DetailPage, text_page

if TYPE_CHECKING:
    from pydantic import BaseModel, JsonValue

    from artifactize.service.caching import Caching
    from artifactize.service.graphing import Graphing
    from artifactize.service.inspection import Inspection


class Pages:
    """Each operation gives one JSON text in pages."""

    def __init__(self, inspection: Inspection, graphing: Graphing, caching: Caching) -> None:
        self._inspection = inspection
        self._graphing = graphing
        self._caching = caching

    async def status(self, request: StatusPageRequest) -> DetailPage:
        """Predict what verify would do with every declared eval, and why; runs no eval and changes nothing.

        For each eval: execute, reuse, wait or blocked, with the reason (which file or dependency changed).
        The answer is JSON text in pages: join entries[].text until next_cursor is null, then parse.
        """
        return _page("status", {}, await self._inspection.status(StatusRequest()), request.cursor)

    async def config_check(self, request: ConfigCheckPageRequest) -> DetailPage:
        """Report every mistake in the declarations with file, line, column and key path; runs nothing.

        The answer is JSON text in pages, as in status.
        """
        found = await self._inspection.config_check(ConfigCheckRequest())
        return _page("config_check", {}, found, request.cursor)

    async def config_graph(self, request: ConfigGraphPageRequest) -> DetailPage:
        """Show the declared Artifacts, evals, gates and who takes what in; runs nothing and opens no input.

        With an artifact or eval, what that needs; with impact, also all that a change of it can reach (status
        says what has to run again, and why). The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(exclude={"cursor"})
        found = await self._graphing.config_graph(ConfigGraphRequest(**chosen))
        return _page("config_graph", chosen, found, request.cursor)

    async def run_list(self, request: RunListPageRequest) -> DetailPage:
        """List the saved Runs of this repository, newest first; limit and offset choose which.

        The answer is JSON text in pages, as in status.
        """
        found = await self._inspection.run_list(RunListRequest(limit=request.limit, offset=request.offset))
        arguments: dict[str, JsonValue] = {"limit": request.limit, "offset": request.offset}
        return _page("run_list", arguments, found, request.cursor)

    async def run_show(self, request: RunShowPageRequest) -> DetailPage:
        """Show a saved Run: its selection, every request with state, reason, source and fingerprints.

        The answer is JSON text in pages, as in status.
        """
        found = await self._inspection.run_show(RunShowRequest(run_id=request.run_id))
        return _page("run_show", {"run_id": request.run_id}, found, request.cursor)

    async def request_list(self, request: RequestListPageRequest) -> DetailPage:
        """List requests (one eval of one Run each): of a Run, in a state, or all of this repository's.

        The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(mode="json", exclude={"cursor"})
        found = await self._inspection.request_list(RequestListRequest(**chosen))
        return _page("request_list", chosen, found, request.cursor)

    async def request_show(self, request: RequestShowPageRequest) -> DetailPage:
        """Show one request: state, reason, source, key, fingerprints, and how much its execution printed.

        The answer is JSON text in pages, as in status.
        """
        found = await self._inspection.request_show(RequestShowRequest(request_id=request.request_id))
        return _page("request_show", {"request_id": request.request_id}, found, request.cursor)

    async def request_logs(self, request: LogsPageRequest) -> DetailPage:
        """Show what an eval printed: the last 50 lines, or those that tail, start, end or search choose.

        The answer is JSON text in pages, as in status.
        """
        chosen = request.model_dump(exclude={"cursor"})
        found = await self._inspection.request_logs(LogsRequest(**chosen))
        return _page("request_logs", chosen, found, request.cursor)

    async def doctor(self, request: DoctorPageRequest) -> DetailPage:
        """Check whether artifactize can work here: repository, declarations, state, worker.

        The answer is JSON text in pages, as in status.
        """
        return _page("doctor", {}, await self._inspection.doctor(DoctorRequest()), request.cursor)

    async def cache_list(self, request: CacheListPageRequest) -> DetailPage:
        """List the reusable verdicts of the state, newest first.

        The answer is JSON text in pages, as in status.
        """
        found = await self._inspection.cache_list(CacheListRequest(limit=request.limit))
        return _page("cache_list", {"limit": request.limit}, found, request.cursor)

    async def cache_show(self, request: CacheShowPageRequest) -> DetailPage:
        """Show the verdict of a reuse key with what it answers for; null when there is none.

        With history, every record of the key (a list). The answer is JSON text in pages, as in status.
        """
        wanted = CacheShowRequest(key=request.key)
        found: BaseModel = (
            await self._caching.cache_history(wanted)
            if request.history
            else await self._caching.cache_show(wanted)
        )
        arguments: dict[str, JsonValue] = {"key": request.key, "history": request.history}
        return _page("cache_show", arguments, found, request.cursor)


def _page(tool: str, arguments: dict[str, JsonValue], result: BaseModel, cursor: str | None) -> DetailPage:
    text = compact_json(result)
    return text_page(text, binding=Binding(tool, arguments, sha256_hex(text.encode())), cursor=cursor)
