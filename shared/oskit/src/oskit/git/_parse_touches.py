"""Read `git log --numstat -z` written with a format of our own (pure)."""

from oskit.git._parse_diff import misunderstood
from oskit.git._parse_log import time_of
from oskit.git.models import Touch, TouchedFile

_FIELDS = 5


def touch_format(mark: str) -> str:
    """Give the value of `--format` whose output `parse_touches` reads; `mark` must be unpredictable ASCII."""
    return f"tformat:{mark}%H%x00%an%x00%ae%x00%at%x00%s%x00{mark}"


def parse_touches(output: bytes, mark: str) -> tuple[Touch, ...]:
    """Give the commits in the order of the output."""
    parts = output.split(mark.encode("ascii"))
    if parts[0] or len(parts) % 2 == 0:
        raise misunderstood("log --numstat", parts[0][:80])
    return tuple(_touch(header, tail) for header, tail in zip(parts[1::2], parts[2::2], strict=True))


def _touch(header: bytes, tail: bytes) -> Touch:
    fields = header.split(b"\0")
    if len(fields) != _FIELDS + 1:
        raise misunderstood("log --numstat", header[:80])
    sha, author, email, time, subject = (field.decode("utf-8", "replace") for field in fields[:-1])
    records = [record for record in tail.lstrip(b"\0\n").split(b"\0") if record]
    return Touch(sha, author, email, time_of(time), subject, tuple(_file(record) for record in records))


def _file(record: bytes) -> TouchedFile:
    counts = record.split(b"\t", 2)
    if len(counts) != 3:  # noqa: PLR2004 - added, deleted, path
        raise misunderstood("log --numstat", record[:80])
    added, deleted, path = counts
    if added == b"-":
        return TouchedFile(path, None, None)
    return TouchedFile(path, int(added), int(deleted))
