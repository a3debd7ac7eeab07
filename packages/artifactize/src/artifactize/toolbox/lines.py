"""Reading lines of a file of any size in little memory, and showing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.toolbox.contract import ToolFault
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader

HEAD_BYTES = 1600
TAIL_BYTES = 400
_CHUNK = 64 * 1024
_PROBE = 8192
_CONTINUATION = range(0x80, 0xC0)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end: all of it in `head`, or its two ends when it is long. `number` is from 1."""

    number: int
    head: bytes
    tail: bytes
    size: int

    @property
    def text(self) -> str:
        """The line to show: bad UTF-8 as U+FFFD, controls and invisible characters spelled out."""
        if not self.tail:
            return shown(self.head)
        left_out = self.size - len(self.head) - len(self.tail)
        return f"{shown(self.head)} […{left_out} bytes of this line left out…] {shown(self.tail)}"


def shown(data: bytes) -> str:
    """Return bytes of a line as text that can be shown."""
    return escape_untrusted(data.decode("utf-8", "replace"))


def clipped(number: int, line: bytes) -> Line:
    """Return a whole line as its two ends, cut between characters."""
    if len(line) <= HEAD_BYTES + TAIL_BYTES:
        return Line(number, line, b"", len(line))
    head, tail = line[:HEAD_BYTES], line[-TAIL_BYTES:]
    return Line(number, _whole_end(head), _whole_start(tail), len(line))


def lines_of(file: BufferedReader) -> Iterator[Line]:
    """Yield every line; of a long one only its two ends are ever in memory."""
    number = 0
    while chunk := file.readline(_CHUNK):
        number += 1
        if chunk.endswith(b"\n") or len(chunk) < _CHUNK:
            yield clipped(number, _ended(chunk))
        else:
            yield _long(file, number, chunk)


def refuse_binary(file: BufferedReader, path: str, size: int) -> None:
    """Refuse a file that holds no text, judged by its beginning; the position returns there. ToolFault."""
    beginning = file.read(_PROBE)
    file.seek(0)
    if b"\0" in beginning:
        raise ToolFault("NOT_TEXT", f"{path} is binary ({size} bytes); view_image shows images")


def is_binary(data: bytes) -> bool:
    """Whether data hold no text, judged by their beginning."""
    return b"\0" in data[:_PROBE]


def _long(file: BufferedReader, number: int, chunk: bytes) -> Line:
    head, size, tail = chunk[:HEAD_BYTES], len(chunk), chunk[-TAIL_BYTES:]
    while not chunk.endswith(b"\n"):
        chunk = file.readline(_CHUNK)
        if not chunk:
            break
        size += len(chunk)
        tail = (tail + chunk)[-TAIL_BYTES - 2 :]
    ended = _ended(tail)
    return Line(number, _whole_end(head), _whole_start(ended[-TAIL_BYTES:]), size - (len(tail) - len(ended)))


def _ended(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r") if line.endswith(b"\n") else line


def _whole_start(data: bytes) -> bytes:
    at = 0
    while at < min(3, len(data)) and data[at] in _CONTINUATION:
        at += 1
    return data[at:]


def _whole_end(data: bytes) -> bytes:
    """Drop the beginning of a character whose rest was cut off."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte in _CONTINUATION:
            continue
        needed = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4  # noqa: PLR2004 - UTF-8
        return data if needed <= back else data[:-back]
    return data
