"""Saving what happens to the evals of one Run: many at a time, each batch all or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from artifactize.domain.states import may_follow
from artifactize.errors import SupersededError
from artifactize.models.states import RequestState
from artifactize.models.stored import Output
from artifactize.service.batching import Batches
from artifactize.service.claiming import Ending
from artifactize.service.workspace import off_loop
from artifactize.store import owners, records, requests, runs, signing
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from artifactize.domain.scheduling import Change
    from artifactize.models.stored import EvalRequest, Run
    from artifactize.service.claiming import Claimed, Claims, Wanted
    from artifactize.service.workspace import Workspace

_ENDED = frozenset({RequestState.GREEN, RequestState.BLOCKED})


class RunWriter:
    """Saves for one Run, as the worker `owner`; `requests` are as they are saved, by eval.

    One transaction at a time, so that they wait here and not for SQLite's lock, which is polled. A worker
    that was taken for dead meanwhile saves nothing any more: SupersededError.
    """

    def __init__(self, workspace: Workspace, run: Run, *, owner: str, claims: Claims) -> None:
        self._workspace = workspace
        self._run = run
        self._owner = owner
        self._claims = claims
        self._writing = anyio.Lock()
        self._wanted = Batches(self._claim_all)
        self.requests: dict[str, EvalRequest] = {}

    async def serve_claims(self) -> None:
        """Serve `claim` until cancelled."""
        await self._wanted.run()

    async def claim(self, wanted: Wanted) -> Claimed:
        """Claim the key of an eval that is ready, and say what comes of it."""
        return await self._wanted.do(wanted)

    async def settle(
        self, endings: Sequence[Ending], changes: Sequence[Change], *, stopped: Sequence[str] = ()
    ) -> None:
        """Save endings with all that follows from them, and that the evals `stopped` hold nothing any more.

        Finishes also while being cancelled: a verdict that was reached is never lost to that.
        """
        if not endings and not changes and not stopped:
            return
        with anyio.CancelScope(shield=True):
            async with self._writing:
                await off_loop(lambda: self._settle(endings, changes, stopped))

    async def signed(self) -> list[EvalRequest]:
        """Return the requests that people have answered since the last look, each once."""
        waiting = self._waiting()
        if not waiting:
            return []
        async with self._writing:
            found = await off_loop(lambda: self._answered(waiting))
            self._keep(found)
        return found

    def waits_for_people(self) -> bool:
        """Whether somebody has to sign before the Run can go on or end."""
        return bool(self._waiting())

    async def park(self) -> bool:
        """Leave the Run to people: nobody works on it until one has answered. False when one has already."""
        with anyio.CancelScope(shield=True):
            async with self._writing:
                parked = await off_loop(self._park)
        return parked

    def _answered(self, waiting: Collection[str]) -> list[EvalRequest]:
        with self._workspace.store().read() as connection:
            return signing.answered(connection, waiting)

    def _park(self) -> bool:
        with self._workspace.store().write() as connection:
            self._refuse_superseded(connection)
            if signing.answered(connection, self._waiting()):
                return False
            runs.park(connection, self._run.id)
        return True

    def _waiting(self) -> list[str]:
        return [each.id for each in self.requests.values() if each.state is RequestState.WAITING_HUMAN]

    async def _claim_all(self, wanted: list[Wanted]) -> Sequence[Claimed]:
        async with self._writing:
            found = await off_loop(lambda: self._decide(wanted))
        self._keep(each.request for each in found if not isinstance(each, Ending))
        return found

    def _decide(self, wanted: Sequence[Wanted]) -> list[Claimed]:
        with self._workspace.store().write() as connection:
            self._refuse_superseded(connection)
            return self._claims.decide(connection, wanted)

    def _settle(self, endings: Sequence[Ending], changes: Sequence[Change], stopped: Sequence[str]) -> None:
        after = {ending.request.eval: ending.request for ending in endings}
        for change in changes:
            before = after.get(change.eval) or self.requests.get(change.eval)
            if before is not None:
                after[change.eval] = _followed(before, change)
        self._check(after)
        with self._workspace.store().write() as connection:
            self._refuse_superseded(connection)
            runs.change(connection, self._run.id, {})
            requests.save_all(connection, self._run.id, list(after.values()))
            publish(connection, endings)
            over = [*(ending.request for ending in endings), *(self.requests[eval_id] for eval_id in stopped)]
            owners.drop_claims(connection, [each.id for each in over])
        self._keep(after.values())

    def _check(self, after: Mapping[str, EvalRequest]) -> None:
        for eval_id, new in after.items():
            old = self.requests[eval_id].state
            assert may_follow(old, new.state), f"{eval_id}: {old} to {new.state}"

    def _keep(self, found: Iterable[EvalRequest]) -> None:
        self.requests |= {each.eval: each for each in found}

    def _refuse_superseded(self, connection: sa.Connection) -> None:
        if not owners.is_worker(connection, self._workspace.repository, self._owner):
            raise SupersededError(self._run.id)


def publish(connection: sa.Connection, endings: Sequence[Ending]) -> None:
    """Save what endings printed, and record the verdicts of those that are published."""
    outputs = [
        Output(request_id=ending.request.id, stream=stream, text=found.text, total_bytes=found.total_bytes)
        for ending in endings
        for stream, found in ending.outputs.items()
    ]
    published = [ending for ending in endings if ending.publish]
    requests.put_outputs(connection, outputs)
    records.put_manifests(
        connection, {key: value for each in published for key, value in each.manifests.items()}
    )
    records.publish_all(connection, [published_columns(each) for each in published])


def published_columns(ending: Ending) -> dict[str, object]:
    """Return the record of a request's verdict, as it is published."""
    request = ending.request
    names = ("key", "eval", "artifact", "definition", "fingerprints", "exit_code", "message", "run_id")
    columns: dict[str, object] = {name: getattr(request, name) for name in names}
    return columns | {
        "verdict": str(ending.verdict or request.state),
        "request_id": request.id,
        "recorded_at": request.finished_at,
        "reviewers": list(ending.reviewers),
        "authors": list(ending.authors),
    }


def _followed(request: EvalRequest, change: Change) -> EvalRequest:
    ended = request.finished_at or rfc3339(now())
    return replace(
        request,
        state=change.state,
        blocked_by=list(change.blocked_by),
        finished_at=ended if change.state in _ENDED | {RequestState.PROVISIONAL} else None,
    )
