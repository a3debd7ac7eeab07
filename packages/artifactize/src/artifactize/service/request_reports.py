"""Looking at single requests of Runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from artifactize.errors import RequestNotFoundError, RunNotFoundError
from artifactize.models.requests import (
    OutputSize,
    RequestDetail,
    RequestListResult,
    RequestSummary,
    SignoffReport,
)
from artifactize.service.projecting import request_report
from artifactize.store import requests, runs, signing

if TYPE_CHECKING:
    from typing import Literal

    import sqlalchemy as sa

    from artifactize.models.requests import RequestListRequest, RequestShowRequest
    from artifactize.models.stored import EvalRequest, Signoff
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
        origin = found.source_request or found.id
        sizes = requests.output_sizes(connection, origin)
        held = signing.signing(connection, found.id)
        said = signing.of_request(connection, origin)
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
        claimed_by=None if held is None else held.reviewer,
        signoffs=tuple(_signoff(each) for each in said),
    )


def _is_known(connection: sa.Connection, workspace: Workspace, run_id: str) -> bool:
    return runs.get(connection, run_id, repository=workspace.repository) is not None


def _summary(request: EvalRequest) -> RequestSummary:
    return RequestSummary(request_id=request.id, **{name: getattr(request, name) for name in _SUMMARY})


def _signoff(found: Signoff) -> SignoffReport:
    names = ("reviewer", "verdict", "fields", "comment", "authors", "submitted_at")
    return SignoffReport.model_validate({name: getattr(found, name) for name in names})
