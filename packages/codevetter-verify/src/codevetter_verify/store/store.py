"""The store as services see it: one method a question, each a transaction in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, ParamSpec, TypedDict, TypeVar, Unpack

from anyio import to_thread

from codevetter_verify.store import artifacts, audit, enablements, receipts, runs
from codevetter_verify.store.database import Database

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Concatenate

    import sqlalchemy as sa

    from codevetter_verify.domain.records import (
        ActiveRun,
        AuditEntry,
        Enablement,
        Permission,
        RouteNote,
        StoredReceipt,
    )
    from codevetter_verify.models import Artifact, TrexPreviewReceipt

P = ParamSpec("P")
R = TypeVar("R")


class Store:
    """Everything codevetter keeps, below one private directory.

    Every method may raise `StorageFailedError`.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self._database = Database(home)

    @classmethod
    async def open(cls, home: Path) -> Store:
        """Open, and create or migrate if need be."""
        return await to_thread.run_sync(cls, home)

    async def claim_run(self, run: ActiveRun) -> list[ActiveRun]:
        """Begin a run; raises `RunInProgressError`. Returns the dead owners' runs that made way."""
        return await self._write(runs.claim, run)

    async def release_run(self, run_id: str) -> bool:
        """End a run; False when somebody has already."""
        return await self._write(runs.release, run_id)

    async def bury_run(self, run: ActiveRun) -> None:
        """End the run of a dead owner, with the receipt that says so."""
        await self._write(runs.bury, run)

    async def note_stage(self, run_id: str, stage: str, *, at: dt.datetime) -> None:
        """Remember how far a run came."""
        await self._write(runs.note_stage, run_id, stage, at=at)

    async def note_routes(self, run_id: str, routes: Sequence[RouteNote]) -> None:
        """Remember which routes a run has planned, and what became of each so far."""
        await self._write(runs.note_routes, run_id, routes)

    async def note_browser(self, run_id: str, browser: str) -> None:
        """Remember the browser process of a run."""
        await self._write(runs.note_browser, run_id, browser)

    async def orphaned_runs(self) -> list[ActiveRun]:
        """Runs whose owner is dead."""
        return [run for run in await self._read(runs.every) if not runs.is_alive(run.owner)]

    async def finish_run(self, receipt: TrexPreviewReceipt, repo_key: str) -> str:
        """Keep a run's receipt and end the run, both or neither.

        Returns the SHA-256 of the canonical JSON.
        """
        return await self._write(_finish, receipt, repo_key)

    async def receipt(self, run_id: str) -> TrexPreviewReceipt:
        """A receipt, checked against its digest; raises `ReceiptNotFoundError`."""
        return await self._read(receipts.fetch, run_id)

    async def receipts(self, *, repo_key: str | None = None, limit: int = 50) -> list[StoredReceipt]:
        """The newest receipts."""
        return await self._read(receipts.listing, repo_key=repo_key, limit=limit)

    async def named(self, part: str, *, limit: int) -> list[str]:
        """Run ids that begin or end with `part`; see `receipts.named`."""
        return await self._read(receipts.named, part, limit=limit)

    async def newest(self, *, repo_key: str) -> str | None:
        """The run id of a repository's newest receipt."""
        return await self._read(receipts.newest, repo_key=repo_key)

    async def prune(
        self, *, repo_key: str | None, keep_last: int | None, before: str | None, dry_run: bool
    ) -> tuple[list[str], int]:
        """Remove the receipts that every given rule lets go, then their files; see `receipts.prunable`."""
        rules: _Rules = {"repo_key": repo_key, "keep_last": keep_last, "before": before}
        if dry_run:
            return await self._read(receipts.prunable, **rules)
        removed, count = await self._write(_prune, **rules)
        for run_id in removed:
            await to_thread.run_sync(artifacts.remove, self.home, run_id)
        return removed, count

    async def save_artifact(
        self, run_id: str, name: str, data: bytes, *, kind: Literal["screenshot", "source"]
    ) -> Artifact:
        """Keep a file beside a receipt."""
        return await to_thread.run_sync(partial(artifacts.save, self.home, run_id, name, data, kind=kind))

    async def enable(self, enablement: Enablement, *, permission: Permission = "verification") -> None:
        """Make this the repository's enablement."""
        await self._write(enablements.put, enablement, permission=permission)

    async def disable(
        self, repo_id: str, *, at: dt.datetime, by: str, permission: Permission = "verification"
    ) -> bool:
        """Withdraw the permission; False when there was none."""
        return await self._write(enablements.disable, repo_id, permission=permission, at=at, by=by)

    async def enablement(self, repo_id: str, *, permission: Permission = "verification") -> Enablement | None:
        """The enablement of a repository."""
        return await self._read(enablements.find, repo_id, permission=permission)

    async def enablements(self, *, permission: Permission = "verification") -> list[Enablement]:
        """All enablements."""
        return await self._read(enablements.every, permission=permission)

    async def audit(self, entry: AuditEntry) -> None:
        """Keep what is kept of an access."""
        await self._write(audit.note, entry)

    async def audited(self, *, repo_key: str | None, limit: int) -> list[AuditEntry]:
        """The newest accesses."""
        return await self._read(audit.listing, repo_key=repo_key, limit=limit)

    async def clear_audit(self, *, repo_key: str | None) -> int:
        """Forget accesses; how many."""
        return await self._write(audit.clear, repo_key=repo_key)

    async def _write(
        self, action: Callable[Concatenate[sa.Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        def work() -> R:
            with self._database.writing() as connection:
                return action(connection, *args, **kwargs)

        return await to_thread.run_sync(work)

    async def _read(
        self, action: Callable[Concatenate[sa.Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        def work() -> R:
            with self._database.reading() as connection:
                return action(connection, *args, **kwargs)

        return await to_thread.run_sync(work)


class _Rules(TypedDict):
    repo_key: str | None
    keep_last: int | None
    before: str | None


def _prune(connection: sa.Connection, **rules: Unpack[_Rules]) -> tuple[list[str], int]:
    removed, count = receipts.prunable(connection, **rules)
    receipts.remove(connection, removed)
    return removed, count


def _finish(connection: sa.Connection, receipt: TrexPreviewReceipt, repo_key: str) -> str:
    digest = receipts.insert(connection, receipt, repo_key)
    runs.release(connection, receipt.run_id)
    return digest
