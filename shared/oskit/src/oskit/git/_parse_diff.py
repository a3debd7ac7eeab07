r"""Read `git diff --raw --numstat -p -z`: raw records, count records, then the patch (pure).

Names come from the NUL-terminated records, never from the patch, so no quoting rule is needed. The patch is
cut at lines that begin with `diff --git `: inside a hunk every line begins with a space, `+`, `-` or `\`,
and base85 lines hold no space, so such a line is always a file's first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oskit.git.errors import UnexpectedOutputError
from oskit.git.models import ChangedPath, FileChange

_NUL = b"\0"
_SECTION = b"diff --git "
_RAW_FIELDS = 5


@dataclass(frozen=True)
class Counts:
    """Added and deleted lines of one file; None for binary content."""

    added: int | None
    deleted: int | None
    path: bytes


def parse_changes(output: bytes) -> tuple[ChangedPath, ...]:
    """Read `git diff --raw -z` alone."""
    changes, rest = _read_raw(output, 0)
    if rest != len(output):
        raise misunderstood("diff", output[rest : rest + 80])
    return changes


def parse_diff(output: bytes) -> tuple[tuple[FileChange, ...], bytes]:
    """Read the three parts of one diff; gives the files in git's order and the whole patch."""
    changes, position = _read_raw(output, 0)
    counts, position = _read_counts(output, position, len(changes))
    if output[position : position + 1] == _NUL:  # git parts the records from the patch by one NUL
        position += 1
    patch = output[position:]
    patches = assign_patches(changes, split_patch(patch))
    return tuple(_joined(*parts) for parts in zip(changes, counts, patches, strict=True)), patch


def split_patch(patch: bytes) -> tuple[bytes, ...]:
    """Cut a patch into its `diff --git` sections; joined they are the patch again."""
    if not patch:
        return ()
    if not patch.startswith(_SECTION):
        raise misunderstood("diff -p", patch[:80])
    starts = [0]
    found = patch.find(b"\n" + _SECTION)
    while found >= 0:
        starts.append(found + 1)
        found = patch.find(b"\n" + _SECTION, found + 1)
    return tuple(patch[start:end] for start, end in zip(starts, [*starts[1:], len(patch)], strict=True))


def assign_patches(changes: Sequence[ChangedPath], sections: Sequence[bytes]) -> tuple[bytes, ...]:
    """Give every change its section; a change of type has two, a deletion and a creation."""
    wanted = [2 if change.status == "T" else 1 for change in changes]
    if sum(wanted) != len(sections):
        raise misunderstood("diff -p", f"{len(sections)} sections for {sum(wanted)} changes".encode())
    position, assigned = 0, []
    for count in wanted:
        assigned.append(b"".join(sections[position : position + count]))
        position += count
    return tuple(assigned)


def _read_raw(output: bytes, position: int) -> tuple[tuple[ChangedPath, ...], int]:
    changes = []
    while output[position : position + 1] == b":":
        header, position = _field(output, position)
        paths, position = _fields(output, position, 2 if header.rpartition(b" ")[2][:1] in b"RC" else 1)
        changes.append(_change(header, paths))
    return tuple(changes), position


def _change(header: bytes, paths: Sequence[bytes]) -> ChangedPath:
    parts = header[1:].decode("ascii", "replace").split(" ")
    if len(parts) != _RAW_FIELDS or parts[4][:1] not in set("ADMRCT"):
        raise misunderstood("diff --raw", header)
    old_mode, new_mode, old_sha, new_sha, status = parts
    score = status[1:]
    return ChangedPath(
        status=status[0],
        old_path=paths[0],
        new_path=paths[-1],
        old_mode=old_mode,
        new_mode=new_mode,
        old_sha=old_sha,
        new_sha=new_sha,
        similarity=int(score) if score.isdecimal() else None,
    )


def _read_counts(output: bytes, position: int, how_many: int) -> tuple[list[Counts], int]:
    counts = []
    for _ in range(how_many):
        record, position = _field(output, position)
        added, deleted, path = _three(record)
        if not path:  # a rename: both names follow as records of their own
            (_, path), position = _fields(output, position, 2)
        counts.append(Counts(_count(added), _count(deleted), path))
    return counts, position


def _three(record: bytes) -> tuple[bytes, bytes, bytes]:
    parts = record.split(b"\t", 2)
    if len(parts) != 3:  # noqa: PLR2004 - added, deleted, name
        raise misunderstood("diff --numstat", record)
    return parts[0], parts[1], parts[2]


def _count(text: bytes) -> int | None:
    if text == b"-":
        return None
    if not text.isdigit():
        raise misunderstood("diff --numstat", text)
    return int(text)


def _joined(change: ChangedPath, counts: Counts, patch: bytes) -> FileChange:
    if counts.path != change.new_path:
        raise misunderstood("diff --numstat", counts.path)
    return FileChange(
        **vars(change), added=counts.added, deleted=counts.deleted, binary=counts.added is None, patch=patch
    )


def _fields(output: bytes, position: int, how_many: int) -> tuple[list[bytes], int]:
    fields = []
    for _ in range(how_many):
        field, position = _field(output, position)
        fields.append(field)
    return fields, position


def _field(output: bytes, position: int) -> tuple[bytes, int]:
    end = output.find(_NUL, position)
    if end < 0:
        raise misunderstood("diff -z", output[position : position + 80])
    return output[position:end], end + 1


def misunderstood(command: str, excerpt: bytes | Iterable[int]) -> UnexpectedOutputError:
    """Say that git's answer has another form than documented."""
    return UnexpectedOutputError(
        f"git {command} answered in an unexpected form, near {bytes(excerpt)!r}.",
        "Report this with the version of git (`git --version`).",
    )
