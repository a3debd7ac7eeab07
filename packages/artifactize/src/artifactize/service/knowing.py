"""Beginning with what earlier processes knew of a project."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from artifactize.service.recalling import DIGESTS, LOOK, PARSED
from artifactize.store.memo_file import MemoFile, NothingRemembered, place_of
from artifactize.tree.known import Loaded, known_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifactize.domain.declarations import ArtifactDeclaration
    from artifactize.tree.traces import Observed

_DIGEST = 32


def know(root: Path, state_dir: Path) -> None:
    """Let this process begin with what is remembered of a project, when it first looks at it."""
    known_of(root).load_when_needed(lambda: load(str(root), str(state_dir)))


def pickled(declarations: Mapping[str, ArtifactDeclaration]) -> bytes:
    """Return declarations as they are remembered."""
    return pickle.dumps(dict(declarations), protocol=pickle.HIGHEST_PROTOCOL)


def load(repository: str, state_dir: str) -> Loaded | None:
    """Return what is remembered of a project's files and declarations, or None."""
    try:
        memo = MemoFile(place_of(state_dir, repository))
        look = memo.section(LOOK)
        if look["repository"] != repository:
            return None
        contents: dict[str, bytes] = memo.section(DIGESTS)
        declarations = pickle.loads(memo.section(PARSED))  # noqa: S301 - ours, from a folder only we can write
    except (NothingRemembered, KeyError, TypeError, ValueError, AttributeError, ImportError, EOFError):
        return None
    except pickle.UnpicklingError:
        return None
    stamps = {
        f"{folder}/{name}" if folder else name: stamp
        for folder, _, entries in look["folders"]
        for name, stamp in entries.items()
        if stamp.__class__ is tuple
    }
    stamps |= {path: stamp for path, stamp in look["others"].items() if stamp.__class__ is tuple}
    unsettled = set(look["unsettled"])
    seen: dict[str, Observed] = {
        path: (stamp, contents[path][:_DIGEST], True)
        for path, stamp in stamps.items()
        if path not in unsettled and path in contents
    }
    return Loaded(look["epoch"], seen, declarations)
