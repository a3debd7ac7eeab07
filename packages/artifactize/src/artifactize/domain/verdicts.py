"""What the end of a command means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.states import RequestState

if TYPE_CHECKING:
    from artifactize.domain.declarations import RuntimeProfile


@dataclass(frozen=True, slots=True)
class Verdict:
    """A state with the code and words of an ERROR."""

    state: RequestState
    code: str | None = None
    message: str | None = None


def of_exit(profile: RuntimeProfile, *, returncode: int | None, timed_out: bool) -> Verdict:
    """Return GREEN for 0, ERROR where the command gave no answer, RED for every other exit code."""
    if timed_out:
        return error("TIMEOUT", f"ended after {profile.timeout_ms} ms; raise timeout_ms if it needs longer")
    if returncode is None:
        return error("EXIT_UNKNOWN", "the system lost its exit code")
    if returncode < 0:
        return error("SIGNALLED", f"ended by signal {-returncode} before it gave an exit code")
    if returncode in profile.error_codes:
        return error("EXIT_CODE", f"exit code {returncode} is declared as an error")
    return Verdict(RequestState.RED if returncode else RequestState.GREEN)


def error(code: str, message: str) -> Verdict:
    """Return an ERROR: no verdict, nothing to reuse."""
    return Verdict(RequestState.ERROR, code, message)
