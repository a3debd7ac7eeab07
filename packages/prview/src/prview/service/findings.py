"""The findings of a completed run, page by page, lifted from its SARIF file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from mcpkit.paging import Binding, list_page
from oskit.files import StorageError, StorageMissingError, read_bounded
from prview.domain.gate import SARIF_PATH
from prview.domain.sarif_reading import SarifItem, read_sarif
from prview.errors import RETRY_AFTER_MS, StaleRunError, StorageCorruptError
from prview.models.results import FindingItem, FindingsResult
from prview.service.opening import open_repo
from prview.service.verdict import chosen_run
from prview.store.documents import MAX_DOCUMENT
from prview.store.runs import COMPLETED, IN_PROGRESS, StoredRun

if TYPE_CHECKING:
    from prview.models.requests import FindingsRequest
    from prview.service.settings import Settings

MAX_ITEMS = 1000
_MAX_MESSAGE = 4000
"""Characters of one message: an item must fit a page."""


async def findings(settings: Settings, request: FindingsRequest) -> FindingsResult:
    """Answer `findings`."""
    opened = await open_repo(settings, request.repo)
    run = await chosen_run(opened, request.run_id)
    require_completed(run)
    data = _sarif(run)
    items = [_item(item) for item in read_sarif(data) if _wanted(item, request)] if data else []
    arguments = {"run_id": run.run_id, "severity": request.severity, "path": request.path}
    binding = Binding("findings", arguments, hashlib.sha256(data or b"").hexdigest())
    limit = min(max(request.limit, 1), MAX_ITEMS)
    page = list_page(items, binding=binding, cursor=request.cursor, limit=limit)
    return FindingsResult(items=list(page.items), total=page.total, next_cursor=page.next_cursor)


def require_completed(run: StoredRun) -> None:
    """Raise StaleRunError for a run without a pack; while it runs, the error says when to ask again."""
    if run.status == COMPLETED:
        return
    retry = {"retry_after_ms": RETRY_AFTER_MS} if run.status == IN_PROGRESS else {}
    happened = "is still in progress" if run.status == IN_PROGRESS else "ended without a pack"
    raise StaleRunError(
        f"the run {run.run_id} {happened}",
        hint=f'poll verdict with run_id "{run.run_id}"',
        run_id=run.run_id,
        **retry,
    )


def _sarif(run: StoredRun) -> bytes | None:
    """The file's bytes; None when the run has none, which is an honest empty set."""
    try:
        return read_bounded(run.folder / SARIF_PATH, MAX_DOCUMENT)
    except StorageMissingError:
        return None
    except StorageError as exc:
        raise StorageCorruptError(exc.message, hint="run the review again", run_id=run.run_id) from exc


def _wanted(item: SarifItem, request: FindingsRequest) -> bool:
    level = request.severity is None or item.level.lower() == request.severity.lower()
    return level and (request.path is None or item.file.startswith(request.path))


def _item(item: SarifItem) -> FindingItem:
    return FindingItem(
        file=item.file,
        line=item.line,
        severity=item.level,
        rule=item.rule,
        message=item.message[:_MAX_MESSAGE],
        artifact_ref=SARIF_PATH,
    )
