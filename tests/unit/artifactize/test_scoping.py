"""What the tools of an eval see: what its reuse key covers, and no path to anything else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.reading import read
from artifactize.toolbox.scoping import folder_scope
from support.artifacts import ArtifactProject, runtime
from support.toolboxes import scope_of, scope_of_eval

if TYPE_CHECKING:
    from pathlib import Path


def project(tmp_path: Path) -> ArtifactProject:
    made = ArtifactProject.create(tmp_path)
    made.declare("guide", mounts={"t": "words"}, evals={"e": runtime("true", instruction="See {extra}.")})
    made.write("guide/a.md", "a\n").write("guide/build/x", "x").write("guide/.gitignore", "build/\n")
    made.declare("guide/child").write("guide/child/c.md", "c\n")
    made.declare("guide/child/deep", name="deep").write("guide/child/deep/d.md", "d\n")
    made.write("words/terms.txt", "w\n").write("words/terms.txt.artf", 'name = "words"\n')
    made.declare("extra", fingerprint={"files": ["kept"]}).write("extra/kept", "k").write("extra/not", "n")
    return made.declare("other").write("other/secret", "s")


def test_a_tool_sees_what_the_reuse_key_covers_and_nothing_else(tmp_path: Path) -> None:
    scope = scope_of_eval(project(tmp_path).root, "guide/e")
    assert set(scope.paths) == {
        "guide/.gitignore",
        "guide/a.md",
        "child/c.md",
        "words/terms.txt",
        "t/terms.txt",
        "extra/kept",
    }
    assert scope.file("words") == "words/terms.txt"
    assert scope.folders[""] == ("child/", "extra/", "guide/", "t/", "words/")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../other/secret",
        "guide/../../x",
        "guide/./../other/secret",
        "other/secret",
        "extra/not",
        "guide/build/x",
        "guide\\a.md",
        "c:x",
        "a\x1b[2Jb",
        "x" * 5000,
    ],
    ids=range(11),
)
def test_no_path_leads_out_of_the_scope(tmp_path: Path, path: str) -> None:
    scope = scope_of_eval(project(tmp_path).root, "guide/e")
    with pytest.raises(ToolFault) as refused:
        read(scope, path)
    assert refused.value.code in {"NOT_FOUND", "INVALID_ARGUMENTS"}
    assert "\x1b" not in refused.value.message
    assert len(refused.value.message) < 1000


@pytest.mark.parametrize("kind", ["link", "folder-link", "fifo"])
def test_what_became_a_link_or_a_pipe_after_it_was_listed_is_not_opened(tmp_path: Path, kind: str) -> None:
    scope = scope_of(tmp_path, sub__a="inside")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/a").write_text("outside")
    place = tmp_path / "guide/sub/a"
    place.unlink()
    if kind == "link":
        place.symlink_to(tmp_path / "secret/a")
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.parent.rmdir()
        place.parent.symlink_to(tmp_path / "secret")
    with pytest.raises(ToolFault) as refused:
        read(scope, "guide/sub/a")
    assert refused.value.code == "UNREADABLE"


def test_a_link_in_an_artifact_is_an_error_that_names_it(tmp_path: Path) -> None:
    made = project(tmp_path)
    (made.root / "guide/link").symlink_to("/etc/passwd")
    with pytest.raises(ToolFault, match="guide/link is a symbolic link"):
        scope_of_eval(made.root, "guide/e")


def test_names_that_no_line_can_hold_are_spelled_and_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a\nb").write_text("odd")
    (tmp_path / "a\\nb").write_text("even")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")  # noqa: PTH102 - a name that is no UTF-8
    (tmp_path / os.fsdecode(b"\xff") / "f").write_text("bytes")
    scope = folder_scope(tmp_path)
    assert scope.paths == ("\\udcff/f", "a\\\\nb", "a\\nb")
    assert [read(scope, path).text.rpartition("\t")[2] for path in scope.paths] == ["bytes", "even", "odd"]
