"""A sign-off in processes of their own: somebody verifies and waits, somebody else signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from pathlib import Path


def test_who_waits_is_told_for_what_and_goes_on_when_it_is_signed(tmp_path: Path) -> None:
    project = ArtifactProject.create(tmp_path).write("guide/text.txt", "one\n")
    human = {"title": "It reads well", "profile": {"kind": "human"}, "payload": {"instruction": "Read it."}}
    project.declare("guide", evals={"reads": human, "runs": runtime("true")})
    waiting = project.start("verify", "--all")
    assert waiting.stdout is not None
    said = ""
    while not said.startswith("WAITING_HUMAN"):
        said = waiting.stdout.readline()
        assert said, waiting.communicate()
    request_id = said.split()[-1]

    person = ("--reviewer", "ada@example.org")
    assert "request claim" in said
    assert project.run("request", "claim", request_id[-12:], *person).code == 0
    assert project.run("request", "submit", request_id[-12:], "GREEN", *person).code == 0
    out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, err) == (0, "")
    assert "GREEN           guide/reads" in out
    assert project.result("--all")["sources"]["reused"] == 2
