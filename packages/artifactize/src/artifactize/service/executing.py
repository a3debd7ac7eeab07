"""Executing one eval of a Run, from its fingerprints to its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import anyio

from artifactize.domain.changes import explain_inputs
from artifactize.domain.cleaning import telling_words
from artifactize.domain.declarations import RuntimeProfile
from artifactize.domain.verdicts import Verdict, error
from artifactize.execution.executor import Execution, Job, Stream
from artifactize.models.states import RequestState, Source
from artifactize.models.stored import Claim, EvalRequest
from artifactize.service.looking import changed_declaration, look
from artifactize.service.planning_rows import reused
from artifactize.service.workspace import off_loop
from artifactize.store import owners, records, requests, runs
from artifactize.tree.operands import Commands, OperandError
from oskit.clock import now, rfc3339
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from artifactize.domain.graph import Graph
    from artifactize.execution.executor import Executor
    from artifactize.models.stored import Run
    from artifactize.service.looking import Look
    from artifactize.service.workspace import Workspace

_FIRST_WAIT_S = 0.05
_LONGEST_WAIT_S = 0.5


@dataclass(frozen=True, slots=True)
class Ending:
    """How a request ended. With `publish` its verdict is recorded; `manifests` explain it later."""

    request: EvalRequest
    publish: bool = False
    manifests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    outputs: Mapping[str, Stream] = field(default_factory=dict)


class EvalExecution:
    """One request being executed for a Run by the process `owner`."""

    def __init__(
        self, workspace: Workspace, run: Run, request: EvalRequest, *, owner: str, executor: Executor
    ) -> None:
        self._workspace = workspace
        self._run = run
        self._request = request
        self._owner = owner
        self._executor = executor

    async def end(self, graph: Graph) -> Ending:
        """Execute, or wait for whoever executes the same key, and return how it ended."""
        seen = await self._look(graph)
        if failures := seen.fingerprints.failures:
            return self._failed(error("FINGERPRINT_FAILED", "; ".join(sorted(failures.values()))))
        if seen.definitions[self._request.eval] != self._request.definition:
            return self._failed(error("INPUT_CHANGED", "its declaration changed after the Run was submitted"))
        self._request = replace(
            self._request,
            key=seen.keys[self._request.eval],
            fingerprints=seen.covered(self._request.eval),
        )
        taken = await self._claim()
        return await self._execute(seen) if taken is None else taken

    async def _look(self, graph: Graph) -> Look:
        covered = graph.project.covered(self._request.eval)
        own = (self._request.eval,)
        return await look(self._workspace.root, graph, covered, self._run.environment, evals=own)

    async def _claim(self) -> Ending | None:
        """Claim the key; with an ending when another execution has answered in the meantime."""
        waited = False
        wait_s = _FIRST_WAIT_S
        while True:
            found = await off_loop(lambda: self._try_claim(waited=waited))  # noqa: B023 - awaited at once
            if isinstance(found, Ending):
                return found
            if found:
                return None
            waited = True
            await anyio.sleep(wait_s)
            wait_s = min(wait_s * 2, _LONGEST_WAIT_S)

    def _try_claim(self, *, waited: bool) -> Ending | bool:
        key = self._request.key
        with self._workspace.store().write() as connection:
            if key is not None:
                record = None if self._request.forced else records.current(connection, [key]).get(key)
                if record is not None:
                    source = Source.JOINED if waited else Source.REUSED
                    return Ending(reused(self._request, record, now=rfc3339(now()), source=source))
                held = owners.claim(connection, key)
                if held is not None and ProcessIdentity.parse(held.owner).is_alive():
                    self._running(connection, source=Source.JOINED, source_run=held.run_id)
                    return False
                owners.put_claim(connection, self._new_claim(key))
            self._running(
                connection, source=Source.EXECUTED, attempt=self._request.attempt + 1, source_run=None
            )
        return True

    def _running(self, connection: sa.Connection, **columns: object) -> None:
        """Save that the request runs, here or (joined) in another Run."""
        began = self._request.started_at or rfc3339(now())
        running = replace(self._request, state=RequestState.RUNNING, started_at=began, **columns)  # type: ignore[arg-type] # columns of a request
        changes = changed_columns(self._request, running)
        if changes:
            runs.change(connection, self._run.id, {})
            requests.change(connection, running.id, changes)
        self._request = running

    def _new_claim(self, key: str) -> Claim:
        return Claim(
            key=key,
            owner=self._owner,
            run_id=self._run.id,
            request_id=self._request.id,
            since=rfc3339(now()),
        )

    async def _execute(self, seen: Look) -> Ending:
        found = seen.project.evals[self._request.eval]
        profile = found.declaration.profile
        assert isinstance(profile, RuntimeProfile)
        rule = seen.project.artifacts[found.artifact].declaration.fingerprint
        try:
            commands = Commands(self._workspace.root, seen.graph)
            prepared = commands.prepare(found.artifact, profile.command, profile.args, of=found)
        except OperandError as failure:
            return self._failed(error("INPUT_MISSING", str(failure)))
        folder = f"{self._request.id}-{self._request.attempt}"
        job = Job(
            profile=profile,
            argv=prepared.argv,
            cwd=prepared.cwd,
            environment=self._run.environment,
            declared_env=() if rule is None else rule.env,
            output=self._workspace.run_dir(self._run.id) / folder,
        )
        execution = await self._executor.execute(job)
        if execution.verdict.state is not RequestState.ERROR:
            execution = replace(execution, verdict=await self._confirmed(execution.verdict, seen))
        return self._ended(execution, seen)

    async def _confirmed(self, verdict: Verdict, before: Look) -> Verdict:
        """Return the verdict if what it answers for is still the same, else ERROR INPUT_CHANGED."""
        eval_id = self._request.eval
        if self._request.key is None:
            return verdict
        changed = await off_loop(lambda: changed_declaration(self._workspace.root, before.graph, eval_id))
        if changed is not None:
            return error("INPUT_CHANGED", f"{changed} changed while it ran; verify again")
        after = await self._look(before.graph)
        if after.fingerprints.failures:
            failures = "; ".join(sorted(after.fingerprints.failures.values()))
            return error("INPUT_CHANGED", f"its inputs cannot be fingerprinted any more: {failures}")
        if after.keys[eval_id] == self._request.key:
            return verdict
        return error("INPUT_CHANGED", f"{_difference(before, after, eval_id)} while it ran; verify again")

    def _failed(self, verdict: Verdict) -> Ending:
        nothing = Stream("", 0)
        execution = Execution(verdict, None, 0, nothing, nothing)
        return Ending(self._settled(execution))

    def _ended(self, execution: Execution, seen: Look) -> Ending:
        settled = self._settled(execution)
        publish = settled.key is not None and settled.state is not RequestState.ERROR
        fingerprints = seen.fingerprints
        manifests = {
            value: fingerprints.manifests[name]
            for name, value in settled.fingerprints.items()
            if publish and name in fingerprints.manifests
        }
        return Ending(settled, publish, manifests, {"stdout": execution.stdout, "stderr": execution.stderr})

    def _settled(self, execution: Execution) -> EvalRequest:
        verdict = execution.verdict
        message = verdict.message
        if verdict.state is RequestState.RED:
            message = telling_words(execution.stderr.text, execution.stdout.text)
        return replace(
            self._request,
            state=verdict.state,
            source=Source.EXECUTED,
            exit_code=execution.exit_code,
            code=verdict.code,
            message=message,
            duration_ms=execution.duration_ms,
            finished_at=rfc3339(now()),
        )


def changed_columns(before: EvalRequest, after: EvalRequest) -> dict[str, object]:
    """Return the columns in which two forms of a request differ."""
    names = EvalRequest.__dataclass_fields__
    return {name: getattr(after, name) for name in names if getattr(before, name) != getattr(after, name)}


def _difference(before: Look, after: Look, eval_id: str) -> str:
    return explain_inputs(
        before.covered(eval_id),
        after.covered(eval_id),
        before.fingerprints.manifests,
        after.fingerprints.manifests,
    )
