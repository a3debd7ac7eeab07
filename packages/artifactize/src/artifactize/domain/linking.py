"""Linking parsed declarations to one project, noting every mistake that only shows between files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from artifactize.domain.cycles import components
from artifactize.domain.declarations import DependencyProfile, RuntimeProfile
from artifactize.domain.logical_paths import path_fault
from artifactize.domain.names import qualified
from artifactize.domain.ownership import Folders
from artifactize.domain.parsing import FOLDER_DECLARATION
from artifactize.domain.project import Artifact, Eval, Project
from artifactize.domain.references import operand, text_references

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from artifactize.domain.declarations import ArtifactDeclaration, EvalDeclaration
    from artifactize.domain.parsing import Parsed
    from artifactize.domain.problems import Problem, Source
    from artifactize.domain.toml_positions import KeyPath


def link(parsed: Sequence[Parsed]) -> tuple[Project, tuple[Problem, ...]]:
    """Return the project with all mistakes, those of the single files included, in file order.

    With mistakes the project holds what could be linked; nothing but reporting may use it then.
    """
    linker = _Linker(parsed)
    project = linker.project()
    own = [problem for one in parsed for problem in one.problems]
    return project, tuple(sorted({*own, *linker.problems}))


class _Linker:
    def __init__(self, parsed: Sequence[Parsed]) -> None:
        self.problems: list[Problem] = []
        self.sources: dict[str, Source] = {}
        self.declarations: dict[str, ArtifactDeclaration] = {}
        for one in sorted(parsed, key=lambda item: _place(item.source.file)):
            if one.declaration is not None:
                self._declare(one.declaration, one.source)
        self.folders = Folders(self.declarations.values())

    def project(self) -> Project:
        artifacts = {name: self._artifact(declared) for name, declared in self.declarations.items()}
        evals = {
            found.id: found for declared in self.declarations.values() for found in self._evals(declared)
        }
        self._refuse_wait_cycles(evals)
        accepted = (each.accept for each in self.declarations.values() if each.accept is not None)
        distinct = any(each.distinct_reviewer for each in self.declarations.values())
        return Project(artifacts, evals, next(accepted, None), distinct)

    def _declare(self, declared: ArtifactDeclaration, source: Source) -> None:
        first = self.declarations.get(declared.name)
        if first is not None:
            message = f"{declared.name!r} is already declared in {first.file}"
            self.problems.append(source.problem(("name",), message))
            return
        self.declarations[declared.name] = declared
        self.sources[declared.name] = source

    def _artifact(self, declared: ArtifactDeclaration) -> Artifact:
        for alias, name in declared.mounts.items():
            if name not in self.declarations:
                self._add(declared, ("mounts", alias), f"no Artifact is named {name!r}")
            elif name == declared.name:
                self._add(declared, ("mounts", alias), "an Artifact cannot mount itself")
        evals = tuple(qualified(declared.name, each.id) for each in declared.evals)
        return Artifact(declared, self.folders.children(declared), evals)

    def _evals(self, declared: ArtifactDeclaration) -> Iterable[Eval]:
        for each in declared.evals:
            references, names = self._references(declared, each)
            depends_on = self._depends_on(declared, each)
            eval_id = qualified(declared.name, each.id)
            yield Eval(eval_id, declared.name, each, references, names, depends_on)

    def _references(
        self, declared: ArtifactDeclaration, each: EvalDeclaration
    ) -> tuple[Mapping[str, str], frozenset[str]]:
        references: dict[str, str] = {}
        names: set[str] = set()
        instruction = each.payload.get("instruction")
        if isinstance(instruction, str):
            place: KeyPath = ("evals", each.id, "payload", "instruction")
            for name in text_references(instruction):
                if (artifact := self._resolve(declared, name, place)) is not None:
                    references[name] = artifact
                    names.add(artifact)
        if isinstance(each.profile, RuntimeProfile):
            for index, argument in enumerate(each.profile.args):
                self._operand(declared, each, index, argument, references, names)
        return references, frozenset(names)

    def _operand(
        self,
        declared: ArtifactDeclaration,
        each: EvalDeclaration,
        index: int,
        argument: str,
        references: dict[str, str],
        names: set[str],
    ) -> None:
        found = operand(argument)
        if found is None:
            return
        place: KeyPath = ("evals", each.id, "profile", "args", index)
        artifact = self._resolve(declared, found.name, place)
        if artifact is None:
            return
        references[found.name] = artifact
        names.add(artifact)
        if not found.path:
            return
        fault = path_fault(found.path)
        if fault is None and self.declarations[artifact].target is not None:
            fault = f"{found.name!r} is a file, so that nothing is inside it"
        if fault is not None:
            self._add(declared, place, fault)
            return
        owner, _ = self.folders.locate(self.declarations[artifact], found.path)
        names.add(owner.name)

    def _depends_on(self, declared: ArtifactDeclaration, each: EvalDeclaration) -> tuple[str, ...]:
        if not isinstance(each.profile, DependencyProfile):
            return ()
        found: dict[str, None] = {}
        for index, name in enumerate(each.profile.depends_on):
            place: KeyPath = ("evals", each.id, "profile", "depends_on", index)
            artifact = self._resolve(declared, name, place, braced=False)
            if artifact == declared.name:
                self._add(declared, place, "an eval cannot wait for its own Artifact")
            elif artifact in found:
                self._add(declared, place, f"{name!r} is the Artifact {artifact!r}, which is listed already")
            elif artifact is not None:
                found[artifact] = None
        return tuple(found)

    def _resolve(
        self, declared: ArtifactDeclaration, name: str, place: KeyPath, *, braced: bool = True
    ) -> str | None:
        """Return the Artifact that a name means in a declaration: a mount alias first, then a global name.

        `braced`: it stands there as `{name}`.
        """
        artifact = declared.mounts.get(name, name)
        if artifact in self.declarations:
            return artifact
        if name not in declared.mounts:
            nothing = f"is neither a mount of {declared.name!r} nor an Artifact"
            if braced:
                message = f"{{{name}}} {nothing}; double the braces to keep it literal"
            else:
                message = f"{name!r} {nothing}; `name = {json.dumps(name)}` would declare it"
            self._add(declared, place, message)
        return None

    def _refuse_wait_cycles(self, evals: Mapping[str, Eval]) -> None:
        derived = {eval_id: found for eval_id, found in evals.items() if found.is_derived}
        waits = {
            eval_id: [
                other.id for name in found.depends_on for other in derived.values() if other.artifact == name
            ]
            for eval_id, found in derived.items()
        }
        for group in components(waits):
            if len(group) > 1:
                first = derived[min(group)]
                place: KeyPath = ("evals", first.declaration.id, "profile", "depends_on")
                message = f"these evals wait for each other: {', '.join(sorted(group))}"
                self._add(self.declarations[first.artifact], place, message)

    def _add(self, declared: ArtifactDeclaration, place: KeyPath, message: str) -> None:
        self.problems.append(self.sources[declared.name].problem(place, message))


def _place(file: str) -> tuple[list[str], bool, str]:
    """Return the order of declarations: a folder's own, then its files', then what is in folders inside."""
    folder, _, base = file.rpartition("/")
    return (folder.split("/") if folder else [], base != FOLDER_DECLARATION, base)
