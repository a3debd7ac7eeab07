"""People's sign-offs: who is at a request, and what becomes of their answers.

Nothing is taken on trust: what is signed is looked at again in the moment it is signed, and the verdict, the
record and whatever else waited for the same answer are saved in one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from artifactize.domain.acceptance import Acceptance
from artifactize.domain.declarations import HumanProfile, Kind
from artifactize.domain.people import same_person
from artifactize.domain.schema_faults import fields_fault
from artifactize.errors import RequestNotFoundError, SignoffRefusedError
from artifactize.models.states import RequestState, Source
from artifactize.models.stored import Signing, Signoff
from artifactize.service.claiming import Ending
from artifactize.service.looking import declared_environment, look, read_graph
from artifactize.service.reviewers import authors_of, reviewer_of
from artifactize.service.run_writing import publish
from artifactize.service.worker_care import WorkerCare
from artifactize.service.workspace import off_loop
from artifactize.store import requests, runs, signing
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from artifactize.domain.declarations import EvalDeclaration, Json
    from artifactize.models.stored import EvalRequest
    from artifactize.service.looking import Look
    from artifactize.service.workspace import Workspace

OPEN_TO_PEOPLE = frozenset({RequestState.WAITING_HUMAN, RequestState.DEFERRED})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says: the verdict, its fields, and words of their own."""

    verdict: RequestState
    fields: Mapping[str, Json]
    comment: str | None


@dataclass(frozen=True, slots=True)
class Signed:
    """What came of an answer. `missing`: how many more people have to say the same."""

    request: EvalRequest
    reviewer: str
    missing: int


@dataclass(frozen=True, slots=True)
class _Case:
    """A request that people may answer, what is asked, and what it is asked of at this moment."""

    request: EvalRequest
    declaration: EvalDeclaration
    accept: Acceptance
    seen: Look


async def claim(workspace: Workspace, request_id: str, given: str | None) -> tuple[EvalRequest, str]:
    """Give a request to a person until they submit or give it back; nobody else can take it meanwhile.

    Claiming it again is allowed. Raises SignoffRefusedError, RequestNotFoundError.
    """
    reviewer = await reviewer_of(workspace, given)
    case = await _case(workspace, request_id)
    await _check_person(workspace, case, reviewer)
    await off_loop(lambda: _claim(workspace, case.request, reviewer))
    return case.request, reviewer


async def unclaim(workspace: Workspace, request_id: str, given: str | None) -> tuple[EvalRequest, str]:
    """Give a request back. Raises SignoffRefusedError when somebody else has it."""
    reviewer = await reviewer_of(workspace, given)

    def give_back() -> EvalRequest:
        with workspace.store().write() as connection:
            found = _find(connection, workspace, request_id)
            _holder(connection, request_id, reviewer)
            signing.drop_signings(connection, [request_id])
            return found

    return await off_loop(give_back), reviewer


async def submit(workspace: Workspace, request_id: str, answer: Answer, given: str | None) -> Signed:
    """Take a person's answer, who has claimed the request.

    Raises SignoffRefusedError with nothing saved, so that it can be corrected; where the inputs have changed,
    the request is STALE from then on.
    """
    reviewer = await reviewer_of(workspace, given)
    await off_loop(lambda: _require_claim(workspace, request_id, reviewer))
    case = await _case(workspace, request_id)
    schema = (
        case.declaration.pass_schema if answer.verdict is RequestState.GREEN else case.declaration.fail_schema
    )
    if (fault := fields_fault(schema, answer.fields)) is not None:
        raise SignoffRefusedError(
            f"the fields are not those of {answer.verdict}: {fault}",
            hint=f"artifactize request schemas {request_id}",
        )
    authors = await _check_person(workspace, case, reviewer)
    signed = await off_loop(lambda: _submit(workspace, case, answer, reviewer, authors))
    await off_loop(WorkerCare(workspace).check)
    return signed


async def declaration_of(workspace: Workspace, request_id: str) -> tuple[EvalRequest, EvalDeclaration]:
    """Return what a person is asked, with its schemas. Raises as `claim`."""
    found = await _request(workspace, request_id)
    graph = await read_graph(workspace.root)
    if found.eval not in graph.project.evals:
        raise SignoffRefusedError(f"{found.eval} is not declared any more")
    return found, graph.project.evals[found.eval].declaration


