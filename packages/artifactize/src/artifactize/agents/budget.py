"""What a review may still use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.agents.contract import AgentFault, Usage

if TYPE_CHECKING:
    from artifactize.agents.contract import AgentLimits


class Budget:
    """Counts what the attempts of one review used, against its limits."""

    def __init__(self, limits: AgentLimits) -> None:
        self._limits = limits
        self.usages: list[Usage] = []
        self.tool_calls = 0

    @property
    def total(self) -> Usage:
        """All attempts together."""
        total = Usage()
        for each in self.usages:
            total = total.plus(each)
        return total

    @property
    def calls_left(self) -> int:
        """How many tool calls may still be answered."""
        return max(0, self._limits.max_tool_calls - self.tool_calls)

    def add(self, usage: Usage) -> None:
        """Count an attempt."""
        self.usages.append(usage)

    def next_output_tokens(self) -> int:
        """Return how long the next answer may be. Raises AgentFault when nothing is left to ask with."""
        limits = self._limits
        if limits.max_money is not None and limits.prices is not None:
            spent = self.total.cost(limits.prices)
            if spent >= limits.max_money:
                raise _exceeded(f"{spent:.4f} of {limits.max_money:.4f} is spent")
        if limits.max_total_tokens is None:
            return limits.max_output_tokens
        left = limits.max_total_tokens - self.total.total_tokens
        if left <= 0:
            used = self.total.total_tokens
            raise _exceeded(f"{used} of {limits.max_total_tokens} tokens are used")
        return min(limits.max_output_tokens, left)


def _exceeded(words: str) -> AgentFault:
    return AgentFault("PROVIDER_BUDGET_EXCEEDED", f"{words}, and there is no verdict yet")
