"""What a look saw of the files, in the form in which it is rechecked and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from artifactize.service.rereading import content_of

if TYPE_CHECKING:
    from artifactize.tree.rechecking import Folder
    from artifactize.tree.stamps import Stamp
    from artifactize.tree.traces import Trace


def traced_section(trace: Trace, began: int) -> dict[str, Any]:
    """Return what a look saw of the files; `began` is the clock's epoch from before it."""
    folders, others = _compact(trace)
    return {
        "epoch": began,
        "folders": folders,
        "others": others,
        "asks_git": trace.asks_git,
        "index": trace.index,
        "unsettled": [path for path, each in trace.files.items() if each is not None and not each[2]],
        "contents": {path: content_of(each) for path, each in trace.files.items() if each is not None},
    }


def _compact(trace: Trace) -> tuple[list[Folder], dict[str, Stamp | str | None]]:
    """Return the listings with the stamps of the files read in them, and what stands outside of them."""
    left: dict[str, Stamp | str | None] = {
        path: None if each is None else each[0] for path, each in trace.files.items()
    }
    left |= {path: None if kind == "-" else left.get(path) or kind for path, kind in trace.kinds.items()}
    folders: list[Folder] = []
    for folder, listed in {**trace.declared, **trace.folders}.items():
        entries: dict[str, str | Stamp] = {}
        for name, kind in listed.items():
            stamp = left.pop(f"{folder}/{name}" if folder else name, None)
            entries[name] = stamp if isinstance(stamp, tuple) and kind == "f" else kind
        folders.append((folder, folder in trace.folders, entries))
    listed_folders = trace.declared.keys() | trace.folders.keys()
    missing = [path for path, stamp in left.items() if stamp is None]
    for path in missing:  # a listing that lacks a telling file says so already
        if path.rpartition("/")[0] in listed_folders:
            del left[path]
    return folders, left
