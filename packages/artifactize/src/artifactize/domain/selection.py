"""What a Run is asked to review."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from artifactize.errors import UnknownSelectionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.domain.graph import Graph
    from artifactize.domain.project import Project


class SelectionKind(StrEnum):
    """The forms of the selection envelope."""

    ALL = "all"
    ARTIFACT = "artifact"
    EVAL = "eval"
    ARTIFACTS = "artifacts"
    EVALS = "evals"


@dataclass(frozen=True, slots=True)
class Selection:
    """A kind with its ids, repetitions removed at their first occurrence."""

    kind: SelectionKind
    ids: tuple[str, ...] = ()

    @property
    def names_evals(self) -> bool:
        """Whether the ids are eval ids."""
        return self.kind in {SelectionKind.EVAL, SelectionKind.EVALS}


ALL = Selection(SelectionKind.ALL)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selection applied to a project.

    `selected` are the evals asked for, in selection order; `included` adds those that run with them, in
    configuration order; `closure` are the Artifacts whose evals the Run answers for.
    """

    selected: tuple[str, ...]
    included: tuple[str, ...]
    closure: tuple[str, ...]


def choose(selection: Selection, graph: Graph, *, recursive: bool) -> Chosen:
    """Apply a selection. Raises UnknownSelectionError for unknown ids, or when there is nothing to verify."""
    project = graph.project
    selected = _selected(selection, project)
    roots = _roots(selection, project)
    closure = graph.closure(roots)
    obliged = tuple(eval_id for name in closure for eval_id in project.artifacts[name].evals)
    if not obliged:
        raise UnknownSelectionError(
            "the selection has no eval, nor have its inputs, so nothing would be verified",
            hint="declare an eval in an .artf file, or select another Artifact",
        )
    more = obliged if recursive else _required(selected, project)
    return Chosen(selected, tuple(dict.fromkeys((*selected, *more))), closure)


def _selected(selection: Selection, project: Project) -> tuple[str, ...]:
    if selection.kind is SelectionKind.ALL:
        return tuple(project.evals)
    if selection.names_evals:
        _refuse_unknown(selection.ids, project.evals, "eval")
        return selection.ids
    _refuse_unknown(selection.ids, project.artifacts, "Artifact")
    return tuple(eval_id for name in selection.ids for eval_id in project.artifacts[name].evals)


def _roots(selection: Selection, project: Project) -> tuple[str, ...]:
    if selection.kind is SelectionKind.ALL:
        return tuple(project.artifacts)
    if selection.names_evals:
        return tuple(project.evals[eval_id].artifact for eval_id in selection.ids)
    return selection.ids


def _required(selected: Iterable[str], project: Project) -> tuple[str, ...]:
    """Return the evals that selected dependency evals wait for, directly and through further ones."""
    waiting = [eval_id for eval_id in selected if project.evals[eval_id].is_derived]
    found: set[str] = set()
    while waiting:
        for name in project.evals[waiting.pop()].depends_on:
            for eval_id in project.artifacts[name].evals:
                if eval_id not in found:
                    found.add(eval_id)
                    waiting += [eval_id] if project.evals[eval_id].is_derived else []
    return tuple(eval_id for eval_id in project.evals if eval_id in found)


def _refuse_unknown(ids: Iterable[str], known: Iterable[str], said: str) -> None:
    known = tuple(known)
    for one in ids:
        if one not in known:
            close = difflib.get_close_matches(one, known, n=3)
            hint = (
                f"did you mean {', '.join(close)}?"
                if close
                else "`artifactize status` lists what is declared"
            )
            raise UnknownSelectionError(f"no {said} is named {one!r}", hint=hint)
