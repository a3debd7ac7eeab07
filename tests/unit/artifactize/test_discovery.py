from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from artifactize.errors import ConfigInvalidError, NotARepositoryError
from artifactize.tree.discovery import check_project, read_project
from support.artifacts import ArtifactProject

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


def found(project: ArtifactProject) -> list[str]:
    return [str(problem) for problem in check_project(project.root)[1]]


def test_every_declaration_outside_skipped_folders_is_found(project: ArtifactProject) -> None:
    project.declare("", name="root").declare("a").declare("a/b")
    project.write("a/hero.png", "x").write("a/hero.png.artf", 'name = "hero"')
    for folder in ("node_modules/x", "a/node_modules/y", ".git/z", "fixtures/w", "deep/old"):
        project.declare(folder)
    project.write(".artfignore", "fixtures/\n/deep/*\n")

    assert list(read_project(project.root).artifacts) == ["root", "a", "hero", "b"]


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("gone.txt", None, "it declares 'gone.txt', which does not exist beside it"),
        ("folder", "folder", "it declares 'folder', which is not a regular file"),
        ("link", "link", "it declares 'link', which is not a regular file"),
        ("pipe", "pipe", "it declares 'pipe', which is not a regular file"),
        ("", None, "it declares no file; name it index.artf"),
    ],
)
def test_what_a_sidecar_declares_must_be_a_regular_file(
    project: ArtifactProject, name: str, make: str | None, said: str
) -> None:
    place = project.root / "a" / name
    project.write(f"a/{name}.artf", 'name = "x"')
    if make == "folder":
        place.mkdir()
    elif make == "link":
        place.symlink_to("/etc/passwd")
    elif make == "pipe":
        os.mkfifo(place)

    (problem,) = found(project)

    assert problem.startswith(f"a/{name}.artf:1:1: {said}")


def test_a_declaration_that_is_a_link_is_refused(project: ArtifactProject) -> None:
    project.declare("a")
    (project.root / "index.artf").symlink_to("a/index.artf")

    assert found(project) == ["index.artf:1:1: a declaration is a regular file, not a link or a special file"]


def test_text_that_is_no_utf_8_is_located(project: ArtifactProject) -> None:
    project.write("a/index.artf", b'name = "a"\ntags = ["\xff"]\n')

    assert found(project) == ["a/index.artf:2:10: not UTF-8 text"]


def test_files_of_the_older_form_are_named_unless_ignored(project: ArtifactProject) -> None:
    project.write("artifactize.json", "{}").write(".artifactizeignore", "").write(
        "old/artifactize.json", "{}"
    )

    assert [each.partition(":")[0] for each in found(project)] == [
        *(".artifactizeignore", "artifactize.json", "old/artifactize.json")
    ]
    project.write(".artfignore", "artifactize.json\n")
    assert len(found(project)) == 1


def test_all_mistakes_of_all_files_come_in_one_error(project: ArtifactProject) -> None:
    project.write("a/index.artf", 'name = "a"\nbasis = 2\n').write("b/index.artf", "name =\n")

    with pytest.raises(ConfigInvalidError) as failure:
        read_project(project.root)

    assert [problem.file for problem in failure.value.problems] == ["a/index.artf", "b/index.artf"]
    assert "the declarations hold 2 mistakes" in failure.value.message


def test_a_folder_without_declarations_or_no_folder_is_no_project(project: ArtifactProject) -> None:
    with pytest.raises(NotARepositoryError, match="no Artifact is declared"):
        read_project(project.root)
    with pytest.raises(NotARepositoryError, match="is not a folder"):
        read_project(project.root / "nowhere")


def test_checking_opens_no_input(project: ArtifactProject) -> None:
    project.declare("a")
    os.mkfifo(project.root / "a" / "input")

    assert found(project) == []
