"""Which Artifact a folder belongs to: always the nearest declared folder around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView

    from artifactize.domain.declarations import ArtifactDeclaration


class Folders:
    """The declared folders of a repository. File Artifacts own no folder and are nobody's child."""

    def __init__(self, declarations: Iterable[ArtifactDeclaration]) -> None:
        self._all = {declared.name: declared for declared in declarations}
        self._owners = {found.folder: found for found in self._all.values() if found.target is None}
        self._children: dict[str, list[str]] = {}
        for folder, declared in self._owners.items():
            parent = self._nearest(_parent(folder)) if folder else None
            if parent is not None:
                self._children.setdefault(parent.name, []).append(declared.name)

    @property
    def owned(self) -> KeysView[str]:
        """The folders that are Artifacts."""
        return self._owners.keys()

    def children(self, declared: ArtifactDeclaration) -> tuple[str, ...]:
        """Return the nearest declared folders inside a folder Artifact, in configuration order."""
        return () if declared.target is not None else tuple(self._children.get(declared.name, ()))

    def locate(self, start: ArtifactDeclaration, path: str) -> tuple[ArtifactDeclaration, str]:
        """Return whose file a logical path inside a folder Artifact is, and where it is in the repository.

        A first segment that is a mount alias leads into the mounted Artifact.
        """
        mounted = self._mounted(start, path)
        if mounted is not None:
            return mounted
        place = _join(start.folder, path)
        return self._nearest(place) or start, place

    def _mounted(self, start: ArtifactDeclaration, path: str) -> tuple[ArtifactDeclaration, str] | None:
        alias, _, rest = path.partition("/")
        target = self._all.get(start.mounts.get(alias, ""))
        if target is None:
            return None
        if target.target is not None:
            return target, _join(target.folder, target.target)
        return self.locate(target, rest) if rest else (target, target.folder)

    def _nearest(self, folder: str | None) -> ArtifactDeclaration | None:
        while folder is not None:
            if (found := self._owners.get(folder)) is not None:
                return found
            folder = _parent(folder)
        return None


def _parent(folder: str) -> str | None:
    if not folder:
        return None
    return folder.rpartition("/")[0]


def _join(folder: str, path: str) -> str:
    if path == ".":
        return folder
    return f"{folder}/{path}" if folder else path
