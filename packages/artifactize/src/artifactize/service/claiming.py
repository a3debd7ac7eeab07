"""Deciding, in one transaction, whether an eval is executed here, answered already, or waits for another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from artifactize.domain.declarations import Kind
from artifactize.domain.limits import backend_of
from artifactize.domain.modes import RunModes
from artifactize.models.states import RequestState, Source
from artifactize.models.stored import Claim, EvalRequest, Slot
from artifactize.service.planning_rows import reused
from artifactize.store import owners, records, requests, runs
from oskit.clock import now, rfc3339
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from artifactize.domain.acceptance import Acceptance
    from artifactize.execution.executor import Stream
    from artifactize.models.stored import Record, Run


@dataclass(frozen=True, slots=True)
class Wanted:
    """An eval that is ready: its request with the key of this moment. `waited`: it was held up before.

    `acceptance` is what the declarations of this moment accept of its records. `blocking`: a sign-off that no
    Run defers.
    """

    request: EvalRequest
    waited: bool
    acceptance: Acceptance | None = None
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Mine:
    """The caller executes it; the request as saved."""

    request: EvalRequest


@dataclass(frozen=True, slots=True)
class Held:
    """It waits: another execution holds its key, or its backend has no place; the request as saved."""

    request: EvalRequest


@dataclass(frozen=True, slots=True)
class Asked:
    """A person has to sign it off; the request as saved. Nothing is held meanwhile."""

    request: EvalRequest


@dataclass(frozen=True, slots=True)
class Ending:
    """How a request ended. With `publish` its verdict is recorded; `manifests` explain it later.

    `verdict` is what is recorded where the request itself counts as something else: PROVISIONAL. Of a
    sign-off, `reviewers` signed, and `authors` had changed the Artifact last.
    """

    request: EvalRequest
    publish: bool = False
    verdict: RequestState | None = None
    manifests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    outputs: Mapping[str, Stream] = field(default_factory=dict)
    reviewers: Sequence[str] = ()
    authors: Sequence[str] = ()


_HOW = "`artifactize request claim` takes it, `artifactize request submit` signs it"
Claimed: TypeAlias = "Mine | Held | Asked | Ending"


class Claims:
    """The claims of one Run, made by the worker `owner`, which knows how many executions are left.

    `used` of `most` executions were started before; `limits` are the places of each backend.
    """

    def __init__(
        self, run: Run, *, owner: str, used: int, most: int | None, limits: Mapping[str, int]
    ) -> None:
        self._run = run
        self._owner = owner
        self._left = None if most is None else most - used
        self._defers = RunModes.of(run.modes).defer_human
        self._limits = limits

    def give_back(self) -> None:
        """Count an execution as not used: nothing was started."""
        if self._left is not None:
            self._left += 1

    def decide(self, connection: sa.Connection, wanted: Sequence[Wanted]) -> list[Claimed]:
        """Decide for each in turn, and save what was decided; the connection is a write transaction."""
        moment = rfc3339(now())
        keys = [each.request.key for each in wanted if each.request.key is not None]
        known = records.current(connection, keys)
        deciding = _Deciding(connection, self._limits, owners.claims_of(connection, keys))
        found = [self._decide(each, known, deciding, moment) for each in wanted]
        owners.put_claims(connection, deciding.new_claims)
        owners.put_slots(connection, deciding.new_slots)
        pairs = zip(wanted, found, strict=True)
        changed = [
            new.request for old, new in pairs if not isinstance(new, Ending) and new.request != old.request
        ]
        if changed:
            runs.change(connection, self._run.id, {})
            requests.save_all(connection, self._run.id, changed)
        return found

    def _decide(
        self, wanted: Wanted, known: Mapping[str, Record], deciding: _Deciding, moment: str
    ) -> Claimed:
        request = wanted.request
        record = None if request.key is None or request.forced else known.get(request.key)
        if record is not None and _accepts(wanted.acceptance, record):
            source = Source.JOINED if wanted.waited else Source.REUSED
            return Ending(reused(request, record, now=moment, source=source))
        if request.kind == Kind.HUMAN:
            return self._ask(wanted, moment)
        held = deciding.holder(request.key)
        if held is not None:
            return Held(_running(request, moment, source=Source.JOINED, source_run=held.run_id))
        if self._left is not None and self._left <= 0:
            return Ending(_exhausted(request, moment))
        if not deciding.has_place(request):
            return Held(request)
        if self._left is not None:
            self._left -= 1
        deciding.take(request, owner=self._owner, moment=moment)
        attempt = request.attempt + 1
        return Mine(_running(request, moment, source=Source.EXECUTED, source_run=None, attempt=attempt))

    def _ask(self, wanted: Wanted, moment: str) -> Claimed:
        request = replace(wanted.request, started_at=wanted.request.started_at or moment)
        if not self._defers or wanted.blocking:
            return Asked(replace(request, state=RequestState.WAITING_HUMAN, source=None, message=_HOW))
        return Ending(
            replace(
                request,
                state=RequestState.DEFERRED,
                source=None,
                message=f"the Run does not wait for this sign-off; {_HOW}",
                finished_at=moment,
            )
        )


class _Deciding:
    """What is held while one batch is decided; what this batch takes counts for the rest of it."""

    def __init__(
        self, connection: sa.Connection, limits: Mapping[str, int], claims: Mapping[str, Claim]
    ) -> None:
        self._limits = limits
        self._claims = {key: each for key, each in claims.items() if _lives(each.owner)}
        self.new_claims: list[Claim] = []
        self.new_slots: list[Slot] = []
        taken = (
            [each.backend for each in owners.all_slots(connection) if _lives(each.owner)] if limits else []
        )
        self._taken = {backend: taken.count(backend) for backend in limits}

    def holder(self, key: str | None) -> Claim | None:
        """Return the living execution of a key."""
        return None if key is None else self._claims.get(key)

    def has_place(self, request: EvalRequest) -> bool:
        """Whether the backend of a request has a place left."""
        backend = backend_of(request.kind)
        return backend not in self._limits or self._taken[backend] < self._limits[backend]

    def take(self, request: EvalRequest, *, owner: str, moment: str) -> None:
        """Take the key and a place of the backend."""
        if request.key is not None:
            claim = Claim(
                key=request.key, owner=owner, run_id=request.run_id, request_id=request.id, since=moment
            )
            self._claims[request.key] = claim
            self.new_claims.append(claim)
        backend = backend_of(request.kind)
        if backend in self._limits:
            self._taken[backend] += 1
            slot = Slot(request_id=request.id, backend=backend, owner=owner, since=moment)
            self.new_slots.append(slot)


def _accepts(acceptance: Acceptance | None, record: Record) -> bool:
    return acceptance is None or acceptance.refusal(record, now()) is None


def _lives(owner: str) -> bool:
    return ProcessIdentity.parse(owner).is_alive()


def _running(request: EvalRequest, moment: str, **columns: object) -> EvalRequest:
    began = request.started_at or moment
    return replace(request, state=RequestState.RUNNING, started_at=began, **columns)  # type: ignore[arg-type] # columns of a request


def _exhausted(request: EvalRequest, moment: str) -> EvalRequest:
    message = "the Run has started as many executions as --max-executions permits"
    return replace(
        request,
        state=RequestState.BUDGET_EXHAUSTED,
        source=None,
        code="BUDGET_EXHAUSTED",
        message=message,
        finished_at=moment,
    )
