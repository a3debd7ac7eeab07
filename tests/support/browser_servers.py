"""Browsers that others started: a Playwright server, and a Chromium that listens for CDP."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING

from codevetter_verify.browser.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FLAGS = ["--no-sandbox", "--disable-gpu"]
_ADDRESS = re.compile(r"ws://\S+")
BOUND_S = 60


@contextlib.contextmanager
def playwright_server(folder: Path) -> Iterator[str]:
    """The address of a Playwright server with its own Chromium."""
    config = folder / "server.json"
    options = {"executablePath": str(find_browser()), "args": FLAGS, "host": "127.0.0.1", "port": 0}
    config.write_text(json.dumps(options))
    command = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium"]
    with _serving([*command, "--config", str(config)]) as address:
        yield address


@contextlib.contextmanager
def cdp_browser(folder: Path) -> Iterator[str]:
    """The address of a Chromium that was started without any of our flags."""
    profile = f"--user-data-dir={folder / 'profile'}"
    with _serving([str(find_browser()), *FLAGS, profile, "--remote-debugging-port=0"]) as address:
        yield address


@contextlib.contextmanager
def _serving(command: list[str]) -> Iterator[str]:
    """Start a server in a session of its own; yield the first ws address it prints; end all of it."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    watchdog = threading.Timer(BOUND_S, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        yield _address(process.stdout)
    finally:
        watchdog.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _address(output: IO[str]) -> str:
    for line in output:
        if found := _ADDRESS.search(line):
            return found[0]
    raise AssertionError("the server ended without saying where it listens")
