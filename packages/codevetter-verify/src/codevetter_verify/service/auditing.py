"""Keeps who asked for a verification, and how that ended: metadata, within bounds, on this machine only."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import anyio

from codevetter_verify.domain.records import AuditEntry
from codevetter_verify.errors import StorageFailedError
from codevetter_verify.models.audit import AuditCleared, AuditLine, AuditList
from codevetter_verify.service.scope import open_scope
from mcpkit.canonical import compact_json
from mcpkit.errors import ToolError
from oskit.clock import monotonic, now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pydantic import BaseModel

    from codevetter_verify.domain.records import Face, Scope
    from codevetter_verify.models import TrexPreviewReceipt
    from codevetter_verify.models.audit import AuditClearRequest, AuditRequest
    from codevetter_verify.store.store import Store

logger = logging.getLogger(__name__)
VERIFY = "verify_change_preview"


async def audited(
    work: Callable[[], Awaitable[TrexPreviewReceipt]],
    *,
    request: BaseModel,
    face: Face,
    scope: Scope,
    store: Store,
) -> TrexPreviewReceipt:
    """Carry out a verification and keep that it was asked for, also when it fails or is cancelled."""
    began = monotonic()
    receipt: TrexPreviewReceipt | None = None
    status = "internal_error"
    try:
        receipt = await work()
        status = "answered"
    except ToolError as exc:
        status = exc.error_class
        raise
    except anyio.get_cancelled_exc_class():
        status = "cancelled"
        raise
    finally:
        with anyio.CancelScope(shield=True):
            await _note(
                store,
                AuditEntry(
                    repo_key=scope.key,
                    at=now(),
                    face=face,
                    operation=VERIFY,
                    status=status,
                    duration_ms=round((monotonic() - began) * 1000),
                    request_bytes=_size(request),
                    result_bytes=_size(receipt) if receipt is not None else 0,
                    verdict=receipt.verdict if receipt is not None else None,
                    run_id=receipt.run_id if receipt is not None else None,
                ),
            )
    return receipt


async def note_refused(
    arguments: object, error: ToolError, *, face: Face, scope: Scope, store: Store
) -> None:
    """Keep that the input schema refused a call: why and how large it was, nothing of what it said."""
    await _note(
        store,
        AuditEntry(
            repo_key=scope.key,
            at=now(),
            face=face,
            operation=VERIFY,
            status=error.error_class,
            duration_ms=0,
            request_bytes=_raw_size(arguments),
            result_bytes=0,
        ),
    )


async def list_audit(request: AuditRequest, *, store: Store) -> AuditList:
    """The newest accesses, one line each."""
    key = (await open_scope(request.repo)).key if request.repo is not None else None
    found = await store.audited(repo_key=key, limit=request.limit)
    return AuditList(entries=tuple(map(_line, found)))


async def clear_audit(request: AuditClearRequest, *, store: Store) -> AuditCleared:
    """Forget accesses, of one repository or all."""
    key = (await open_scope(request.repo)).key if request.repo is not None else None
    return AuditCleared(removed=await store.clear_audit(repo_key=key))


async def _note(store: Store, entry: AuditEntry) -> None:
    """A store that cannot keep the entry has told its failure elsewhere: the answer stays what it is."""
    try:
        await store.audit(entry)
    except StorageFailedError as exc:
        logger.warning("an access could not be noted: %s", exc.message)


def _size(value: BaseModel) -> int:
    return len(compact_json(value).encode())


def _raw_size(arguments: object) -> int:
    """Of arguments that nobody has judged yet: what JSON cannot hold must not hide that they came."""
    try:
        return len(json.dumps(arguments, separators=(",", ":")))
    except (TypeError, ValueError, RecursionError):
        return 0


def _line(entry: AuditEntry) -> AuditLine:
    return AuditLine(
        at=rfc3339(entry.at),
        repo_id=f"repo-{entry.repo_key}",
        face=entry.face,
        operation=entry.operation,
        status=entry.status,
        verdict=entry.verdict,
        run_id=entry.run_id,
        duration_ms=entry.duration_ms,
        request_bytes=entry.request_bytes,
        result_bytes=entry.result_bytes,
    )
