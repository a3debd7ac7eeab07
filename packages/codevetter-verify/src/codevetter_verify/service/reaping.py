"""Ends what a run left behind whose process was killed: its browser, and its claim."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from anyio import to_thread

from oskit.process import ProcessIdentity, kill_tree

if TYPE_CHECKING:
    from codevetter_verify.domain.records import ActiveRun
    from codevetter_verify.store.store import Store

logger = logging.getLogger(__name__)


async def reap(store: Store) -> None:
    """End the browsers of runs whose owner is dead, free their repositories, leave receipts that say so."""
    for run in await store.orphaned_runs():
        await end_browser(run)
        await store.bury_run(run)


async def end_browser(run: ActiveRun) -> None:
    """End what a dead owner's run may have left running."""
    logger.warning("run %s was left behind by a process that died", run.run_id)
    if run.browser is not None:
        await to_thread.run_sync(_kill, run.browser)


def _kill(browser: str) -> None:
    try:
        identity = ProcessIdentity.parse(browser)
    except ValueError:
        return  # not written by us: nothing to go by
    kill_tree(identity, grace_s=0)
