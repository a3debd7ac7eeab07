"""Opens what the services need, for whoever starts: environment in, services out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mcpkit.errors import InvalidArgumentsError
from oskit.files import StorageError
from prview.service.settings import QUICK_BUDGET_S, Settings
from prview.store.home import Home

if TYPE_CHECKING:
    from prview.service.api import Prview

BUDGET_VARIABLE = "PRVIEW_QUICK_BUDGET_S"


def open_prview() -> Prview:
    """Return the services as the environment wants them. Raises InvalidArgumentsError."""
    return services_with(open_settings())


def unopened_prview() -> Prview:
    """Return services for reading signatures, whatever the environment; not to be called."""
    return services_with(Settings(home=Home(Path()), command=()))


def services_with(settings: Settings) -> Prview:
    """Return the services with these settings."""
    from prview.service.api import Prview  # deferred: the server's handshake needs settings only

    return Prview(settings)


def open_settings() -> Settings:
    """Read PRVIEW_HOME and PRVIEW_QUICK_BUDGET_S (seconds, above 0)."""
    try:
        home = Home.from_environment()
    except StorageError as exc:
        raise InvalidArgumentsError(exc.message, hint=exc.hint) from exc
    # -P: the working directory must not decide which prview is imported
    command = (sys.executable, "-P", "-m", "prview")
    return Settings(home=home, command=command, quick_budget_s=_budget())


def _budget() -> float:
    text = os.environ.get(BUDGET_VARIABLE)
    if not text:
        return QUICK_BUDGET_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= QUICK_BUDGET_S:
        raise InvalidArgumentsError(
            f"{BUDGET_VARIABLE}={text!r} is no number of seconds above 0 and up to {QUICK_BUDGET_S:g}",
            hint="unset it",
        )
    return seconds
