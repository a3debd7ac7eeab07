"""Which Chromium to visit with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from codevetter_verify.errors import BrowserMissingError
from oskit.process import find_program

ENV_VAR = "CODEVETTER_BROWSER"

_PLAYWRIGHT_BUILDS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)
_INSTALLED = (
    "chromium-headless-shell",
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "google-chrome-stable",
    "google-chrome",
    "/usr/lib/chromium/chromium",
    "chromium",
    "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

HOW_TO_GET_ONE = (
    "On Debian or Ubuntu run `apt install chromium-headless-shell` (or `chromium`); "
    "elsewhere (macOS, Windows, other Linux) run `python -m playwright install chromium`; "
    f"or set {ENV_VAR} to the path of a Chromium or Chrome."
)


def find_browser(explicit: str | None = None) -> Path:
    """The executable: `explicit`, else CODEVETTER_BROWSER, Playwright's own build, an installed one.

    Raises `BrowserMissingError`, which says how to get one. A named browser that is not there is never
    replaced by another: the owner meant that one.
    """
    named = explicit or os.environ.get(ENV_VAR)
    if named:
        return _named(named)
    found = next((path for path in _candidates() if _runs(path)), None)
    if found is None:
        raise BrowserMissingError(f"no Chromium was found on this machine. {HOW_TO_GET_ONE}")
    return found


def _named(name: str) -> Path:
    found = find_program(name) if os.sep not in name else name
    if found is None or not _runs(Path(found)):
        raise BrowserMissingError(f"the browser {name!r} is not an executable file. {HOW_TO_GET_ONE}")
    return Path(found)


def _candidates() -> list[Path]:
    own = [
        path
        for pattern in _PLAYWRIGHT_BUILDS
        for path in sorted(_playwright_cache().glob(pattern), reverse=True)
    ]
    installed = [
        Path(found) for name in _INSTALLED if (found := name if os.sep in name else find_program(name))
    ]
    return own + installed


def _playwright_cache() -> Path:
    """Where `playwright install` puts browsers (its documentation, "Managing browser binaries")."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named and named != "0":
        return Path(named)
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return home / "AppData" / "Local" / "ms-playwright"
    return home / ".cache" / "ms-playwright"


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
