"""A host that only asks what there is gets its answer before anything is loaded that only work needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from mcpkit.testing import RawServer, check_failure
from support.servers import ARTIFACTIZE, CODEVETTER, HISTORY, PRVIEW

if TYPE_CHECKING:
    from support.servers import ServerUnderTest

LIBRARIES = "sqlalchemy|sqlmodel|playwright|tree_sitter\\w*|griffe|textual|rich|yaml|pathspec|platformdirs"
OURS = r"mcpkit\.(models|operation|arguments|schemas?)|\w+(\.history)?\.(tools|checks|signals|browser|render|projection|trex)"
WORK = re.compile(rf"({LIBRARIES}|{OURS})(\..*)?")


@pytest.fixture(
    scope="module", params=[PRVIEW, ARTIFACTIZE, CODEVETTER, HISTORY], ids=lambda server: server.name
)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ServerUnderTest:
    under_test: ServerUnderTest = request.param
    return under_test.prepared(tmp_path_factory.mktemp(under_test.name))


def imported(server: ServerUnderTest, *, calls: bool) -> set[str]:
    """What a server imports from its start to its end; all models of ours import `mcpkit.models`."""
    with RawServer(server.command, env={**server.environment(), "PYTHONPROFILEIMPORTTIME": "1"}) as raw:
        raw.handshake("2025-11-25")
        tools = raw.result("tools/list")["tools"]
        if calls:
            check_failure(raw.call(tools[0]["name"], {"no_such_argument": 1}))
        raw.close()
    return {line.rpartition("|")[2].strip() for line in raw.log.splitlines() if "import time:" in line}


def test_the_handshake_loads_nothing_that_only_work_needs(server: ServerUnderTest) -> None:
    loaded = imported(server, calls=False)
    assert "mcpkit.server" in loaded
    assert {name for name in loaded if WORK.fullmatch(name)} == set()


def test_a_call_does(server: ServerUnderTest) -> None:
    """So the names looked for above are those of real modules."""
    loaded = imported(server, calls=True)
    assert {"mcpkit.models", "mcpkit.operation", "mcpkit.arguments"} < loaded
    assert any(name.endswith(".tools") for name in loaded if WORK.fullmatch(name))
