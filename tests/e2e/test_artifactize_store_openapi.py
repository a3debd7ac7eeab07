"""The review store keeps to its own OpenAPI document, whatever is sent to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from support.review_store import ServedStore

if TYPE_CHECKING:
    from pathlib import Path


def test_every_answer_is_one_that_is_described(tmp_path: Path) -> None:
    with ServedStore(tmp_path) as store:
        headers = {"Authorization": f"Bearer {store.token('all', 'read', 'publish', 'human')}"}
        described = schemathesis.openapi.from_url(f"{store.url}/openapi.json")
        operations = [found.ok() for found in described.get_all_operations() if isinstance(found, Ok)]
        # an operation without parameters cannot be called wrongly
        wrongly = [each for each in operations if each.body or each.query or each.path_parameters]
        asked = [(each, GenerationMode.POSITIVE) for each in operations]
        asked += [(each, GenerationMode.NEGATIVE) for each in wrongly]
        for operation, mode in asked:

            @given(case=operation.as_strategy(mode))
            @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None)
            def keeps_to_it(case: schemathesis.Case[Any]) -> None:
                case.call_and_validate(headers=headers)

            keeps_to_it()
    assert {operation.path for operation in operations} >= {"/v1/lookup", "/v1/entries/{key}"}