async def require_claim(workspace: Workspace, request_id: str, given: str | None) -> str:
    """Return the reviewer, who has claimed the request. Raises SignoffRefusedError when they have not."""
    reviewer = await reviewer_of(workspace, given)
    await off_loop(lambda: _require_claim(workspace, request_id, reviewer))
    return reviewer


async def _request(workspace: Workspace, request_id: str) -> EvalRequest:
    def read() -> EvalRequest:
        store = workspace.existing_store()
        if store is None:
            raise RequestNotFoundError(request_id)
        with store.read() as connection:
            return _find(connection, workspace, request_id)

    return await off_loop(read)


def _find(connection: sa.Connection, workspace: Workspace, request_id: str) -> EvalRequest:
    found = requests.get(connection, request_id, repository=workspace.repository)
    if found is None:
        raise RequestNotFoundError(request_id)
    if found.kind != Kind.HUMAN:
        raise SignoffRefusedError(f"{found.eval} is a {found.kind} eval; people sign human ones")
    if found.state not in OPEN_TO_PEOPLE:
        raise SignoffRefusedError(
            f"{found.eval} is {found.state} and waits for nobody",
            hint="`artifactize request list --state WAITING_HUMAN` lists what waits",
        )
    return found


async def _case(workspace: Workspace, request_id: str) -> _Case:
    found = await _request(workspace, request_id)
    graph = await read_graph(workspace.root)
    project = graph.project
    if found.eval not in project.evals:
        await off_loop(lambda: _go_stale(workspace, found, "its declaration was removed"))
    covered = project.covered(found.eval)
    environment = declared_environment(workspace.environment, project)
    seen = await look(workspace.root, graph, covered, environment, evals=[found.eval])
    seen.refuse_failures()
    if seen.definitions[found.eval] != found.definition:
        await off_loop(lambda: _go_stale(workspace, found, "what is asked has changed"))
    if seen.keys[found.eval] != found.key:
        await off_loop(lambda: _go_stale(workspace, found, "its inputs have changed"))
    declaration = project.evals[found.eval].declaration
    return _Case(found, declaration, project.acceptance(found.eval) or Acceptance(), seen)


def _go_stale(workspace: Workspace, found: EvalRequest, why: str) -> None:
    """Let a request wait no more: it asks for what is not there any more. Raises SignoffRefusedError."""
    if found.state is RequestState.WAITING_HUMAN:
        with workspace.store().write() as connection:
            present = requests.get(connection, found.id, repository=workspace.repository)
            if present is not None and present.state is RequestState.WAITING_HUMAN:
                runs.touch(connection, found.run_id)
                ended = rfc3339(now())
                message = f"{why} since a person was asked; verify again"
                stale = replace(
                    present,
                    state=RequestState.STALE,
                    code="INPUT_CHANGED",
                    message=message,
                    finished_at=ended,
                )
                requests.save_all(connection, found.run_id, [stale])
                signing.drop_signings(connection, [found.id])
        WorkerCare(workspace).check()
    raise SignoffRefusedError(
        f"INPUT_CHANGED: {why} since {found.eval} was put to people; nothing was recorded",
        hint="verify again: it is asked anew, of what is there now",
    )


async def _check_person(workspace: Workspace, case: _Case, reviewer: str) -> list[str]:
    """Return the authors of what is signed, as far as git knows them. Raises SignoffRefusedError."""
    authors = await authors_of(workspace, case.seen, case.request.artifact)
    if case.accept.distinct and authors is None:
        raise SignoffRefusedError(
            "review_policy.distinct_reviewer asks who changed the files last, and git cannot say",
            hint="sign in the git repository that holds their history",
        )
    if case.accept.reviewers is not None and not any(
        same_person(reviewer, each) for each in case.accept.reviewers
    ):
        known = ", ".join(case.accept.reviewers) or "nobody may sign it"
        raise SignoffRefusedError(f"{reviewer} is none of the reviewers of {case.request.eval}: {known}")
    if not case.accept.counting([reviewer], authors or ()):
        raise SignoffRefusedError(
            f"{reviewer} changed {case.request.artifact} last, and review_policy.distinct_reviewer is true",
            hint="somebody else has to sign it",
        )
    return authors or []


def _claim(workspace: Workspace, found: EvalRequest, reviewer: str) -> None:
    with workspace.store().write() as connection:
        _find(connection, workspace, found.id)
        held = signing.signing(connection, found.id)
        if held is not None and not same_person(held.reviewer, reviewer):
            raise SignoffRefusedError(
                f"{held.reviewer} has it since {held.since}",
                hint=f"they can give it back: artifactize request unclaim {found.id}",
            )
        if any(same_person(each.reviewer, reviewer) for each in signing.of_request(connection, found.id)):
            raise SignoffRefusedError(f"{reviewer} has signed it already; others have to")
        if held is None:
            signing.put_signing(
                connection, Signing(request_id=found.id, reviewer=reviewer, since=rfc3339(now()))
            )


