"""What all providers have in common: one turn of a model, the calls in it, and how asking fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from artifactize.agents.contract import AgentFault, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.toolbox.contract import Image

Stop = Literal["end", "calls", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model wrote it; `arguments` is text that should be a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A call with what is told to the model of its answer."""

    call: Call
    text: str
    image: Image | None
    is_error: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model said in one turn, whole."""

    text: str
    calls: tuple[Call, ...]
    stop: Stop
    usage: Usage


class ProviderFault(AgentFault):
    """A request that failed. `heard`: any output had come; `retry_after_s`: what the provider asked for.

    `usage` is what the provider counted until then.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        heard: bool = False,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(code, message)
        self.heard = heard
        self.retry_after_s = retry_after_s
        self.usage = usage or Usage(requests=1)


class Provider(Protocol):
    """One conversation with one model; it remembers what was said."""

    async def ask(self, *, tools: bool, max_output_tokens: int) -> Turn:
        """Let the model speak. Raises ProviderFault, after which nothing of the turn is remembered."""
        ...

    def answer(self, answers: Sequence[Answered]) -> None:
        """Say what the calls of the last turn gave."""
        ...

    def say(self, text: str) -> None:
        """Say something as the user."""
        ...

    async def close(self) -> None:
        """Drop the connections."""
        ...
