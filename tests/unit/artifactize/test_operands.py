from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from artifactize.domain.declarations import RuntimeProfile
from artifactize.domain.graph import Graph
from artifactize.tree.discovery import read_project
from artifactize.tree.operands import Commands, OperandError
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


def prepared(project: ArtifactProject, command: str, *args: str, **fields: Any) -> tuple[list[str], str]:
    project.declare("guide", evals={"e": runtime(command, *args)}, **fields)
    found = read_project(project.root)
    profile = found.evals["guide/e"].declaration.profile
    assert isinstance(profile, RuntimeProfile)
    commands = Commands(project.root, Graph(found))
    result = commands.prepare("guide", profile.command, profile.args, of=found.evals["guide/e"])
    root = str(project.root)
    return [word.replace(root, "ROOT") for word in result.argv], str(result.cwd).replace(root, "ROOT")


def test_references_become_absolute_paths_and_everything_else_stays(project: ArtifactProject) -> None:
    project.declare("terms", mounts={"far": "other"}).write("terms/t.txt", "x").declare("other").write(
        "other/o", "x"
    )
    project.write("hero.png", "x").write("hero.png.artf", 'name = "hero"')

    argv, cwd = prepared(
        project, "python3", "{terms}", "{m}/t.txt", "--in={m}/far/o", "{hero}", "{{terms}}", "x {terms} y", "$HOME",
        mounts={"m": "terms"},
    )  # fmt: skip

    assert argv == [
        "python3", "ROOT/terms", "ROOT/terms/t.txt", "--in=ROOT/other/o", "ROOT/hero.png",
        "{{terms}}", "x {terms} y", "$HOME",
    ]  # fmt: skip
    assert cwd == "ROOT/guide"


def test_a_relative_program_is_one_of_the_artifacts_folder(project: ArtifactProject) -> None:
    project.write("guide/bin/check", "#!/bin/sh\n")

    assert prepared(project, "./bin/check")[0] == ["ROOT/guide/bin/check"]
    assert prepared(project, "bin/check")[0] == ["ROOT/guide/bin/check"]


@pytest.mark.parametrize(
    ("command", "arg"),
    [("./gone", "x"), ("x", "{guide}/gone"), ("x", "{guide}/link/passwd"), ("./link/x", "y")],
)
def test_what_is_missing_or_behind_a_link_is_refused(
    project: ArtifactProject, command: str, arg: str
) -> None:
    project.write("guide/x", "")
    (project.root / "guide/link").symlink_to("/etc")

    with pytest.raises(OperandError):
        prepared(project, command, arg)
