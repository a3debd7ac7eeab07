"""The commands about a review store say what is wrong and what they need."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from artifactize.cli import cli
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {
    ("remote", "push"): "no review store",
    ("remote", "login", "http://reviews.example"): "no token was given",
    ("verify", "guide", "--require-store"): "no review store",
    ("server", "run", "--host", "0.0.0.0"): "in the clear",
    ("server", "run", "--tls-key", "{project}/index.artf"): "belong together",
    ("server", "rm"): "name either a KEY or --eval ID",
    ("server", "rm", "xyz"): "is no key",
    ("server", "token", "create", "a b", "--store-dir", "{store}"): "is no name for a token",
    ("server", "token", "create", "a", "--expires", "soon"): "is no duration",
    ("server", "token", "revoke", "x", "--store-dir", "{store}"): "there is no token x",
    ("server", "token", "list", "--store-url", "nonsense"): "cannot use the database URL",
}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    GitRepo.create(tmp_path / "project")
    declared = 'name = "guide"\n[evals.a]\ntitle = "A"\npayload = { instruction = "?" }\n'
    profile = 'profile = { kind = "runtime", command = "true" }\n'
    (tmp_path / "project/index.artf").write_text(declared + profile)
    return {name: str(tmp_path / name) for name in ("project", "state", "store")}


def run(places: dict[str, str], *words: str) -> Result:
    """Run a command in this process."""
    given = ("--repo", places["project"], "--state-dir", places["state"])
    return CliRunner().invoke(cli, [*given, *(word.format(**places) for word in words)])


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_command_that_cannot_work_says_why(places: dict[str, str], words: tuple[str, ...]) -> None:
    done = run(places, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert WORDS[words] in done.stderr


def test_no_review_store_is_no_failure_of_asking(places: dict[str, str]) -> None:
    done = run(places, "remote", "status", "--json")
    assert (done.exit_code, json.loads(done.stdout)["configured"]) == (0, False)


def test_tokens_are_made_listed_and_revoked(places: dict[str, str]) -> None:
    made = run(places, "server", "token", "create", "ci", "--expires", "12w", "--store-dir", "{store}")
    revoked = run(places, "server", "token", "revoke", "ci", "--store-dir", "{store}")
    listed = run(places, "server", "token", "list", "--store-dir", "{store}")
    assert made.stdout.startswith("artf_")
    assert revoked.stdout == "ci is revoked; the verdict of 0 keys taken back\n"
    assert listed.stdout.startswith("ci  read  revoked 20")
    assert made.stdout.strip() not in listed.stdout
