"""What a refused call shows as an example is a value that means something to the tool."""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from mcpkit.example import example_of

if TYPE_CHECKING:
    from mcpkit.operation import Operation

OPERATIONS: list[Operation] = [
    operation
    for server in entry_points(group="mcpkit.servers")
    if server.name in {"prview", "codevetter-verify-mcp", "artifactize"}
    for operation in server.load().operations
]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_example_holds_no_placeholder(operation: Operation) -> None:
    """`{"repo": "text"}` would be copied as it is."""
    schema = operation.input_schema()
    assert '"text"' not in json.dumps(example_of(schema))
    for required in schema.get("required", ()):
        assert example_of(schema["properties"][required]) is not None


def test_every_server_is_looked_at() -> None:
    assert {"run_review", "verify_change_preview", "request_logs"} <= {each.name for each in OPERATIONS}
