"""What is remembered after a Run is no answer to a `verify` that would be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifactize.service.remembering import remember
from artifactize.wiring import open_workspace
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("limits", "remembered"), [('{"backends": {"runtime": 1}}', True), ("{}}", False)])
async def test_limits_that_are_mistaken_after_the_run_are_told_by_the_next(
    tmp_path: Path, limits: str, *, remembered: bool
) -> None:
    project = ArtifactProject.create(tmp_path)
    project.declare("a", evals={"e": runtime("true")})
    assert project.verify("--all").code == 0
    write(project.state / "limits.json", limits)
    workspace = open_workspace(project.root, project.state)
    try:
        assert await remember(workspace, dict(workspace.environment)) is remembered
    finally:
        workspace.close()
    assert project.verify("--all").code == (0 if remembered else 2)


def write(place: Path, text: str) -> None:
    place.write_text(text)
