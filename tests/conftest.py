"""Guards of every test: one async backend, and the real home directory out of reach."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pathlib import Path

# a busy machine is no fault of the code: no test fails on a clock (pytest-timeout ends what hangs)
settings.register_profile("review", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("review")

# a script's background job ignores SIGINT, and so would every program that a test starts in it and interrupts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_XDG = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}
_GITCONFIG = "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"


@pytest.fixture
def anyio_backend() -> str:
    """The servers run on asyncio, and so do the tests."""
    return "asyncio"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home directory beside `tmp_path` (which stays empty), with the only git configuration there is."""
    directory = tmp_path.with_name(f"{tmp_path.name}-home")
    directory.mkdir(mode=0o700)
    gitconfig = directory / ".gitconfig"
    gitconfig.write_text(_GITCONFIG)
    monkeypatch.setenv("HOME", str(directory))
    for name, below in _XDG.items():
        monkeypatch.setenv(name, str(directory / below))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(gitconfig))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    return directory
