"""Which receipt a person means: part of its run id, or the newest one of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.errors import AmbiguousReceiptError, NoReceiptError, ReceiptNotFoundError
from codevetter_verify.service.scope import open_scope

if TYPE_CHECKING:
    from codevetter_verify.store.store import Store

SHOWN = 5
"""Candidates that a refusal names."""


async def choose_receipt(part: str | None, *, repo: str, store: Store) -> str:
    """The whole run id.

    `part` is an id, or how one receipt's id alone begins or ends; None: the newest of the
    repository at `repo`. Raises ReceiptNotFoundError, AmbiguousReceiptError, NoReceiptError,
    ScopeUnavailableError.
    """
    if part is None:
        scope = await open_scope(repo)
        newest = await store.newest(repo_key=scope.key)
        if newest is None:
            raise NoReceiptError(scope.path)
        return newest
    found = await store.named(part, limit=SHOWN + 1) if part else []
    if not found:
        raise ReceiptNotFoundError(part)
    if len(found) > 1:
        raise AmbiguousReceiptError(part, found[:SHOWN], more=len(found) > SHOWN)
    return found[0]
