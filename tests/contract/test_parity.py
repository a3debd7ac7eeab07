"""What a person reads with `--json` is what an agent gets from the tool, and nothing is missing from the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpkit import schemas
from support.parity import Pair, all_pairs, check_parity, without_command
from support.parity_demo import demo_call

if TYPE_CHECKING:
    from pathlib import Path

INSTALLED = {entry.name: entry for entry in schemas.installed()}
PAIRS = [pair for pair in all_pairs() if pair.server in {*INSTALLED, "demo"}]


@pytest.mark.anyio
@pytest.mark.parametrize("pair", PAIRS, ids=str)
async def test_the_commands_json_is_the_tools_structured_content(pair: Pair, tmp_path: Path) -> None:
    await check_parity(pair.prepare(tmp_path), pair.operation)


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_every_operation_has_a_pair_or_a_reason_to_have_none(name: str) -> None:
    operations = {operation.name for operation in schemas.load(INSTALLED[name]).operations}
    paired = {pair.operation for pair in PAIRS if pair.server == name}
    excused = {operation for server, operation in without_command() if server == name}
    assert operations - paired - excused == set(), (
        f"add pairs for these to tests/support/parity_*.py ({name})"
    )
    assert paired | excused <= operations, "pairs of operations that do not exist"
    assert paired & excused == set(), "excused although there is a pair"


# --- the comparison itself ----------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_different_value_is_seen() -> None:
    with pytest.raises(AssertionError):
        await check_parity(demo_call("add", "2", arguments={"a": 3}), "add")


@pytest.mark.anyio
async def test_a_success_beside_a_failure_is_seen() -> None:
    with pytest.raises(AssertionError, match="exit code 0"):
        await check_parity(demo_call("add", "2", arguments={"a": 2}, exit_code=2), "add")
    with pytest.raises(AssertionError):
        await check_parity(demo_call("add", "2", arguments={"how": "declared"}), "fail")


@pytest.mark.anyio
async def test_a_volatile_field_may_differ_in_value_only() -> None:
    await check_parity(demo_call("add", "2", arguments={"a": 3}, volatile=frozenset({"sum"})), "add")
