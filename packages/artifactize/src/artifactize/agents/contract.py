"""What a review by a model is asked with, and what it answers.

The code of an ERROR is one of `ERROR_CODES`. `RESULT_CHECK_FAILED` comes from whoever runs the declared
`result_check` (the hook `AgentTask.check`); all others come from here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from artifactize.domain.declarations import Json
    from artifactize.toolbox.contract import ToolAnswer, ToolSpec

Backend: TypeAlias = Literal["openai", "anthropic", "codex", "claude"]
BACKENDS: tuple[Backend, ...] = ("openai", "anthropic", "codex", "claude")

ERROR_CODES = (
    "AUTHENTICATION",
    "QUOTA",
    "RATE_LIMIT",
    "TRANSIENT",
    "TIMEOUT",
    "CANCELLED",
    "PROVIDER_BUDGET_EXCEEDED",
    "INVALID_RESULT",
    "RESULT_CHECK_FAILED",
    "PROVIDER_ERROR",
    "AGENT_ERROR",
    "BACKEND_STOPPED",
)
STOPPING = frozenset({"AUTHENTICATION", "QUOTA"})
"""Codes after which a backend is not asked again in the same Run: no repetition would go better."""


class Toolbox(Protocol):
    """The tools of one review. Calls are answered one at a time; a refusal is an answer with `error`."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told of each tool."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolAnswer:
        """Answer one call."""
        ...


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """Bounds of one review. `max_output_tokens` is per answer, `max_total_tokens` of all answers together.

    `max_money` (in the currency of `prices`) needs prices; they are per million tokens.
    """

    timeout_ms: int
    max_output_tokens: int = 16_000
    max_total_tokens: int | None = None
    max_tool_calls: int = 100
    max_money: float | None = None
    prices: Prices | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost; cached input counts as input when its price is not given."""

    input: float
    output: float
    cached_input: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider says that one attempt, or all of them, used.

    `input_tokens` includes `cached_input_tokens`; `output_tokens` includes `reasoning_tokens`. `model` is the
    name that the provider answered with.
    """

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    requests: int = 0
    model: str | None = None

    @property
    def total_tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def plus(self, other: Usage) -> Usage:
        """Return the sum; the model is the one that was named last."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.requests + other.requests,
            other.model or self.model,
        )

    def cost(self, prices: Prices) -> float:
        """Return what it costs."""
        cached = prices.input if prices.cached_input is None else prices.cached_input
        fresh = self.input_tokens - self.cached_input_tokens
        paid = fresh * prices.input + self.cached_input_tokens * cached + self.output_tokens * prices.output
        return paid / 1_000_000


@dataclass(frozen=True, slots=True)
class AgentTask:
    """One review: `system` and `prompt` from `framing.framed`, `result_schema` from `verdict`.

    `environment` is what keys, base URLs, proxies, PATH and (for command lines) HOME are taken from; nothing
    else of this process's is used. `folder` is a private, empty folder of ours where a command line works.
    `dated_alias` accepts an answer of `<model>-YYYYMMDD` or `<model>-YYYY-MM-DD` for `model`. `check` is the
    declared `result_check`: it gets the verdict's JSON and returns what is wrong with it, or None.
    """

    backend: Backend
    model: str
    system: str
    prompt: str
    tools: Toolbox
    result_schema: Mapping[str, Json]
    limits: AgentLimits
    session_file: Path
    environment: Mapping[str, str]
    folder: Path | None = None
    effort: str | None = None
    dated_alias: bool = False
    base_url: str | None = None
    check: Callable[[str], Awaitable[str | None]] | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """How a review ended: `message` is the verdict's summary, or what failed; `fields` are the owner's.

    `usages` has one entry for each attempt, which is a request that was sent; `attempts` counts them.
    """

    verdict: Literal["GREEN", "RED", "ERROR"]
    code: str | None
    message: str
    session_file: Path
    fields: Mapping[str, Json] = field(default_factory=dict)
    usages: tuple[Usage, ...] = ()
    attempts: int = 0
    tool_calls: int = 0

    @property
    def usage(self) -> Usage:
        """All attempts together."""
        total = Usage()
        for each in self.usages:
            total = total.plus(each)
        return total


class AgentFault(Exception):  # noqa: N818 - how a review ends, not a failure of ours
    """A review that ends in ERROR; `code` is one of ERROR_CODES."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(slots=True)
class StoppedBackends:
    """Backends that one Run asks no more, each with the reason that the first failure gave."""

    reasons: dict[str, str] = field(default_factory=dict)

    def stop(self, backend: str, reason: str) -> None:
        """Ask a backend no more; the first reason stays."""
        self.reasons.setdefault(backend, reason)
