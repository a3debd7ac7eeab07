"""Read `git ls-tree -z` and `git ls-files --stage -z` (pure)."""

from oskit.git._parse_diff import misunderstood
from oskit.git.models import TreeEntry

_MERGED = "0"


def parse_tree(output: bytes) -> tuple[TreeEntry, ...]:
    """Read `ls-tree -z`, with or without `-l`."""
    return tuple(_tree_entry(record) for record in _records(output))


def parse_paths(output: bytes) -> tuple[bytes, ...]:
    """Read `ls-tree -z --name-only`."""
    return tuple(_records(output))


def parse_index(output: bytes) -> tuple[TreeEntry, ...]:
    """Read `ls-files --stage -z`; paths in conflict (stages 1 to 3) are left out."""
    entries = (_index_entry(record) for record in _records(output))
    return tuple(entry for stage, entry in entries if stage == _MERGED)


def _records(output: bytes) -> list[bytes]:
    if output and not output.endswith(b"\0"):
        raise misunderstood("ls-tree", output[-80:])
    return output.split(b"\0")[:-1]


def _halves(record: bytes) -> tuple[list[str], bytes]:
    head, tab, path = record.partition(b"\t")
    if not tab or not path:
        raise misunderstood("ls-tree", record[:80])
    return head.decode("ascii", "replace").split(), path


def _tree_entry(record: bytes) -> TreeEntry:
    fields, path = _halves(record)
    if len(fields) == 3:  # noqa: PLR2004 - mode, kind, object
        return TreeEntry(fields[0], fields[1], fields[2], path)
    if len(fields) == 4:  # noqa: PLR2004 - … and size, `-` for submodules
        mode, kind, sha, size = fields
        return TreeEntry(mode, kind, sha, path, int(size) if size.isdecimal() else None)
    raise misunderstood("ls-tree", record[:80])


def _index_entry(record: bytes) -> tuple[str, TreeEntry]:
    fields, path = _halves(record)
    if len(fields) != 3:  # noqa: PLR2004 - mode, object, stage
        raise misunderstood("ls-files", record[:80])
    mode, sha, stage = fields
    return stage, TreeEntry(mode, "commit" if mode == "160000" else "blob", sha, path)
