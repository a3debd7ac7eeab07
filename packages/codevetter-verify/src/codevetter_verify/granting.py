"""Opens the store for the permission to read history, and for the audit: `wiring` without a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.service import auditing, enabling
from codevetter_verify.store.places import receipts_home
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from codevetter_verify.models import EnablementList, EnablementStatus, EnableRequest, RepositoryRequest
    from codevetter_verify.models.audit import AuditCleared, AuditClearRequest, AuditList, AuditRequest


async def enable_history(request: EnableRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.enable(request, store=await _store(), permission="history")


async def disable_history(request: RepositoryRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.disable(request, store=await _store(), permission="history")


async def history_status(request: RepositoryRequest) -> EnablementList:
    """See `service.enabling`."""
    return await enabling.status(request, store=await _store(), permission="history")


async def history_id(request: RepositoryRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.enabled_id(request, store=await _store(), permission="history")


async def list_audit(request: AuditRequest) -> AuditList:
    """See `service.auditing`."""
    return await auditing.list_audit(request, store=await _store())


async def clear_audit(request: AuditClearRequest) -> AuditCleared:
    """See `service.auditing`."""
    return await auditing.clear_audit(request, store=await _store())


async def _store() -> Store:
    return await Store.open(receipts_home())
