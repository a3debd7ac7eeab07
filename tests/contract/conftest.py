"""The servers, one after the other."""

from __future__ import annotations

import pytest

from support.servers import SERVERS, ServerUnderTest


@pytest.fixture(scope="module", params=SERVERS, ids=lambda server: server.name)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ServerUnderTest:
    """A server that the contract applies to, with what it needs; made once, since nothing is kept in it."""
    under_test: ServerUnderTest = request.param
    return under_test.prepared(tmp_path_factory.mktemp(under_test.name))
