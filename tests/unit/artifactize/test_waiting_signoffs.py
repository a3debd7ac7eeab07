"""The sign-offs that wait in a state: seen without writing, given by whoever has claimed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from artifactize.domain.modes import RunModes
from artifactize.domain.selection import ALL
from artifactize.errors import SignoffRefusedError, ToolRefusedError
from artifactize.service.monitoring import Monitor
from artifactize.service.submitting import Submission
from artifactize.service.verification import Verification
from artifactize.service.waiting_signoffs import WaitingSignOffs
from artifactize.service.working import IDLE_VARIABLE, WorkerLoop
from artifactize.service.workspace import Workspace
from oskit.process import ProcessIdentity
from support.artifacts import ArtifactProject, human, runtime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio
BOUND_S = 60.0
NOTE = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
WORDS = {"description": "Counts words.", "protocol": "plain", "command": "wc", "args": ["-w", "a.md"]}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv(IDLE_VARIABLE, "0")
    project = ArtifactProject.create(tmp_path)
    project.declare(
        "guide",
        views={"human_tools": {"words": WORDS}},
        evals={"tone": human(pass_schema=NOTE), "there": runtime("true")},
    ).write("guide/a.md", "welcome dear reader\n")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    made = Workspace(project.root, project.state, environment, lambda _: ProcessIdentity.current())
    yield made
    made.close()


async def verified(workspace: Workspace, *, defer_human: bool = False) -> None:
    """Submit everything and let the worker do all it can."""
    submission = Submission(selection=ALL, modes=RunModes(defer_human=defer_human))
    await Verification(lambda: workspace).submit(submission)
    with anyio.fail_after(BOUND_S):
        await WorkerLoop(workspace).work()


def signoffs(workspace: Workspace, reviewer: str) -> WaitingSignOffs:
    monitor = Monitor(workspace.state_dir, workspace.environment)
    return WaitingSignOffs(monitor, lambda _repository: workspace, reviewer=reviewer)


async def test_a_sign_off_is_seen_claimed_looked_at_and_given(workspace: Workspace) -> None:
    await verified(workspace)
    eva, ben = (signoffs(workspace, f"{name}@example.org") for name in ("eva", "ben"))
    (found,) = await eva.waiting()
    assert (found.eval, found.instruction, found.holder) == ("guide/tone", "Look.", None)
    assert (found.pass_schema, found.tools[-1].name) == (NOTE, "words")
    with pytest.raises(SignoffRefusedError, match="nobody has claimed"):
        await eva.call(found, "words", {})
    await eva.claim(found)
    assert [each.is_mine for each in (*await eva.waiting(), *await ben.waiting())] == [True, False]
    with pytest.raises(SignoffRefusedError, match=r"eva@example\.org has it"):
        await ben.claim(found)
    assert (await eva.call(found, "words", {})).split() == ["3", "a.md"]
    with pytest.raises(ToolRefusedError, match="NOT_FOUND"):
        await eva.call(found, "read", {"path": "guide/b.md"})
    with pytest.raises(SignoffRefusedError, match="note"):
        await eva.submit(found, "GREEN", {})
    said = await eva.submit(found, "GREEN", {"note": "kind"})
    assert said == "GREEN submitted for guide/tone by eva@example.org"
    assert await eva.waiting() == ()


async def test_a_deferred_sign_off_waits_until_its_key_has_a_verdict(workspace: Workspace) -> None:
    await verified(workspace, defer_human=True)
    await verified(workspace, defer_human=True)
    eva = signoffs(workspace, "eva@example.org")
    (found,) = await eva.waiting()  # of the newer Run alone
    await eva.claim(found)
    await eva.unclaim(found)
    assert (await eva.waiting())[0].holder is None
    await eva.claim(found)
    await eva.submit(found, "RED", {})
    assert await eva.waiting() == ()


async def test_looking_at_what_waits_writes_nothing_and_survives_a_removed_declaration(
    workspace: Workspace,
) -> None:
    await verified(workspace)
    before = {place.relative_to(workspace.state_dir) for place in workspace.state_dir.rglob("*")}
    eva = signoffs(workspace, "eva@example.org")
    assert len(await eva.waiting()) == 1
    new = {place.relative_to(workspace.state_dir) for place in workspace.state_dir.rglob("*")} - before
    assert {place.name for place in new} <= {"artifactize.db-shm", "artifactize.db-wal"}
    (workspace.root / "guide/index.artf").write_text('name = "guide"\n')
    (lost,) = await eva.waiting()
    assert (lost.title, lost.tools) == ("cannot be signed", ())
    assert "not declared any more" in lost.instruction
