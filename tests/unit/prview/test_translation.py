"""What git and the machine raise becomes a class of the contract, with its reason and its hint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oskit import git
from oskit.files import StorageFullError
from oskit.process import StartError
from prview.errors import ERROR_CLASSES, ERRORS
from prview.models.envelope import envelope
from prview.models.requests import HealthRequest, StateRequest
from prview.service.api import Prview
from prview.service.settings import Settings
from prview.service.translation import translated_errors
from prview.store.home import Home


@pytest.mark.parametrize(
    ("raised", "error_class"),
    [
        (git.GitMissingError("m", "h"), "tool_missing"),
        (git.NotARepositoryError("m", "h"), "not_a_git_repo"),
        (git.UnsafeRepositoryError("m", "h"), "not_a_git_repo"),
        (git.NoMergeBaseError("m", "h", shallow=True), "run_failed"),
        (git.UnknownRevisionError("m", "h", revision="r"), "run_failed"),
        (git.GitTimeoutError("m", "h"), "run_failed"),
        (StorageFullError("m", path=Path("/x"), hint="h"), "run_failed"),
        (StartError("m", hint="h"), "run_failed"),
    ],
)
def test_every_failure_below_has_a_class(raised: Exception, error_class: str) -> None:
    with pytest.raises(ERRORS) as caught, translated_errors():
        raise raised
    error = caught.value
    assert (error.error_class, error.message, error.hint) == (error_class, "m", "h")
    assert json.loads(json.dumps(envelope.body(error)))["error_class"] == error_class


def test_the_vocabulary_is_that_of_the_contract() -> None:
    assert {
        "repo_not_found",
        "not_a_git_repo",
        "run_failed",
        "run_timeout",
        "run_not_found",
        "artifact_missing",
        "tool_missing",
        "storage_locked",
        "storage_corrupt",
        "stale_run",
    } == ERROR_CLASSES


@pytest.mark.anyio
async def test_git_itself_missing_is_tool_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("oskit.git._environment._USUAL_FOLDERS", ())
    prview = Prview(Settings(home=Home(tmp_path / "home"), command=()))
    assert (await prview.health(HealthRequest())).deps_global.git is False
    with pytest.raises(ERRORS) as caught:
        await prview.state(StateRequest(repo=str(tmp_path)))
    assert caught.value.error_class == "tool_missing"
