"""The demo's tools as a server; imported, printing, only when the wire is taken."""

from __future__ import annotations

import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcpkit.envelope import ClassEnvelope
from mcpkit.errors import ToolError
from mcpkit.listing import listing_of
from mcpkit.operation import Hints, Operation, PublishedServer, Service
from mcpkit.server import build_server
from support.demo_server import service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.lowlevel import Server

print("printed by an import")

_READ = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)
_ACT = Hints(read_only=False, destructive=False, idempotent=False, open_world=True)
_TITLES: dict[Service, str] = {
    service.add: "Add",
    service.select: "Select",
    service.fail: "Fail",
    service.big: "Big",
    service.big_whole: "Big, whole",
    service.big_failure: "Big failure",
    service.count: "Count",
    service.hang: "Hang",
    service.stick: "Stick",
    service.freeze: "Freeze",
    service.chatter: "Chatter",
    service.shout: "Shout",
}
_ACTING = {service.hang, service.chatter, service.shout}

OPERATIONS = tuple(
    Operation.of(function, title=title, hints=_ACT if function in _ACTING else _READ)
    for function, title in _TITLES.items()
)
ENVELOPE = ClassEnvelope(frozenset({"not_found"}), "demo.v1")
published = PublishedServer("demo", OPERATIONS)


def build() -> Server[Any]:
    """The server itself."""
    return build_server(
        name="demo",
        version="1.2.3",
        title="Demo",
        instructions="Try things.",
        listing=listing_of(OPERATIONS),
        operations=lambda: OPERATIONS,
        envelope=ENVELOPE,
    )


@asynccontextmanager
async def open_server() -> AsyncIterator[Server[Any]]:
    """The server; on the way out it leaves a mark in the file that `DEMO_MARK` names."""
    if os.environ.get("DEMO_REFUSES"):
        raise ToolError("not_found", "the demo does not want to", hint="unset DEMO_REFUSES", exit_code=4)
    yield build()
    if mark := os.environ.get("DEMO_MARK"):
        Path(mark).write_text("closed")  # noqa: ASYNC240 - an instant, in a test
    print("closed", file=sys.stderr)
