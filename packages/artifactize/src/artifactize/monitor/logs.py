"""What an eval printed, for the monitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from artifactize.models.logs import MOST_LINES, LogsRequest
from artifactize.monitor.words import safe
from artifactize.service.logs import read_logs

if TYPE_CHECKING:
    from artifactize.models.logs import StreamLog
    from artifactize.models.stored import EvalRequest
    from artifactize.service.workspace import Workspace

_SAYS = {
    "partial": "so far",
    "saved_audit": "what is left of it",
    "missing": "nothing is left of it",
    "not_runtime": "no command ran",
}


async def log_text(workspace: Workspace, request: EvalRequest) -> Text:
    """Return the last lines of both streams. Raises ToolError."""
    found = await read_logs(workspace, LogsRequest(request_id=request.id, tail=MOST_LINES))
    text = Text()
    for stream in found.streams:
        _append(text, stream)
    return text


def _append(text: Text, stream: StreamLog) -> None:
    size = "" if stream.total_bytes is None else f", {stream.total_bytes} bytes"
    said = _SAYS.get(stream.evidence, "")
    text.append(f"{stream.stream}{size}{', ' + said if said else ''}\n", style="bold")
    for line in stream.lines:
        text.append(f"{line.number:>6} ", style="grey62")
        text.append(f"{safe(line.text)}\n")
