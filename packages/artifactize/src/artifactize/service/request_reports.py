"""Looking at single requests of Runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from artifactize.errors import RequestNotFoundError, RunNotFoundError
from artifactize.models.requests import OutputSize, RequestDetail, RequestListResult, RequestSummary
from artifactize.service.projecting import request_report
from artifactize.store import requests, runs

if TYPE_CHECKING:
    from typing import Literal

    import sqlalchemy as sa

    from artifactize.models.requests import RequestListRequest, RequestShowRequest
    from artifactize.models.stored import EvalRequest
    from artifactize.service.workspace import Workspace

_SUMMARY = ("run_id", "eval", "kind", "title", "state", "source", "code", "started_at", "finished_at")


def list_requests(workspace: Workspace, request: RequestListRequest) -> RequestListResult:
    """Return the chosen requests of the repository. Raises RunNotFoundError."""
    store = workspace.existing_store()
    if store is None:
        if request.run_id is not None:
            raise RunNotFoundError(request.run_id)
        return RequestListResult(requests=())
    with store.read() as connection:
        if request.run_id is not None and not _is_known(connection, workspace, request.run_id):
            raise RunNotFoundError(request.run_id)
        found = requests.listed(
            connection,
            workspace.repository,
            requests.Wanted(request.run_id, request.state, request.limit, request.offset),
        )
    return RequestListResult(requests=tuple(_summary(each) for each in found))


def show_request(workspace: Workspace, request: RequestShowRequest) -> RequestDetail:
    """Return everything that is saved of a request but its output. Raises RequestNotFoundError."""
    store = workspace.existing_store()
    if store is None:
        raise RequestNotFoundError(request.request_id)
    with store.read() as connection:
        found = requests.get(connection, request.request_id, repository=workspace.repository)
        run = None if found is None else runs.get(connection, found.run_id, repository=workspace.repository)
        if found is None or run is None:
            raise RequestNotFoundError(request.request_id)
        sizes = requests.output_sizes(connection, found.source_request or found.id)
    return RequestDetail(
        run_id=run.id,
        run_state=run.state,
        run_outcome=run.outcome,
        definition=found.definition,
        request=request_report(found),
        outputs=tuple(
            OutputSize(stream=cast("Literal['stdout', 'stderr']", stream), total_bytes=size)
            for stream, size in sorted(sizes.items(), reverse=True)
        ),
    )


def _is_known(connection: sa.Connection, workspace: Workspace, run_id: str) -> bool:
    return runs.get(connection, run_id, repository=workspace.repository) is not None


def _summary(request: EvalRequest) -> RequestSummary:
    return RequestSummary(request_id=request.id, **{name: getattr(request, name) for name in _SUMMARY})
