"""Reading the files again for which `stat` alone does not vouch."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Any

from artifactize.tree.digests import StatDigests
from artifactize.tree.stamps import epoch
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from artifactize.tree.stamps import Stamp
    from artifactize.tree.traces import Observed


def content_of(observed: Observed) -> bytes:
    """Return what an answer depends on in a file: the digest of its bytes, and whether it is executable."""
    return observed[1] + (b"x" if observed[0][5] & stat.S_IXUSR else b"-")


def still_the_same(
    repository: str,
    look: dict[str, Any],
    paths: AbstractSet[str],
    contents: Mapping[str, bytes],
    rewrite: Callable[[dict[str, Any]], None],
) -> bool:
    """Whether these files hold what they held. Better stamps than those of the look are handed on."""
    now = epoch()  # before the reading: a clock that is set while it goes on is noticed next time
    trace = Trace()
    reading = StatDigests(repository, {}, trace)
    for path in paths:
        reading.of(f"{repository}/{path}")
        seen = trace.files.get(path)
        if trace.is_torn or seen is None or content_of(seen) != contents[path]:
            return False
    fresh = {path: seen for path, seen in trace.files.items() if seen is not None}
    if any(seen[2] for seen in fresh.values()):
        rewrite(_refreshed(look, fresh, now))
    return True


def _refreshed(look: dict[str, Any], fresh: Mapping[str, Observed], now: int) -> dict[str, Any]:
    folders = [
        (folder, whole, {name: _newer(_join(folder, name), old, fresh) for name, old in entries.items()})
        for folder, whole, entries in look["folders"]
    ]
    others = {path: _newer(path, old, fresh) for path, old in look["others"].items()}
    stamped = sum(isinstance(each, tuple) for _, _, entries in folders for each in entries.values())
    stamped += sum(isinstance(each, tuple) for each in others.values())
    return {
        **look,
        "folders": folders,
        "others": others,
        "unsettled": [path for path, seen in fresh.items() if not seen[2]],
        # stamps that were believed belong to the clock they were taken with
        "epoch": now if stamped == len(fresh) else look["epoch"],
    }


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _newer(path: str, old: Stamp | str | None, fresh: Mapping[str, Observed]) -> Stamp | str | None:
    return fresh[path][0] if isinstance(old, tuple) and path in fresh else old
