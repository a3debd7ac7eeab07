"""Finding what an eval's tools see: exactly the files whose fingerprints its reuse key covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.declarations import ArtifactDeclaration, FingerprintRule
from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.scope import Scope
from artifactize.tree.ignores import GitIgnores
from artifactize.tree.own_files import FingerprintError, Walker
from artifactize.tree.tracked import TrackedFiles
from oskit.files import StorageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifactize.domain.graph import Graph

_EVERYTHING = FingerprintRule()


def eval_scope(root: Path, graph: Graph, eval_id: str) -> Scope:
    """Return what the tools of an eval see. Raises ToolFault `UNREADABLE`.

    Paths start with the name of an Artifact that the reuse key covers, or with an alias of it that the eval's
    text or its mounts use. What the key does not cover is not there: a verdict that leaned on it would be
    reused after it had changed.
    """
    project = graph.project
    walker = Walker(root, GitIgnores(root), TrackedFiles(root), graph.folders.owned)
    found: dict[str, str] = {}
    about: dict[str, str] = {}
    single: dict[str, str] = {}
    for name, aliases in _roots(graph, eval_id).items():
        declared = project.artifacts[name].declaration
        files = _files(walker, declared)
        for alias in aliases:
            about[alias] = _about(name, alias, declared)
            found |= {f"{alias}/{logical}": place for logical, place in files.items()}
            if declared.target is not None:
                single.update((alias, f"{alias}/{logical}") for logical in files)
    return Scope(root, found, about, single)


def folder_scope(folder: Path) -> Scope:
    """Return everything below a folder that git does not ignore, for use outside of a review. ToolFault."""
    folder = folder.resolve()
    walker = Walker(folder, GitIgnores(folder), TrackedFiles(folder), frozenset())
    return Scope(folder, _files(walker, ArtifactDeclaration("", "", "")), {"": "this folder"}, {})


def _roots(graph: Graph, eval_id: str) -> Mapping[str, tuple[str, ...]]:
    """Return every covered Artifact with the names that paths may start with, its own first."""
    project = graph.project
    found = project.evals[eval_id]
    mounts = project.artifacts[found.artifact].declaration.mounts
    covered = project.covered(eval_id)
    others: dict[str, list[str]] = {name: [] for name in covered}
    for alias, name in (*mounts.items(), *found.references.items()):
        if name in others and alias not in project.artifacts and alias not in others[name]:
            others[name].append(alias)
    return {name: (name, *aliases) for name, aliases in others.items()}


def _about(name: str, alias: str, declared: ArtifactDeclaration) -> str:
    what = f"the file {declared.target}" if declared.target is not None else "a folder"
    return f"Artifact {name}: {what}" if alias == name else f"another name of {name}"


def _files(walker: Walker, declared: ArtifactDeclaration) -> dict[str, str]:
    rule = declared.fingerprint
    if rule is None or rule.script is not None:
        rule = _EVERYTHING  # no list of files says what is covered: all of its own are
    prefix = f"{declared.folder}/" if declared.folder else ""
    try:
        files = walker.files(declared, rule)
    except (FingerprintError, StorageError) as failure:
        raise ToolFault("UNREADABLE", str(failure)) from failure
    return {_logical(each.path): prefix + each.path for each in files}


def _logical(path: str) -> str:
    r"""Return a path as one line of text; backslashes and what cannot be shown are escaped, as in `\\n`."""
    return "".join(_shown(character) for character in path)


def _shown(character: str) -> str:
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode()
