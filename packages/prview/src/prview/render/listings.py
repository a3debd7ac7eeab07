"""The plain lists of a pack: metadata, changed files, commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.lfs import lfs_sizes
from prview.render.quoting import one_line

if TYPE_CHECKING:
    from prview.domain.change import Change, ChangedFile
    from prview.models.records import RunRecord


def metadata(change: Change, run: RunRecord) -> str:
    """`pr-metadata.txt`: one `key: value` a line."""
    bases = ", ".join(f"{one_line(base.ref)} {base.commit}" for base in change.bases)
    pairs = {
        "run": run.run_id,
        "target": one_line(change.target),
        **_pull(change),
        "head": change.head,
        "bases": bases,
        "merge-base": change.merge_base,
        "commits": str(len(change.commits)),
        "files": str(len(change.files)),
        "lines-added": str(sum(file.added or 0 for file in change.files)),
        "lines-deleted": str(sum(file.deleted or 0 for file in change.files)),
        "working-tree": f"dirty {change.dirty_tree or ''}".strip() if change.dirty else "clean",
        "profile": run.profile,
        "generated": run.generated_at,
    }
    return "".join(f"{key}: {value}\n" for key, value in pairs.items())


def _pull(change: Change) -> dict[str, str]:
    pull = change.pull
    if pull is None:
        return {}
    told = {"pull-request": str(pull.number), "title": pull.title, "author": pull.author, "url": pull.url}
    return {key: one_line(value) for key, value in told.items()}


def file_status(change: Change) -> str:
    """`file-status.txt`: status, lines added and deleted, path, tab-separated; a rename names both paths."""
    return "".join(_file_line(file) for file in change.files)


def commit_list(change: Change) -> str:
    """`commit-list.txt`: id, time, author, subject, tab-separated, the oldest first."""
    return "".join(
        "\t".join((commit.sha, commit.time, one_line(commit.author), one_line(commit.subject))) + "\n"
        for commit in change.commits
    )


def _file_line(file: ChangedFile) -> str:
    moved = f"{one_line(file.old_path)} -> " if file.old_path and file.old_path != file.path else ""
    mode = f"\tmode {file.old_mode} -> {file.new_mode}" if _mode_changed(file) else ""
    sizes = lfs_sizes(file.patch)
    lfs = f"\tlfs {sizes}" if sizes else ""
    counts = f"{file.status}\t{_number(file.added)}\t{_number(file.deleted)}"
    return f"{counts}\t{moved}{one_line(file.path)}{mode}{lfs}\n"


def _mode_changed(file: ChangedFile) -> bool:
    return file.status in {"M", "R"} and file.old_mode != file.new_mode


def _number(lines: int | None) -> str:
    return "-" if lines is None else str(lines)
