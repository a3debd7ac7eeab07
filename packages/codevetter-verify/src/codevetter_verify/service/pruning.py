"""Removing old receipts, on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.errors import InvalidInputError
from codevetter_verify.models import PruneResult
from codevetter_verify.service.enabling import parse_ttl
from codevetter_verify.service.scope import open_scope
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from codevetter_verify.models import PruneRequest
    from codevetter_verify.store.store import Store


async def prune_receipts(request: PruneRequest, *, store: Store) -> PruneResult:
    """Remove what every given rule lets go, receipts and their files.

    Raises `InvalidInputError` when no rule is given.
    """
    if request.keep_last is None and request.older_than is None:
        raise InvalidInputError(
            "nothing says which receipts may go",
            hint="give --keep-last N, --older-than TIME (as 30d), or both",
            field="keep_last",
        )
    age = parse_ttl(request.older_than, field="older_than") if request.older_than is not None else None
    key = (await open_scope(request.repo)).key if request.repo is not None else None
    removed, count = await store.prune(
        repo_key=key,
        keep_last=request.keep_last,
        before=rfc3339(now() - age) if age is not None else None,
        dry_run=request.dry_run,
    )
    return PruneResult(run_ids=tuple(removed), kept=count - len(removed), dry_run=request.dry_run)
