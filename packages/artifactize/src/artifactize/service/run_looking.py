"""Looking at the inputs of evals for one Run: those that start or end together share one look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.service.batching import Batches
from artifactize.service.looking import look
from artifactize.service.workspace import off_loop
from artifactize.tree.discovery import read_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from anyio.abc import TaskGroup

    from artifactize.domain.graph import Graph
    from artifactize.service.looking import Look


@dataclass(frozen=True, slots=True)
class After:
    """What is there when an eval has ended: a declaration whose text changed, and the inputs."""

    changed: str | None
    seen: Look


class RunLooks:
    """The looks of one Run, at the declarations that it began with."""

    def __init__(self, root: Path, graph: Graph, environment: Mapping[str, str]) -> None:
        self.graph = graph
        self._root = root
        self._environment = environment
        self._before = Batches(self._look_all)
        self._after = Batches(self._confirm_all)

    def start(self, tasks: TaskGroup) -> None:
        """Serve looks until the tasks are cancelled."""
        tasks.start_soon(self._before.run)
        tasks.start_soon(self._after.run)

    async def before(self, eval_id: str) -> Look:
        """Return a look, taken from now on, at what an eval's key covers; others may be in it, too."""
        if self._is_slow(eval_id):
            return await self._look([eval_id])
        return await self._before.do(eval_id)

    async def after(self, eval_id: str) -> After:
        """Return what is there from now on of an eval's declarations and inputs."""
        if self._is_slow(eval_id):
            return (await self._confirm_all([eval_id]))[0]
        return await self._after.do(eval_id)

    def _is_slow(self, eval_id: str) -> bool:
        """Whether commands have to run for the look, for which other evals should not wait."""
        project = self.graph.project
        rules = (project.artifacts[name].declaration.fingerprint for name in project.covered(eval_id))
        return any(rule is not None and (rule.script or rule.tools) for rule in rules)

    async def _look_all(self, eval_ids: list[str]) -> Sequence[Look]:
        return [await self._look(eval_ids)] * len(eval_ids)

    async def _look(self, eval_ids: list[str]) -> Look:
        covered = dict.fromkeys(name for each in eval_ids for name in self.graph.project.covered(each))
        return await look(self._root, self.graph, covered, self._environment, evals=eval_ids)

    async def _confirm_all(self, eval_ids: list[str]) -> Sequence[After]:
        # Reading these few declarations again is enough here; the end of the Run reads them all.
        changed = await off_loop(lambda: self._changed_declarations(eval_ids))
        seen = await self._look(eval_ids)
        return [After(changed[each], seen) for each in eval_ids]

    def _changed_declarations(self, eval_ids: list[str]) -> dict[str, str | None]:
        project = self.graph.project
        names = {name for each in eval_ids for name in project.covered(each)}
        declared = {name: project.artifacts[name].declaration for name in names}
        changed = {
            name for name, each in declared.items() if read_digest(self._root, each.file) != each.digest
        }
        return {
            each: next((declared[name].file for name in project.covered(each) if name in changed), None)
            for each in eval_ids
        }


def failures_of(seen: Look, eval_id: str) -> str:
    """Return why the inputs of an eval could not be fingerprinted; "" when they were."""
    names = seen.project.covered(eval_id)
    found = (seen.fingerprints.failures[name] for name in names if name in seen.fingerprints.failures)
    return "; ".join(sorted(found))
