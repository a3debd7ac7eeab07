"""Asking again when a provider could not answer: only before any output came, and never past the deadline."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import anyio

from artifactize.agents.turns import ProviderFault

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from artifactize.agents.turns import Turn

MOST_ATTEMPTS = 5
_REPEATABLE = frozenset({"RATE_LIMIT", "TRANSIENT"})
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0


async def ask_patiently(
    ask: Callable[[], Awaitable[Turn]],
    *,
    deadline: float,
    failed: Callable[[ProviderFault], None],
    sleep: Callable[[float], Awaitable[None]],
) -> Turn:
    """Return the turn that an attempt gave; `failed` hears of every attempt that did not give one.

    `deadline` is a time of the event loop. Raises the last ProviderFault.
    """
    for attempt in range(1, MOST_ATTEMPTS + 1):
        try:
            return await ask()
        except ProviderFault as fault:
            failed(fault)
            if fault.heard or fault.code not in _REPEATABLE or attempt == MOST_ATTEMPTS:
                raise
            wait_s = _wait(fault, attempt)
            left_s = deadline - anyio.current_time()
            if wait_s >= left_s:
                words = f"{fault.message}; asking again in {wait_s:.0f} s would be past the deadline"
                raise ProviderFault(fault.code, words, usage=fault.usage) from fault
            await sleep(wait_s)
    raise AssertionError("the last attempt returns or raises")


def _wait(fault: ProviderFault, attempt: int) -> float:
    if fault.retry_after_s is not None:
        return fault.retry_after_s
    longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2**attempt)
    return random.uniform(longest / 2, longest)  # noqa: S311 - spreads requests, hides nothing
