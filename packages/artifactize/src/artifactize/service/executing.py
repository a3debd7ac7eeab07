"""Executing one eval of a Run, from its fingerprints to its verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from artifactize.domain.changes import explain_inputs
from artifactize.domain.cleaning import telling_words
from artifactize.domain.declarations import Kind, RuntimeProfile
from artifactize.domain.verdicts import Verdict, error
from artifactize.execution.executor import Execution, Job, Stream
from artifactize.models.states import RequestState, Source
from artifactize.service.claiming import Asked, Ending, Held, Mine, Wanted
from artifactize.service.run_looking import failures_of
from artifactize.tree.operands import Commands, OperandError
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from artifactize.execution.executor import Executor
    from artifactize.models.stored import EvalRequest, Run
    from artifactize.service.claiming import Claimed
    from artifactize.service.looking import Look
    from artifactize.service.run_looking import RunLooks
    from artifactize.tree.operands import Prepared

_NOTHING = Stream("", 0)
Ended: TypeAlias = "Ending | Held | Asked"


@dataclass(frozen=True, slots=True)
class Means:
    """What the evals of one Run are executed with; `output` is the folder of the Run's files."""

    root: Path
    run: Run
    output: Path
    looks: RunLooks
    commands: Commands
    executor: Executor
    claim: Callable[[Wanted], Awaitable[Claimed]]
    unstarted: Callable[[], None]


class EvalExecution:
    """One request of a Run being executed."""

    def __init__(self, means: Means, request: EvalRequest, *, waited: bool) -> None:
        self._means = means
        self._request = request
        self._waited = waited

    async def end(self) -> Ended:
        """Execute it and return how it ended; Held when it has to wait for another execution first."""
        eval_id = self._request.eval
        seen = await self._means.looks.before(eval_id)
        if failures := failures_of(seen, eval_id):
            return self._failed(error("FINGERPRINT_FAILED", failures))
        if seen.definitions[eval_id] != self._request.definition:
            return self._failed(error("INPUT_CHANGED", "its declaration changed after the Run was submitted"))
        self._request = replace(self._request, key=seen.keys[eval_id], fingerprints=seen.covered(eval_id))
        if seen.project.evals[eval_id].kind is Kind.HUMAN:
            return await self._asked(seen)
        try:
            prepared = self._prepared(seen)
        except OperandError as failure:
            return self._failed(error("INPUT_MISSING", str(failure)))
        claimed = await self._means.claim(self._wanted(seen))
        if isinstance(claimed, (Ending, Held, Asked)):
            return claimed
        self._request = claimed.request
        return await self._execute(seen, prepared)

    async def _asked(self, seen: Look) -> Ended:
        """Ask people for it, unless what they said of it already still holds."""
        claimed = await self._means.claim(self._wanted(seen))
        assert not isinstance(claimed, Mine), "nobody but people answers for a human eval"
        return claimed

    def _wanted(self, seen: Look) -> Wanted:
        eval_id = self._request.eval
        blocking = seen.project.evals[eval_id].declaration.blocking
        return Wanted(self._request, self._waited, seen.project.acceptance(eval_id), blocking)

    def _prepared(self, seen: Look) -> Prepared:
        found = seen.project.evals[self._request.eval]
        profile = self._profile(seen)
        return self._means.commands.prepare(found.artifact, profile.command, profile.args, of=found)

    def _profile(self, seen: Look) -> RuntimeProfile:
        profile = seen.project.evals[self._request.eval].declaration.profile
        assert isinstance(profile, RuntimeProfile)
        return profile

    async def _execute(self, seen: Look, prepared: Prepared) -> Ending:
        rule = seen.project.artifacts[self._request.artifact].declaration.fingerprint
        job = Job(
            profile=self._profile(seen),
            argv=prepared.argv,
            cwd=prepared.cwd,
            environment=self._means.run.environment,
            declared_env=() if rule is None else rule.env,
            folder=self._means.output,
            name=f"{self._request.id}-{self._request.attempt}",
        )
        execution = await self._means.executor.execute(job)
        if not execution.started:
            self._means.unstarted()
        if execution.verdict.state is not RequestState.ERROR:
            execution = replace(execution, verdict=await self._confirmed(execution.verdict, seen))
        return self._ended(execution, seen)

    async def _confirmed(self, verdict: Verdict, before: Look) -> Verdict:
        """Return the verdict if what it answers for is still the same, else ERROR INPUT_CHANGED."""
        eval_id = self._request.eval
        if self._request.key is None:
            return verdict
        after = await self._means.looks.after(eval_id)
        if after.changed is not None:
            return error("INPUT_CHANGED", f"{after.changed} changed while it ran; verify again")
        if failures := failures_of(after.seen, eval_id):
            return error("INPUT_CHANGED", f"its inputs cannot be fingerprinted any more: {failures}")
        if after.seen.keys[eval_id] == self._request.key:
            return verdict
        difference = _difference(before, after.seen, eval_id)
        return error("INPUT_CHANGED", f"{difference} while it ran; verify again")

    def _failed(self, verdict: Verdict) -> Ending:
        return Ending(self._settled(Execution(verdict, None, 0, _NOTHING, _NOTHING, started=False)))

    def _ended(self, execution: Execution, seen: Look) -> Ending:
        settled = self._settled(execution)
        publish = settled.key is not None and settled.state is not RequestState.ERROR
        outputs = {"stdout": execution.stdout, "stderr": execution.stderr} if execution.started else {}
        manifests = _manifests(settled, seen) if publish else {}
        return Ending(settled, publish, manifests=manifests, outputs=outputs)

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


def _manifests(request: EvalRequest, seen: Look) -> dict[str, Mapping[str, str]]:
    found = seen.fingerprints.manifests
    return {value: found[name] for name, value in request.fingerprints.items() if name in found}


def _difference(before: Look, after: Look, eval_id: str) -> str:
    return explain_inputs(
        before.covered(eval_id),
        after.covered(eval_id),
        before.fingerprints.manifests,
        after.fingerprints.manifests,
    )
