"""Which changed files are not the repository's own work: generated, vendored, ignored by the project.

What the base had is judged by the base's attributes and text, new files by the head's: a branch that
declares an old file generated does not get rid of what is said about changing it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.foreign import ATTRIBUTES, ForeignFiles, generated_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oskit.git import Repository
    from prview.checks.trees import Side, Trees
    from prview.domain.change import Change, ChangedFile

_MAX_ATTRIBUTE_FILES = 200
_READ_CHARS = 4096
_MAX_FILES_READ = 5000


async def outside_files(
    change: Change, trees: Trees, repository: Repository, *, ignored: tuple[str, ...]
) -> dict[str, str]:
    """Why each such file is outside, by its path: `generated`, `vendored` or `ignored`."""
    base = await _rules(trees, repository, "base", ignored)
    head = await _rules(trees, repository, "head", ignored)
    tags = {
        file.path: reason
        for file in change.files
        if (reason := head.reason(file.path) if is_new(file) else base.reason(before(file)))
    }
    left = [file for file in change.files if file.path not in tags and file.has_text]
    heads = {file.path: _beginning(file) for file in left if is_new(file)}
    heads |= await _old_texts(trees, repository, [file for file in left if not is_new(file)])
    return tags | {path: "generated" for path, text in heads.items() if generated_text(text)}


def is_new(file: ChangedFile) -> bool:
    """Whether the base has no file that this one comes from."""
    return file.status in {"A", "C"}


def before(file: ChangedFile) -> str:
    """The path a file had in the base."""
    return file.old_path or file.path


def _beginning(file: ChangedFile) -> str:
    return "\n".join(line.text for line in file.added_lines[:40])[:_READ_CHARS]


async def _rules(trees: Trees, repository: Repository, side: Side, ignored: tuple[str, ...]) -> ForeignFiles:
    listing = await trees.listing(side)
    named = sorted(path for path in listing if path.rpartition("/")[2] == ATTRIBUTES)
    return ForeignFiles(await _texts(repository, listing, named[:_MAX_ATTRIBUTE_FILES]), ignored=ignored)


async def _old_texts(trees: Trees, repository: Repository, files: list[ChangedFile]) -> dict[str, str]:
    texts = await _texts(
        repository, await trees.listing("base"), (before(file) for file in files[:_MAX_FILES_READ])
    )
    return {file.path: texts.get(before(file), "")[:_READ_CHARS] for file in files}


async def _texts(repository: Repository, listing: Mapping[str, str], paths: Iterable[str]) -> dict[str, str]:
    """The texts of regular files, read by one process."""
    names = {path: listing[path].split(" ")[1] for path in paths if listing.get(path, "").startswith("100")}
    blobs = await repository.read_blobs(set(names.values())) if names else {}
    return {path: (blobs[name] or b"").decode("utf-8", "replace") for path, name in names.items()}
