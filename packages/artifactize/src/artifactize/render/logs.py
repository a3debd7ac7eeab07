"""Output of evals as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.logs import LogsResult, StreamLog


def logs_text(result: LogsResult) -> str:
    """Return each stream under a heading, its lines numbered."""
    return "\n".join(line for stream in result.streams for line in _stream_lines(stream))


def _stream_lines(stream: StreamLog) -> list[str]:
    size = "" if stream.total_bytes is None else f", {stream.total_bytes} bytes"
    width = len(str(stream.lines[-1].number)) if stream.lines else 1
    lines = [f"{each.number:>{width}}  {escape_untrusted(each.text)}" for each in stream.lines]
    more = [] if stream.next_start is None else [f"… continue with --start {stream.next_start}"]
    return [f"── {stream.stream} ({stream.evidence}{size})", *lines, *more]
