"""People name Runs, requests and keys by a part of their ids; what fits several names them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from artifactize.cli import cli
from support.artifacts import ArtifactProject, counting

if TYPE_CHECKING:
    from click.testing import Result


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ArtifactProject:
    """A project with two Runs of one eval."""
    folder = tmp_path_factory.mktemp("naming")
    made = ArtifactProject.create(folder)
    made.declare("a", evals={"e": counting(folder / "log")})
    for _ in range(2):
        assert made.verify("--all", "--force").code == 0
    return made


def typed(project: ArtifactProject, *words: str) -> Result:
    place = ["--repo", str(project.root), "--state-dir", str(project.state)]
    return CliRunner().invoke(cli, [*place, *words])


def answer(project: ArtifactProject, *words: str) -> Any:
    done = typed(project, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_part_of_an_id_names_what_a_person_signs(project: ArtifactProject) -> None:
    whole = answer(project, "request", "list")["requests"][0]["request_id"]
    for words in (("claim",), ("schemas",), ("unclaim",), ("tool", "list"), ("submit", "GREEN")):
        done = typed(project, "request", words[0], whole[-12:], *words[1:])
        assert (done.exit_code, "people sign human ones" in done.stderr) == (2, True), done.output


def test_part_of_an_id_names_a_run_and_nothing_the_newest(project: ArtifactProject) -> None:
    newest, older = (each["run_id"] for each in answer(project, "run", "list")["runs"])
    assert answer(project, "run", "show")["run_id"] == newest
    assert answer(project, "run", "show", older[-12:])["run_id"] == older
    assert answer(project, "run", "show", older[:-1])["run_id"] == older
    several = typed(project, "run", "show", newest[:4])
    assert (several.exit_code, newest in several.stderr, older in several.stderr) == (2, True, True)
    nobody = typed(project, "run", "show", "%")
    assert (nobody.exit_code, "no Run '%'" in nobody.stderr) == (2, True)
    watched = typed(project, "run", "watch", older[-12:])
    assert json.loads(watched.stdout.splitlines()[-1])["kind"] == "outcome"


def test_part_of_an_id_names_a_request(project: ArtifactProject) -> None:
    newest, older = (each["run_id"] for each in answer(project, "run", "list")["runs"])
    (listed,) = answer(project, "request", "list", older[-12:])["requests"]
    assert answer(project, "request", "list", "--run", older)["requests"] == [listed]
    request = listed["request_id"]
    assert answer(project, "request", "show", request[-12:])["request"]["request_id"] == request
    assert answer(project, "request", "logs", request[-12:])
    assert typed(project, "request", "show", "").exit_code == 2
    assert "once" in typed(project, "request", "list", newest, "--run", older).stderr


def test_the_first_word_of_a_listed_verdict_is_what_shows_it(project: ArtifactProject) -> None:
    (line,) = typed(project, "cache", "list").stdout.splitlines()
    assert answer(project, "cache", "show", line.split()[0])["eval"] == "a/e"


def test_what_is_no_key_is_refused_in_words(project: ArtifactProject) -> None:
    for command in ("show", "rm"):
        refused = typed(project, "cache", command, "0")
        assert refused.exit_code == 2
        assert "the first 8 of its digits" in " ".join(refused.stderr.split())


def test_the_doctor_counts_one_as_one(project: ArtifactProject) -> None:
    assert "1 Artifact, 1 eval\n" in typed(project, "doctor").stdout
