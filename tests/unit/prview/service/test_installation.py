"""A written CI job names the repository that prview really came from, or says that it does not know."""

from __future__ import annotations

import json
from importlib.metadata import Distribution
from typing import TYPE_CHECKING

import pytest

from prview.render.initial_files import UNKNOWN_ACTION, workflow
from prview.service import installation
from prview.service.installation import action_of, installed_action
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "action"),
    [
        ("https://github.com/acme/review-tools.git", "acme/review-tools@main"),
        ("git@github.com:acme/review-tools.git", "acme/review-tools@main"),
        ("https://git.example.com/acme/review-tools", None),
        ("/srv/mirrors/review-tools.git", None),
    ],
)
def test_an_address_of_github_is_an_action(url: str, action: str | None) -> None:
    assert action_of(url) == action


class Installed(Distribution):
    """What an installer wrote down."""

    def __init__(self, record: object) -> None:
        self._record = record

    def read_text(self, filename: str) -> str | None:
        """The record."""
        return json.dumps(self._record) if filename == "direct_url.json" and self._record else None

    def locate_file(self, path: object) -> object:  # type: ignore[override]
        """Nothing is looked for."""
        return path


async def test_the_record_of_the_installer_says_where_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo.create(tmp_path / "checkout")

    async def named(record: object) -> str | None:
        monkeypatch.setattr(installation, "distribution", lambda _name: Installed(record))
        return await installed_action()

    folder = {"url": repo.path.as_uri(), "dir_info": {}}
    assert await named(folder) is None
    repo.git("remote", "add", "origin", "https://github.com/acme/tools.git")
    assert await named(folder) == "acme/tools@main"
    url = {"url": "https://github.com/acme/tools", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}
    assert await named(url) == "acme/tools@c0ffee"
    assert await named(None) is None


def test_a_workflow_without_a_known_source_says_what_to_put_there() -> None:
    assert f"uses: {UNKNOWN_ACTION}" in workflow(None)
    assert "uses: acme/tools@c0ffee" in workflow("acme/tools@c0ffee")
    assert "pip install" not in workflow(None)
