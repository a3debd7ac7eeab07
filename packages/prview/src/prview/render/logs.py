"""What the checks' programs said, in one place: `full-checks.log`, `checks-errors.log`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.checks import Outcome, State
from prview.domain.gate import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.checks import CheckResult

_NOT_LOOKED = frozenset({State.ERROR, State.TIMEOUT, State.UNAVAILABLE})


def full_log(results: Sequence[CheckResult]) -> str:
    """Every check with its status and its log, in the order of the gate."""
    return "\n".join(_entry(result) for result in results)


def problem_log(results: Sequence[CheckResult]) -> str:
    """The checks that could not look or found something new; one sentence when there is none."""
    found = [
        result for result in results if result.state in _NOT_LOOKED or result.outcome is Outcome.INTRODUCED
    ]
    return full_log(found) if found else "Every check looked, and none found anything new.\n"


def _entry(result: CheckResult) -> str:
    why = explain(result)
    lines = [f"=== {result.id}: {result.status}", *([why] if why else [])]
    lines += [result.unseen] if result.unseen else []
    return "\n".join([*lines, result.log.rstrip("\n")]).rstrip("\n") + "\n"
