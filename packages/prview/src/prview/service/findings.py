"""The findings of a completed run, page by page, lifted from its SARIF file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from anyio import to_thread

from mcpkit.errors import InvalidArgumentsError
from mcpkit.paging import Binding, json_cost, list_page
from oskit.files import StorageError, StorageMissingError
from prview.domain.gate import SARIF_PATH
from prview.errors import RETRY_AFTER_MS, StaleRunError, StorageCorruptError
from prview.models.results import FindingItem, FindingsResult
from prview.service.opening import open_repo
from prview.service.verdict import chosen_run
from prview.store.runs import COMPLETED, IN_PROGRESS, StoredRun
from prview.store.sarif_files import ParsedSarif, SarifFiles

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from prview.domain.sarif_reading import SarifItem
    from prview.models.requests import FindingsRequest
    from prview.service.settings import Settings

MAX_ITEMS = 1000
_MAX_MESSAGE = 4000
"""Characters of one message: an item must fit a page."""


_LEVELS = ("error", "warning", "note", "none")
"""SARIF 2.1.0, 3.27.10."""
_NONE = ParsedSarif((), hashlib.sha256(b"").hexdigest())
"""A run without a SARIF file: an honest empty set."""


async def findings(settings: Settings, request: FindingsRequest, *, files: SarifFiles) -> FindingsResult:
    """Answer `findings`; `files` remembers what was parsed."""
    level = _level(request.severity)
    opened = await open_repo(settings, request.repo)
    run = await chosen_run(opened, request.run_id)
    require_completed(run)
    sarif = await to_thread.run_sync(_sarif, files, run)
    arguments = {"run_id": run.run_id, "severity": request.severity, "path": request.path}
    page = list_page(
        _wanted(sarif.items, level, _prefix(request.path, opened.checkouts)),
        binding=Binding("findings", arguments, sarif.digest),
        cursor=request.cursor,
        limit=min(max(request.limit, 1), MAX_ITEMS),
        size=lambda item: json_cost(_item(item)),
    )
    items = [_item(item) for item in page.items]
    return FindingsResult(items=items, total=page.total, next_cursor=page.next_cursor)


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


def _sarif(files: SarifFiles, run: StoredRun) -> ParsedSarif:
    try:
        return files.read(run.folder / SARIF_PATH)
    except StorageMissingError:
        return _NONE
    except StorageError as exc:
        raise StorageCorruptError(exc.message, hint="run the review again", run_id=run.run_id) from exc


def _level(severity: str | None) -> str | None:
    """The SARIF level that is asked for.

    No findings of a level that does not exist would look like a clean run: it is an error.
    """
    if not severity:  # some hosts send an empty text for what was not given
        return None
    if severity.lower() in _LEVELS:
        return severity.lower()
    raise InvalidArgumentsError(
        f"`severity` {severity[:40]!r} is no SARIF level", hint=f"give one of: {', '.join(_LEVELS[:3])}"
    )


def _prefix(path: str | None, checkouts: Sequence[Path]) -> str | None:
    """What the files of findings begin with, also when it was asked for from `./` or by its whole path."""
    if path is None:
        return None
    for checkout in checkouts:
        path = path.removeprefix(f"{checkout}/")
    return path.removeprefix("./")


def _wanted(items: Sequence[SarifItem], level: str | None, prefix: str | None) -> Sequence[SarifItem]:
    if level is not None:
        items = [item for item in items if item.level.lower() == level]
    if prefix is not None:
        items = [item for item in items if item.file.startswith(prefix)]
    return items


def _item(item: SarifItem) -> FindingItem:
    return FindingItem(
        file=item.file,
        line=item.line,
        severity=item.level,
        rule=item.rule,
        message=item.message[:_MAX_MESSAGE],
        artifact_ref=SARIF_PATH,
    )
