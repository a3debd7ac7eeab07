"""Read `git cat-file --batch` (pure, over bytes or a memory map)."""

from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

from oskit.git._parse_diff import misunderstood

_HEADER = 200  # an object name, a kind and a size are shorter


@dataclass(frozen=True)
class BatchObject:
    """One answer: `content` is None when the object is missing."""

    sha: str
    kind: str
    content: bytes | None


def parse_batch(output: bytes | mmap) -> Iterator[BatchObject]:
    """Give the objects in the order they were asked for, one at a time."""
    position, end = 0, len(output)
    while position < end:
        line_end = output.find(b"\n", position, position + _HEADER)
        if line_end < 0:
            raise misunderstood("cat-file --batch", output[position : position + 80])
        fields = output[position:line_end].decode("ascii", "replace").split(" ")
        if len(fields) == 2:  # noqa: PLR2004 - `<name> missing`
            yield BatchObject(fields[0], fields[1], None)
            position = line_end + 1
            continue
        start, position = line_end + 1, line_end + 2 + _size(fields)
        if output[position - 1 : position] != b"\n":
            raise misunderstood("cat-file --batch", b" ".join(field.encode() for field in fields))
        yield BatchObject(fields[0], fields[1], output[start : position - 1])


def _size(fields: list[str]) -> int:
    if len(fields) != 3 or not fields[2].isdecimal():  # noqa: PLR2004 - name, kind, size
        raise misunderstood("cat-file --batch", " ".join(fields).encode())
    return int(fields[2])
