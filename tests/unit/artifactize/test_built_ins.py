"""The built-in tools as a command: on a folder, or on what an eval covers."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from artifactize.toolbox.builtins import HELP, READERS
from artifactize.tools_cli import COMMANDS, cli
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\x02\0\0\0"


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    made = ArtifactProject.create(tmp_path).declare("guide", evals={"e": runtime("true")})
    made.write("guide/a.md", "# One\nhello ü\n## Two\nmore\n").write("guide/p.png", PNG)
    return made.write("other/b.md", "hello there\n")


def test_every_tool_has_its_command() -> None:
    assert set(COMMANDS) == {*(each.spec.name for each in READERS), HELP.name, "serve"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("read guide/a.md --start 2 --lines 1", "2\thello ü"),
        ("list", "other/"),
        ("glob **/*.md --limit 1", "go on with after = 'guide/a.md'"),
        ("grep HELLO --ignore-case --glob *.md", "other/b.md:1: hello there"),
        ("section guide/a.md --heading two", "4\tmore"),
        ("open guide/p.png", "1x1 pixels"),
        ("help grep", "RE2"),
        ("help --eval guide/e", "Artifact guide: a folder"),
        ("list guide --eval guide/e", "a.md\t"),
    ],
    ids=range(9),
)
def test_a_tool_prints_its_answer(project: ArtifactProject, words: str, said: str) -> None:
    where = ["--repo" if "--eval" in words else "--root", str(project.root)]
    done = CliRunner().invoke(cli, [*words.split(), *where])
    assert (done.exit_code, done.stderr) == (0, "")
    assert said in done.stdout


def test_an_image_is_in_the_json_and_an_evals_files_are_all_there_is(project: ArtifactProject) -> None:
    shown = CliRunner().invoke(cli, ["view_image", "guide/p.png", "--json", "--root", str(project.root)])
    image = json.loads(shown.stdout)["image"]
    assert (image["media_type"], base64.b64decode(image["data"])) == ("image/png", PNG)
    place = ("--eval", "guide/e", "--repo", str(project.root))
    away = CliRunner().invoke(cli, ["read", "other/b.md", "--json", *place])
    assert away.exit_code == 2
    assert json.loads(away.stdout)["error"] == {
        "code": "tool_refused",
        "message": "NOT_FOUND: there is no other/b.md here; paths start with one of guide",
    }
    unknown = CliRunner().invoke(cli, ["list", "--eval", "guide/x", "--repo", str(project.root)])
    assert (unknown.exit_code, unknown.stdout) == (2, "")
