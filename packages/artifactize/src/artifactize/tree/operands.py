"""Turning a declared command into the argument list that runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.references import operand

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from artifactize.domain.graph import Graph
    from artifactize.domain.project import Eval


class OperandError(Exception):
    """A program or input of a command that is missing or reached through a link."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What to start, and where."""

    argv: tuple[str, ...]
    cwd: Path


class Commands:
    """Prepares the commands of a project's evals and fingerprints."""

    def __init__(self, root: Path, graph: Graph) -> None:
        self._root = root
        self._project = graph.project
        self._folders = graph.folders

    def prepare(
        self, artifact: str, command: str, args: Sequence[str], *, of: Eval | None = None
    ) -> Prepared:
        """Return the argument list with references of the eval `of` resolved. Raises OperandError."""
        declared = self._project.artifacts[artifact].declaration
        cwd = self._root / declared.folder
        resolved = [self._argument(argument, of) for argument in args]
        return Prepared((self._program(cwd, command), *resolved), cwd)

    def _program(self, cwd: Path, command: str) -> str:
        if "/" not in command or command.startswith("/"):
            return command
        return self._existing(cwd, command.removeprefix("./"))

    def _argument(self, argument: str, found: Eval | None) -> str:
        reference = operand(argument)
        if reference is None or found is None:
            return argument
        start = self._project.artifacts[found.references[reference.name]].declaration
        if start.target is not None:
            return reference.flag + self._existing(self._root / start.folder, start.target)
        if not reference.path:
            return reference.flag + str(self._root / start.folder)
        _, place = self._folders.locate(start, reference.path)
        return reference.flag + self._existing(self._root, place)

    @staticmethod
    def _existing(folder: Path, path: str) -> str:
        place = str(folder)
        for segment in path.split("/"):
            place = f"{place}/{segment}"
            if os.path.islink(place):  # noqa: PTH114 - text, as everything here
                raise OperandError(f"{path} is reached through a symbolic link, which is never followed")
        if not os.path.lexists(place):
            raise OperandError(f"{path} does not exist in {folder}")
        return place
