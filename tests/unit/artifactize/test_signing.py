from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from artifactize.domain.modes import RunModes
from artifactize.domain.selection import ALL
from artifactize.errors import RequestNotFoundError, SignoffRefusedError, ToolRefusedError
from artifactize.models.requests import RequestShowRequest
from artifactize.models.signing import ClaimRequest, HumanToolRequest, SchemasRequest, SignRequest
from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.models.verification import VerifyCancelRequest
from artifactize.service.inspection import Inspection
from artifactize.service.observing import Seen, follow, observe
from artifactize.service.signing_off import SigningOff
from artifactize.service.submitting import Submission
from artifactize.service.verification import Verification
from artifactize.service.working import IDLE_VARIABLE, WorkerLoop
from artifactize.service.workspace import Workspace
from artifactize.store import owners
from oskit.process import ProcessIdentity
from support.artifacts import ArtifactProject, human, lines_of, runtime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifactize.models.stored import EvalRequest

BOUND_S = 60.0
GRADED = {
    "type": "object",
    "properties": {"grade": {"type": "integer", "minimum": 1}},
    "required": ["grade"],
    "additionalProperties": False,
}


@dataclass
class Office:
    """A project, whose worker is this process, and leaves it as soon as nothing is left to do."""

    project: ArtifactProject
    workspace: Workspace
    people: SigningOff = field(init=False)

    def __post_init__(self) -> None:
        self.people = SigningOff(lambda: self.workspace)

    async def verify(self, **options: Any) -> str:
        """Submit everything, let the worker do all it can, and return the Run."""
        modes = RunModes(defer_human=options.pop("defer_human", False))
        submission = Submission(selection=ALL, modes=modes, **options)
        status = await Verification(lambda: self.workspace).submit(submission)
        await self.work()
        return status.run_id

    async def work(self) -> None:
        """Let the worker do what is left to do, and see that it goes by itself."""
        with anyio.fail_after(BOUND_S):
            await WorkerLoop(self.workspace).work()
        with self.workspace.store().read() as connection:
            assert owners.worker(connection, self.workspace.repository) is None

    async def seen(self, run_id: str) -> Seen:
        return await observe(self.workspace, run_id)

    async def request(self, run_id: str, eval_id: str) -> EvalRequest:
        return next(each for each in (await self.seen(run_id)).requests if each.eval == eval_id)

    async def waiting(self, run_id: str) -> EvalRequest:
        """Return the first request that waits for a person, as soon as there is one."""
        async for seen in follow(self.workspace, run_id, seconds=BOUND_S):
            for each in seen.requests:
                if each.state is RequestState.WAITING_HUMAN:
                    return each
        raise AssertionError("nobody was asked")

    async def sign(self, request_id: str, who: str, verdict: str = "GREEN", **said: Any) -> int:
        """Claim and sign; return how many more have to."""
        await self.people.claim(ClaimRequest(request_id=request_id, reviewer=who))
        signed = SignRequest.model_validate(
            {"request_id": request_id, "reviewer": who, "verdict": verdict, **said}
        )
        return (await self.people.submit(signed)).missing


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setenv(IDLE_VARIABLE, "0")
    project = ArtifactProject.create(tmp_path)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    workspace = Workspace(project.root, project.state, environment, lambda _: ProcessIdentity.current())
    yield Office(project, workspace)
    workspace.close()


