"""Read `git status --porcelain=v2 -z --no-renames` (pure)."""

from dataclasses import dataclass

from oskit.git._parse_diff import misunderstood

_ABSENT = "000000"
_CHANGED_FIELDS = 9
_UNMERGED_FIELDS, _UNMERGED_MODE = 11, 6


@dataclass(frozen=True)
class StatusEntry:
    """One path that differs from HEAD.

    `staged` means that the index differs from HEAD, `unstaged` that the file on disk differs from the index.
    `mode` is the file's mode on disk as git sees it (`000000` when it is gone), None for untracked paths,
    which end with `/` when they are repositories. `index_mode` and `index_sha` are empty where the index has
    no single entry.
    """

    path: bytes
    mode: str | None
    staged: bool = False
    unstaged: bool = True
    index_mode: str = ""
    index_sha: str = ""

    @property
    def absent(self) -> bool:
        """Whether the tracked file is gone from disk."""
        return self.mode == _ABSENT


def parse_status(output: bytes) -> tuple[StatusEntry, ...]:
    """Give every changed, unmerged and untracked path in git's order."""
    if output and not output.endswith(b"\0"):
        raise misunderstood("status", output[-80:])
    return tuple(_entry(record) for record in output.split(b"\0")[:-1])


def _entry(record: bytes) -> StatusEntry:
    kind = record[:2]
    if kind == b"? ":
        return StatusEntry(record[2:], None)
    if kind == b"1 ":
        return _tracked(record)
    if kind == b"u ":
        fields = _split(record, _UNMERGED_FIELDS)
        return StatusEntry(fields[-1], _mode(fields[_UNMERGED_MODE], record))
    raise misunderstood("status", record[:80])


def _tracked(record: bytes) -> StatusEntry:
    _, states, _, _, index_mode, mode, _, index_sha, path = _split(record, _CHANGED_FIELDS)
    return StatusEntry(
        path,
        _mode(mode, record),
        staged=not states.startswith(b"."),
        unstaged=not states.endswith(b"."),
        index_mode=_mode(index_mode, record),
        index_sha=index_sha.decode("ascii", "replace"),
    )


def _split(record: bytes, how_many: int) -> list[bytes]:
    fields = record.split(b" ", how_many - 1)
    if len(fields) != how_many:
        raise misunderstood("status", record[:80])
    return fields


def _mode(field: bytes, record: bytes) -> str:
    if not field.isdigit():
        raise misunderstood("status", record[:80])
    return field.decode("ascii")
