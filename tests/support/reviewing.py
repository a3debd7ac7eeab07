"""Reviews by scripted models in tests: a toolbox that remembers its calls, and tasks for either provider."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from artifactize.agents.contract import AgentLimits, AgentTask, Review, StoppedBackends
from artifactize.agents.framing import framed
from artifactize.agents.reviewing import review
from artifactize.agents.verdict import result_schema
from artifactize.toolbox.contract import ToolAnswer, ToolSpec
from support.scripted_providers import MODEL, ScriptedProvider

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from support.scripted_providers import Reply, Wire

GREEN = json.dumps({"verdict": "GREEN", "summary": "every term is defined"})
RED = json.dumps({"verdict": "RED", "summary": "one term is not defined"})


class Shelf:
    """A toolbox with one tool; it answers what the test says and remembers what it was asked."""

    specs = (
        ToolSpec("read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}}),
    )

    def __init__(self, text: str = "the text of the file") -> None:
        self.text = text
        self.asked: list[tuple[str, object]] = []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Answer; what is no object is refused, as the real toolbox does."""
        self.asked.append((name, arguments))
        if not isinstance(arguments, dict):
            return ToolAnswer("INVALID_ARGUMENTS: not an object", error="INVALID_ARGUMENTS")
        return ToolAnswer(self.text)


class Waits(list[float]):
    """Stands in for sleeping: remembers how long a review would have waited."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def task(
    wire: Wire,
    provider: ScriptedProvider,
    tmp_path: Path,
    *,
    tools: Shelf | None = None,
    limits: AgentLimits | None = None,
    **changes: Any,
) -> AgentTask:
    """A task for a scripted provider."""
    schema = result_schema()
    words = framed("Check that every term is defined.", schema)
    fields: dict[str, Any] = {
        "backend": wire.backend,
        "model": MODEL,
        "system": words.system,
        "prompt": words.prompt,
        "tools": tools or Shelf(),
        "result_schema": schema,
        "limits": limits or AgentLimits(timeout_ms=60_000),
        "session_file": tmp_path / "session.jsonl",
        "environment": provider.environment(wire),
    }
    return AgentTask(**(fields | changes))


async def reviewed(
    wire: Wire,
    replies: Iterable[Reply],
    tmp_path: Path,
    *,
    stopped: StoppedBackends | None = None,
    waits: Waits | None = None,
    **changes: Any,
) -> tuple[Review, ScriptedProvider]:
    """How a review by a model ends that answers as scripted, and the server that it asked."""
    with ScriptedProvider(replies) as provider:
        asked = task(wire, provider, tmp_path, **changes)
        ended = await review(
            asked, stopped=stopped or StoppedBackends(), sleep=waits if waits is not None else Waits()
        )
    return ended, provider
