"""The schemas in docs/schemas are those that the installed servers answer `tools/list` with."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpkit import schemas
from mcpkit.schema import banned_keywords

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
INSTALLED = {entry.name: entry for entry in schemas.installed()}


def test_some_server_is_installed() -> None:
    assert INSTALLED


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_the_committed_schemas_are_up_to_date(name: str) -> None:
    changed = schemas.differences([schemas.load(INSTALLED[name])], FOLDER)
    assert not changed, "\n".join(change.text for change in changed) + "\nrun `python -m mcpkit schemas`"


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_no_published_schema_uses_a_keyword_that_some_host_cannot_take(name: str) -> None:
    for document in schemas.documents(schemas.load(INSTALLED[name])):
        assert list(banned_keywords(document.schema)) == [], document.path
