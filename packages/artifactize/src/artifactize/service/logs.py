"""What an eval printed, from the files under its Run, or from what the database keeps of it."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Literal

from artifactize.domain.declarations import Kind
from artifactize.domain.log_lines import Query, choose_lines
from artifactize.execution.executor import output_file
from artifactize.models.logs import DEFAULT_TAIL, LogLine, LogsResult, StreamLog
from artifactize.models.states import RequestState
from artifactize.service.observing import find_request
from artifactize.service.workspace import off_loop
from artifactize.store import requests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifactize.models.logs import LogsRequest
    from artifactize.models.stored import EvalRequest
    from artifactize.service.workspace import Workspace

_PIECE = 64 * 1024
_PARTIAL = frozenset({RequestState.RUNNING, RequestState.CANCELLED, RequestState.QUEUED})
StreamName = Literal["stdout", "stderr"]
STREAMS: tuple[StreamName, ...] = ("stdout", "stderr")


async def read_logs(workspace: Workspace, request: LogsRequest) -> LogsResult:
    """Return the chosen lines of a request's output. Raises RequestNotFoundError."""
    found = await find_request(workspace, request.request_id)
    return await off_loop(lambda: _read(workspace, found, request))


def _read(workspace: Workspace, found: EvalRequest, request: LogsRequest) -> LogsResult:
    producer = _producer(workspace, found)
    query = _query(request)
    names = STREAMS if request.stream == "both" else (request.stream,)
    return LogsResult(
        request_id=found.id,
        producer_run=producer.run_id,
        producer_request=producer.id,
        streams=tuple(_stream(workspace, producer, name, query) for name in names),
    )


def _query(request: LogsRequest) -> Query:
    search = None if request.search is None else request.search.encode()
    if request.start is None and request.end is None:
        return Query(tail=request.tail or DEFAULT_TAIL, search=search)
    return Query(tail=None, start=request.start or 1, end=request.end, search=search)


def _producer(workspace: Workspace, found: EvalRequest) -> EvalRequest:
    """Return the request whose execution gave the verdict: the newest one behind a reused one."""
    if found.source_request is None:
        return found
    with workspace.store().read() as connection:
        producer = requests.anywhere(connection, found.source_request)
    return producer or found  # its Run may have been pruned: then nothing of its output is left


def _stream(workspace: Workspace, producer: EvalRequest, name: StreamName, query: Query) -> StreamLog:
    if producer.kind != Kind.RUNTIME:
        return StreamLog(stream=name, evidence="not_runtime", total_bytes=None, lines=(), next_start=None)
    attempt = f"{producer.id}-{producer.attempt}"
    file = output_file(workspace.run_dir(producer.run_id), attempt, name)
    if file.is_file():
        interrupted = producer.state in _PARTIAL or producer.code == "INTERRUPTED"
        with file.open("rb") as output:
            return _chosen(name, "partial" if interrupted else "complete", output, file.stat().st_size, query)
    with workspace.store().read() as connection:
        saved = requests.get_output(connection, producer.id, name)
    if saved is None:
        return StreamLog(stream=name, evidence="missing", total_bytes=None, lines=(), next_start=None)
    return _chosen(name, "saved_audit", BytesIO(saved.text.encode()), saved.total_bytes, query)


def _chosen(
    name: StreamName,
    evidence: Literal["complete", "partial", "saved_audit"],
    output: BinaryIO,
    total: int,
    query: Query,
) -> StreamLog:
    lines, next_start = choose_lines(_pieces(output), query)
    shown = tuple(LogLine(number=each.number, text=each.text, clipped=each.clipped) for each in lines)
    return StreamLog(stream=name, evidence=evidence, total_bytes=total, lines=shown, next_start=next_start)


def _pieces(output: BinaryIO) -> Iterator[bytes]:
    while piece := output.readline(_PIECE):
        yield piece
