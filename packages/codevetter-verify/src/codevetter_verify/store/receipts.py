"""Receipts: written once, checked on every read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa
from pydantic import ValidationError

from codevetter_verify.domain.records import IndexedReceipt, StoredReceipt
from codevetter_verify.errors import ReceiptNotFoundError, StorageFailedError
from codevetter_verify.models import TrexPreviewReceipt
from codevetter_verify.store.tables import receipts
from mcpkit.canonical import canonical_json, sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_NAME = "trex-preview-"
"""How every run id begins."""


def insert(connection: sa.Connection, receipt: TrexPreviewReceipt, repo_key: str) -> str:
    """Keep a receipt and return the SHA-256 of its canonical JSON."""
    document = canonical_json(receipt)
    digest = sha256_hex(document)
    connection.execute(
        sa.insert(receipts).values(
            run_id=receipt.run_id,
            repo_key=repo_key,
            repo_path=receipt.repo_path,
            ran_at=receipt.ran_at,
            verdict=receipt.verdict,
            head_sha=receipt.source.head_sha,
            summary=receipt.summary,
            document=document,
            sha256=digest,
        )
    )
    return digest


def fetch(connection: sa.Connection, run_id: str) -> TrexPreviewReceipt:
    """Return a receipt that is what was written, or raise `ReceiptNotFoundError`, `StorageFailedError`."""
    return _trusted(_row(connection, run_id))


def fetch_of(connection: sa.Connection, run_id: str, *, repo_key: str) -> tuple[TrexPreviewReceipt, str]:
    """The same with its digest, for one repository: another's receipt is not found."""
    row = _row(connection, run_id)
    if row["repo_key"] != repo_key:
        raise ReceiptNotFoundError(run_id)
    return _trusted(row), row["sha256"]


def _row(connection: sa.Connection, run_id: str) -> sa.RowMapping:
    row = connection.execute(sa.select(receipts).where(receipts.c.run_id == run_id)).mappings().one_or_none()
    if row is None:
        raise ReceiptNotFoundError(run_id)
    return row


def _trusted(row: sa.RowMapping) -> TrexPreviewReceipt:
    found = _read(row)
    if isinstance(found, str):
        raise StorageFailedError(
            f"the stored receipt {row['run_id']} cannot be trusted: {found}",
            hint="run the verification again",
        )
    return found


def listing(connection: sa.Connection, *, repo_key: str | None, limit: int) -> list[StoredReceipt]:
    """The newest receipts, of one repository or of all.

    One that cannot be trusted says so and hides no other.
    """
    query = sa.select(receipts).order_by(receipts.c.run_id.desc()).limit(limit)
    if repo_key is not None:
        query = query.where(receipts.c.repo_key == repo_key)
    return [_stored(row) for row in connection.execute(query).mappings()]


def index(connection: sa.Connection, *, repo_key: str) -> list[IndexedReceipt]:
    """Every receipt of a repository as the index has it, the newest first."""
    columns = receipts.c
    query = sa.select(columns.run_id, columns.verdict, columns.head_sha).where(columns.repo_key == repo_key)
    rows = connection.execute(query.order_by(columns.run_id.desc()))
    return [IndexedReceipt(run_id, verdict, head_sha) for run_id, verdict, head_sha in rows]


def lines(connection: sa.Connection, run_ids: Sequence[str]) -> list[StoredReceipt]:
    """These receipts as a list shows them, the newest first."""
    query = sa.select(receipts).where(receipts.c.run_id.in_(run_ids)).order_by(receipts.c.run_id.desc())
    return [_stored(row) for row in connection.execute(query).mappings()]


def named(connection: sa.Connection, part: str, *, limit: int) -> list[str]:
    """Run ids that are `part`, or else begin or end with it, the newest first; at most `limit`.

    The name that all ids begin with may be left out.
    """
    column = receipts.c.run_id
    exact = connection.execute(sa.select(column).where(column == part)).scalars().all()
    if exact:
        return list(exact)
    fitting = sa.or_(
        column.startswith(part, autoescape=True),
        column.startswith(f"{_NAME}{part}", autoescape=True),
        column.endswith(part, autoescape=True),
    )
    query = sa.select(column).where(fitting).order_by(column.desc()).limit(limit)
    return list(connection.execute(query).scalars())


def newest(connection: sa.Connection, *, repo_key: str) -> str | None:
    """The run id of a repository's newest receipt."""
    column = receipts.c.run_id
    query = sa.select(column).where(receipts.c.repo_key == repo_key).order_by(column.desc()).limit(1)
    return connection.execute(query).scalar_one_or_none()


def prunable(
    connection: sa.Connection, *, repo_key: str | None, keep_last: int | None, before: str | None
) -> tuple[list[str], int]:
    """Which runs every given rule lets go, oldest first, and how many receipts there are in all.

    The newest `keep_last` of each repository stay, and what ran at `before` (RFC 3339, UTC) or later. Read
    from the index alone, so that a receipt that cannot be read can be removed.
    """
    query = sa.select(receipts.c.run_id, receipts.c.repo_key, receipts.c.ran_at)
    if repo_key is not None:
        query = query.where(receipts.c.repo_key == repo_key)
    newer: dict[str, int] = {}
    found, count = [], 0
    for run_id, key, ran_at in connection.execute(query.order_by(receipts.c.run_id.desc())):
        count += 1
        newer[key] = newer.get(key, 0) + 1
        if (keep_last is None or newer[key] > keep_last) and (before is None or ran_at < before):
            found.append(run_id)
    return found[::-1], count


def remove(connection: sa.Connection, run_ids: Sequence[str]) -> None:
    """Forget receipts."""
    for run_id in run_ids:
        connection.execute(sa.delete(receipts).where(receipts.c.run_id == run_id))


def _stored(row: sa.RowMapping) -> StoredReceipt:
    found = _read(row)
    return StoredReceipt(
        run_id=row["run_id"],
        repo_path=row["repo_path"],
        ran_at=row["ran_at"],
        verdict=row["verdict"],
        head_sha=row["head_sha"],
        summary=row["summary"],
        problem=found if isinstance(found, str) else None,
    )


def _read(row: Mapping[Any, Any]) -> TrexPreviewReceipt | str:
    """The receipt of a row, or why it cannot be trusted."""
    if sha256_hex(row["document"]) != row["sha256"]:
        return "its digest does not match its content"
    try:
        receipt = TrexPreviewReceipt.model_validate_json(row["document"])
    except ValidationError as exc:
        return f"it does not have the form of a receipt ({exc.error_count()} problems)"
    if (receipt.run_id, receipt.verdict) != (row["run_id"], row["verdict"]):
        return "its index does not match its content"
    return receipt
