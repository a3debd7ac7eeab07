"""The monitor as a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App

from artifactize.monitor.run_table import RunTable
from artifactize.monitor.watching import MonitorScreen

if TYPE_CHECKING:
    from artifactize.monitor.signing import SignOffs
    from artifactize.service.monitoring import Monitor


class MonitorApp(App[None]):
    """Opens the monitor's screen; the sign-offs lie over it when they are asked for."""

    TITLE = "artifactize"
    ENABLE_COMMAND_PALETTE = False
    RUN_TABLE: ClassVar[type[RunTable]] = RunTable

    def __init__(self, monitor: Monitor, signoffs: SignOffs) -> None:
        super().__init__()
        self._first = MonitorScreen(monitor, signoffs, self.RUN_TABLE)

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(self._first)