@pytest.mark.anyio
async def test_a_run_waits_for_a_person_without_a_worker_and_goes_on_when_one_has_signed(
    office: Office, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    office.project.declare("guide", evals={"look": human(pass_schema=GRADED)})
    office.project.declare(
        "shop", mounts={"g": "guide"}, evals={"t": runtime("sh", "-c", f"echo x >> '{log}'")}
    )
    office.project.write("guide/a.txt", "a\n")
    run_id = await office.verify()
    other = await office.verify()
    waiting = await office.request(run_id, "guide/look")
    first = await office.seen(run_id)

    assert (first.run.state, waiting.state) == (RunState.RUNNING, RequestState.WAITING_HUMAN)
    asked = await office.people.schemas(SchemasRequest(request_id=waiting.id))
    assert (asked.instruction, asked.pass_schema, asked.fail_schema) == ("Look.", GRADED, None)

    with pytest.raises(SignoffRefusedError, match="nobody has claimed it"):
        await office.people.submit(SignRequest(request_id=waiting.id, reviewer="ada@x", verdict="GREEN"))
    with pytest.raises(SignoffRefusedError, match=r"\$ breaks required \['grade'\]"):
        await office.sign(waiting.id, "ada@x")
    with pytest.raises(SignoffRefusedError, match="ada@x has it since"):
        await office.people.claim(ClaimRequest(request_id=waiting.id, reviewer="eve@x"))
    with pytest.raises(SignoffRefusedError, match="ada@x has claimed it, not eve@x"):
        await office.people.unclaim(ClaimRequest(request_id=waiting.id, reviewer="eve@x"))
    look = HumanToolRequest(
        request_id=waiting.id, reviewer="ada@x", tool="read", arguments={"path": "guide/a.txt"}
    )
    assert "1\ta" in (await office.people.tool(look)).text
    with pytest.raises(ToolRefusedError, match="NOT_FOUND"):
        await office.people.tool(look.model_copy(update={"arguments": {"path": "shop/b.txt"}}))
    assert await office.sign(waiting.id, "ada@x", fields={"grade": 2}, comment="fine") == 0
    await office.work()

    assert (await office.seen(run_id)).run.outcome is Outcome.GREEN
    joined = await office.request(other, "guide/look")
    assert (joined.state, joined.source, joined.source_run) == ("GREEN", Source.JOINED, run_id)
    assert (await office.seen(other)).run.outcome is Outcome.GREEN
    assert lines_of(log) == 1
    again = await office.request(await office.verify(), "guide/look")
    assert (again.source, again.message) == (Source.REUSED, "signed by ada@x: fine")
    shown = await Inspection(lambda: office.workspace).request_show(RequestShowRequest(request_id=again.id))
    assert [(each.reviewer, each.verdict, each.fields) for each in shown.signoffs] == [
        ("ada@x", "GREEN", {"grade": 2})
    ]
    with pytest.raises(SignoffRefusedError, match="is GREEN and waits for nobody"):
        await office.people.claim(ClaimRequest(request_id=waiting.id, reviewer="ada@x"))
    with pytest.raises(RequestNotFoundError):
        await office.people.claim(ClaimRequest(request_id="none", reviewer="ada@x"))


@pytest.mark.anyio
@pytest.mark.parametrize("changed", ["file", "question"])
async def test_what_has_changed_since_it_was_put_to_a_person_is_not_signed(
    office: Office, changed: str
) -> None:
    office.project.declare("guide", evals={"look": human()}).write("guide/a.txt", "a\n")
    run_id = await office.verify()
    waiting = await office.request(run_id, "guide/look")
    await office.people.claim(ClaimRequest(request_id=waiting.id, reviewer="ada@x"))
    if changed == "file":
        office.project.write("guide/a.txt", "b\n")
    else:
        office.project.declare("guide", evals={"look": human(fail_schema=GRADED)})

    with pytest.raises(SignoffRefusedError, match="INPUT_CHANGED"):
        await office.people.submit(SignRequest(request_id=waiting.id, reviewer="ada@x", verdict="GREEN"))
    await office.work()

    stale = await office.request(run_id, "guide/look")
    assert (stale.state, stale.code) == (RequestState.STALE, "INPUT_CHANGED")
    assert (await office.seen(run_id)).run.outcome is Outcome.INCOMPLETE
    assert office.project.rows("SELECT count(*) FROM records") == [(0,)]


@pytest.mark.anyio
async def test_a_quorum_is_of_different_people_and_one_red_decides(office: Office) -> None:
    office.project.declare("a", evals={"two": human(quorum=2, reviewers=["ada@x", "bob@x", "cyd@x"])})
    office.project.declare("b", evals={"two": human(quorum=2)})
    run_id = await office.verify()
    one, other = await office.request(run_id, "a/two"), await office.request(run_id, "b/two")

    assert await office.sign(one.id, "ada@x") == 1
    with pytest.raises(SignoffRefusedError, match="ADA@x has signed it already"):
        await office.sign(one.id, "ADA@x")
    with pytest.raises(SignoffRefusedError, match="eve@x is none of the reviewers of a/two"):
        await office.sign(one.id, "eve@x")
    await office.work()
    assert (await office.seen(run_id)).run.state is RunState.RUNNING
    assert await office.sign(one.id, "bob@x") == 0
    assert await office.sign(other.id, "eve@x", "RED", comment="no") == 0
    await office.work()

    assert (await office.seen(run_id)).run.outcome is Outcome.RED
    # a stricter rule is asked of what was signed before it
    office.project.declare("a", evals={"two": human(quorum=3)})
    again = await office.request(await office.verify(), "a/two")
    assert again.state is RequestState.WAITING_HUMAN


@pytest.mark.anyio
async def test_a_deferred_sign_off_comes_after_the_run_and_a_blocking_one_does_not(office: Office) -> None:
    office.project.declare("guide", evals={"look": human()})
    office.project.declare("shop", mounts={"g": "guide"}, evals={"t": runtime("true")})
    run_id = await office.verify(defer_human=True)
    deferred = await office.request(run_id, "guide/look")

    assert (await office.seen(run_id)).run.outcome is Outcome.SIGNOFFS_PENDING
    assert deferred.state is RequestState.DEFERRED
    assert (await office.request(run_id, "shop/t")).state is RequestState.PROVISIONAL
    await office.sign(deferred.id, "ada@x")
    after = await office.verify()
    assert (await office.seen(after)).run.outcome is Outcome.GREEN
    assert {each.source for each in (await office.seen(after)).requests} == {Source.REUSED}
    assert (await office.request(run_id, "guide/look")).state is RequestState.DEFERRED

    # what is said later counts with those who agree alone
    office.project.declare("guide", evals={"look": human(quorum=2)}).write("guide/a.txt", "two\n")
    deferred = await office.request(await office.verify(defer_human=True), "guide/look")
    assert await office.sign(deferred.id, "ada@x", "RED") == 0
    assert await office.sign(deferred.id, "bob@x") == 1
    assert office.project.rows("SELECT verdict, reviewers FROM records ORDER BY sequence DESC LIMIT 1") == [
        ("RED", '["ada@x"]')
    ]

    office.project.declare("guide", evals={"look": human(gate="blocking")}).write("guide/a.txt", "new\n")
    blocking = await office.request(await office.verify(defer_human=True), "guide/look")
    assert blocking.state is RequestState.WAITING_HUMAN


@pytest.mark.anyio
async def test_whoever_changed_it_last_does_not_sign_it(office: Office) -> None:
    office.project.declare("", name="root", review_policy={"distinct_reviewer": True})
    office.project.declare("guide", evals={"look": human()}).write("guide/a.txt", "a\n")
    repo = ["git", "-C", str(office.project.root)]
    await anyio.run_process([*repo, "config", "user.email", "ada@x"])
    run_id = await office.verify()
    waiting = await office.request(run_id, "guide/look")

    # not committed yet: then whoever commits here is its author
    with pytest.raises(SignoffRefusedError, match="ada@x changed guide last"):
        await office.people.claim(ClaimRequest(request_id=waiting.id))
    await anyio.run_process([*repo, "add", "--all"])
    await anyio.run_process([*repo, "-c", "user.name=Bob", "-c", "user.email=bob@x", "commit", "-qm", "x"])
    with pytest.raises(SignoffRefusedError, match="BOB@x changed guide last"):
        await office.sign(waiting.id, "BOB@x")
    assert await office.sign(waiting.id, "ada@x") == 0
    await office.work()

    assert (await office.seen(run_id)).run.outcome is Outcome.GREEN


@pytest.mark.anyio
async def test_what_is_signed_while_something_else_runs_is_taken_in_at_once(
    office: Office, tmp_path: Path
) -> None:
    """What runs ends only when the eval behind the sign-off has run."""
    mark = tmp_path / "mark"
    office.project.declare(
        "slow", evals={"t": runtime("sh", "-c", f"until test -e '{mark}'; do sleep 0.05; done")}
    )
    office.project.declare("guide", evals={"look": human()})
    office.project.declare("shop", mounts={"g": "guide"}, evals={"t": runtime("touch", str(mark))})
    submitted = await Verification(lambda: office.workspace).submit(Submission(selection=ALL))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(office.work)
        waiting = await office.waiting(submitted.run_id)
        await office.sign(waiting.id, "ada@x")

    assert (await office.seen(submitted.run_id)).run.outcome is Outcome.GREEN


@pytest.mark.anyio
async def test_a_run_that_waits_for_people_is_cancelled_without_a_worker(office: Office) -> None:
    office.project.declare("guide", evals={"look": human()})
    run_id = await office.verify()

    ended = await Verification(lambda: office.workspace).verify_cancel(VerifyCancelRequest(run_id=run_id))

    assert ended.outcome is Outcome.CANCELLED
    assert (await office.request(run_id, "guide/look")).state is RequestState.CANCELLED