def _require_claim(workspace: Workspace, request_id: str, reviewer: str) -> None:
    with workspace.store().read() as connection:
        _find(connection, workspace, request_id)
        _holder(connection, request_id, reviewer)


def _holder(connection: sa.Connection, request_id: str, reviewer: str) -> None:
    """Require that a person has claimed a request. Raises SignoffRefusedError."""
    held = signing.signing(connection, request_id)
    if held is None:
        raise SignoffRefusedError(
            "nobody has claimed it", hint=f"claim it first: artifactize request claim {request_id}"
        )
    if not same_person(held.reviewer, reviewer):
        raise SignoffRefusedError(f"{held.reviewer} has claimed it, not {reviewer}")


def _submit(workspace: Workspace, case: _Case, answer: Answer, reviewer: str, authors: list[str]) -> Signed:
    moment = rfc3339(now())
    with workspace.store().write() as connection:
        found = _find(connection, workspace, case.request.id)
        _holder(connection, found.id, reviewer)
        if found.key != case.request.key or found.definition != case.request.definition:
            raise SignoffRefusedError("the request was changed meanwhile; submit again")
        signing.add(
            connection,
            Signoff(
                request_id=found.id,
                reviewer=reviewer,
                verdict=str(answer.verdict),
                fields=answer.fields,
                comment=answer.comment,
                authors=authors,
                submitted_at=moment,
            ),
        )
        signing.drop_signings(connection, [found.id])
        # of a deferred one people may go on to say something else: only those who agree count together
        said = [
            each for each in signing.of_request(connection, found.id) if each.verdict == str(answer.verdict)
        ]
        missing = _missing(case, answer.verdict, said)
        if missing:
            return Signed(found, reviewer, missing)
        ended = _conclude(connection, case, found, answer, said)
        _settle(connection, workspace, found, ended)
        return Signed(ended, reviewer, 0)


def _missing(case: _Case, verdict: RequestState, said: list[Signoff]) -> int:
    """Return how many more have to sign. One RED is enough to know that it is not GREEN."""
    if verdict is RequestState.RED:
        return 0
    assert isinstance(case.declaration.profile, HumanProfile)
    authors = {name for each in said for name in each.authors}
    count = len(case.accept.counting([each.reviewer for each in said], authors))
    return max(case.accept.quorum - count, 0)


def _conclude(
    connection: sa.Connection, case: _Case, found: EvalRequest, answer: Answer, said: list[Signoff]
) -> EvalRequest:
    """Record the verdict, and return the request with it."""
    moment = said[-1].submitted_at
    names = [each.reviewer for each in said]
    words = f"signed by {', '.join(names)}" + (f": {answer.comment}" if answer.comment else "")
    ended = replace(
        found,
        state=answer.verdict,
        source=Source.EXECUTED,
        message=words,
        code=None,
        finished_at=moment,
    )
    if found.key is not None:
        manifests = case.seen.fingerprints.manifests
        known = {value: manifests[name] for name, value in found.fingerprints.items() if name in manifests}
        authors = sorted({name for each in said for name in each.authors})
        publish(connection, [Ending(ended, True, manifests=known, reviewers=names, authors=authors)])
    return ended


def _settle(connection: sa.Connection, workspace: Workspace, found: EvalRequest, ended: EvalRequest) -> None:
    """Give a verdict to the request, unless it was deferred, and to all others here that wait for it."""
    waiting = (
        []
        if found.key is None
        else signing.waiting_for(connection, found.key, repository=workspace.repository)
    )
    settled = [_joined(each, ended) for each in waiting if each.id != found.id and not each.forced]
    if found.state is RequestState.WAITING_HUMAN:
        settled.append(ended)
    for each in settled:
        runs.touch(connection, each.run_id)
        requests.save_all(connection, each.run_id, [each])
    signing.drop_signings(connection, [each.id for each in settled])


def _joined(request: EvalRequest, ended: EvalRequest) -> EvalRequest:
    return replace(
        request,
        state=ended.state,
        source=Source.JOINED,
        source_run=ended.run_id,
        source_request=ended.id,
        message=ended.message,
        finished_at=ended.finished_at,
    )
