"""The review store keeps to its own OpenAPI document, whatever is sent to it."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from artifactize.review_store.administering import create_token
from artifactize.review_store.app import application
from artifactize.review_store.keeping import Keeper
from artifactize.store.team.database import TeamDatabase

_STACK = ExitStack()
_DATABASE = TeamDatabase.in_folder(Path(_STACK.enter_context(tempfile.TemporaryDirectory())) / "store")
_SECRET = create_token(_DATABASE, "all", scopes=("read", "publish", "human"), valid_for=None).token
_SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", application(Keeper(_DATABASE)))


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Any:
    yield
    _DATABASE.close()
    _STACK.close()


@_SCHEMA.parametrize()
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_every_answer_is_one_that_is_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {_SECRET}"})
