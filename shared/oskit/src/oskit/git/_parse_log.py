"""Read `git log -p` written with a format of our own (pure).

Patches may hold any byte, so commits are told apart by a random mark that nothing in the history can know.
"""

from datetime import UTC, datetime

from oskit.git._parse_diff import misunderstood
from oskit.git.models import Commit

_FIELDS = 7


def log_format(mark: str) -> str:
    """Give the value of `--format` whose output `parse_log` reads; `mark` must be unpredictable ASCII."""
    return f"tformat:{mark}%H%x00%P%x00%an%x00%ae%x00%at%x00%s%x00%b%x00{mark}"


def parse_log(output: bytes, mark: str) -> tuple[Commit, ...]:
    """Give the commits in the order of the output."""
    parts = output.split(mark.encode("ascii"))
    if parts[0] or len(parts) % 2 == 0:
        raise misunderstood("log", parts[0][:80])
    return tuple(_commit(header, tail) for header, tail in zip(parts[1::2], parts[2::2], strict=True))


def _commit(header: bytes, tail: bytes) -> Commit:
    fields = header.split(b"\0")
    if len(fields) != _FIELDS + 1:
        raise misunderstood("log", header[:80])
    sha, parents, author, email, time, subject, body = (
        field.decode("utf-8", "replace") for field in fields[:-1]
    )
    return Commit(
        sha=sha,
        parents=tuple(parents.split()),
        author=author,
        email=email,
        time=time_of(time),
        subject=subject,
        body=body.rstrip("\n"),
        patch=_patch(tail),
    )


def _patch(tail: bytes) -> bytes:
    """Take the patch after the header: one line end closes the header, an empty line parts both."""
    if tail == b"\n":
        return b""
    if not tail.startswith(b"\n\n"):
        raise misunderstood("log -p", tail[:80])
    return tail[2:]


def time_of(seconds: str) -> datetime:
    """Read the author's time; like git itself, one that no clock can show becomes the epoch."""
    try:
        return datetime.fromtimestamp(int(seconds), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, tz=UTC)
