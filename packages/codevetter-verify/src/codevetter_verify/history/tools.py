"""The history server's tools: what `tools.json` is written from, and what the first call opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codevetter_verify.history.projection import History
from codevetter_verify.service.history.access import Archive, veil_of
from codevetter_verify.store.places import receipts_home
from codevetter_verify.store.reading import ReadingStore
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Scope
    from mcpkit.operation import Service

_HINTS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)


def open_operations(scope: Scope) -> tuple[Operation, ...]:
    """The tools for one repository. Blocks; raises `StorageFailedError`."""
    home = receipts_home()
    history = History(Archive(scope, ReadingStore(home), veil_of(scope, home)))
    return _tools(history.receipts_list, history.receipt_get, history.history_log, history.change_paths)


def _tools(*services: Service) -> tuple[Operation, ...]:
    titles = ("List verification receipts", "Read a receipt", "List commits", "List changed paths")
    return tuple(
        Operation.of(service, title=title, hints=_HINTS)
        for service, title in zip(services, titles, strict=True)
    )


published = PublishedServer(
    name="codevetter-mcp",
    operations=_tools(
        cast("Service", History.receipts_list),  # unbound, all of them: schemas only
        cast("Service", History.receipt_get),
        cast("Service", History.history_log),
        cast("Service", History.change_paths),
    ),
    package="codevetter_verify.history",
)
