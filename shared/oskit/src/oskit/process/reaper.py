"""Collecting the status of children that nobody waits for, so that none stays a zombie while we live."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oskit.process.start import Child


def collect_later(child: Child) -> None:
    """Wait for the end of `child` in a thread that does not keep our process alive."""
    wait = functools.partial(child.collect, block=True)
    threading.Thread(target=wait, name=f"oskit-collect-{child.identity.pid}", daemon=True).start()
