"""Where a run's dashboard lies, and a browser for it."""

from __future__ import annotations

import os
import webbrowser
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.models.explaining import OpenResult
from prview.service.findings import require_completed
from prview.service.opening import open_repo
from prview.service.verdict import chosen_run
from prview.store.paths import DASHBOARD

if TYPE_CHECKING:
    from prview.models.requests import OpenRequest
    from prview.service.settings import Settings

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


async def open_dashboard(settings: Settings, request: OpenRequest) -> OpenResult:
    """Answer `prview open`. Raises RunNotFoundError, StaleRunError, StorageCorruptError."""
    opened = await open_repo(settings, request.repo)
    run = await chosen_run(opened, request.run_id)
    require_completed(run)
    dashboard = run.folder / DASHBOARD
    if not dashboard.is_file():
        return OpenResult(run_id=run.run_id, path=str(run.folder), opened=False)
    shown = request.browser and _may_show() and await to_thread.run_sync(_show, dashboard.as_uri())
    return OpenResult(run_id=run.run_id, path=str(dashboard), opened=shown)


def _may_show() -> bool:
    """Without a screen a browser that draws into the terminal would be started."""
    return os.uname().sysname == "Darwin" or any(os.environ.get(name) for name in _DISPLAYS)


def _show(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
