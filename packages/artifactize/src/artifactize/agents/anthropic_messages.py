"""Asking a model through Anthropic's Messages API, by the provider's own client. Streamed."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import anthropic
import httpx2

from artifactize.agents import http_faults
from artifactize.agents.access import ANTHROPIC, access
from artifactize.agents.anthropic_stream import Message
from artifactize.agents.turns import Call, ProviderFault, Stop, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.agents.contract import AgentTask
    from artifactize.agents.turns import Answered

_STOPS: dict[str | None, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_OK = 200


class AnthropicConversation:
    """One conversation; what was said is sent again with each turn."""

    def __init__(self, task: AgentTask) -> None:
        found = access(ANTHROPIC, task.environment, task.base_url)
        self._task = task
        self._client = anthropic.AsyncAnthropic(
            api_key=found.key,
            base_url=found.url,
            max_retries=0,
            timeout=task.limits.timeout_ms / 1000,
            http_client=httpx2.AsyncClient(**found.http_options()),
        )
        self._said: list[Any] = []

    async def ask(self, *, tools: bool, max_output_tokens: int) -> Turn:
        """Let the model speak. Raises ProviderFault."""
        message = await self._streamed(self._request(tools=tools, max_output_tokens=max_output_tokens))
        turn = _turn(message)
        if message.blocks:
            self._said.append({"role": "assistant", "content": message.replayed()})
        return turn

    def answer(self, answers: Sequence[Answered]) -> None:
        """Say what the calls of the last turn gave."""
        self._said.append({"role": "user", "content": [_result(each) for each in answers]})

    def say(self, text: str) -> None:
        """Say something as the user, in the same message as what was said just before."""
        block = {"type": "text", "text": text}
        if self._said and self._said[-1]["role"] == "user":
            self._said[-1]["content"].append(block)
        else:
            self._said.append({"role": "user", "content": [block]})

    async def close(self) -> None:
        """Drop the connections."""
        await self._client.close()

    def _request(self, *, tools: bool, max_output_tokens: int) -> dict[str, Any]:
        offered = [
            {"name": spec.name, "description": spec.description, "input_schema": dict(spec.input_schema)}
            for spec in self._task.tools.specs
        ]
        request: dict[str, Any] = {
            "model": self._task.model,
            "system": [{"type": "text", "text": self._task.system, "cache_control": {"type": "ephemeral"}}],
            "messages": list(self._said),
            "max_tokens": max_output_tokens,
        }
        if offered:
            choice = {"type": "auto", "disable_parallel_tool_use": True} if tools else {"type": "none"}
            request |= {"tools": offered, "tool_choice": choice}
        if self._task.effort is not None:
            request["output_config"] = {"effort": self._task.effort}
        return request

    async def _streamed(self, request: dict[str, Any]) -> Message:
        message = Message()
        try:
            async with await self._client.messages.create(**request, stream=True) as events:
                async for event in events:
                    message.take(event.to_dict(mode="json"))
        except anthropic.APIStatusError as failure:
            raise _of_status(failure, message) from failure
        except anthropic.APIConnectionError as failure:
            words = f"no connection: {_cause(failure)}"
            raise ProviderFault("TRANSIENT", words, heard=message.heard) from failure
        except httpx2.HTTPError as failure:
            words = f"the answer was cut: {_cause(failure)}"
            raise ProviderFault("TRANSIENT", words, heard=message.heard, usage=message.usage) from failure
        except (anthropic.APIError, ValueError, KeyError, IndexError) as failure:
            words = f"the stream makes no sense: {type(failure).__name__}"
            raise ProviderFault("PROVIDER_ERROR", words, heard=True, usage=message.usage) from failure
        if not message.ended:
            words = "the answer was cut: the stream has no end"
            raise ProviderFault("TRANSIENT", words, heard=message.heard, usage=message.usage)
        return message


def _of_status(failure: anthropic.APIStatusError, message: Message) -> ProviderFault:
    if failure.status_code == _OK:  # an error event inside of a stream
        fault = http_faults.of_event(failure.body, heard=message.heard)
        fault.usage = message.usage
        return fault
    return http_faults.of_answer(failure.status_code, failure.body, failure.response.headers)


def _turn(message: Message) -> Turn:
    calls = tuple(
        Call(block["id"], block["name"], block["json"] or "{}")
        for block in message.blocks
        if block["type"] == "tool_use"
    )
    stop = _STOPS.get(message.stop_reason)
    if stop is None:
        reason = http_faults.shown(str(message.stop_reason))
        words = f"the model stopped for a reason that is unknown here: {reason}"
        raise ProviderFault("PROVIDER_ERROR", words, heard=True, usage=message.usage)
    if stop == "end" and calls:
        stop = "calls"
    text = "".join(block["text"] for block in message.blocks if block["type"] == "text")
    return Turn(text, calls, stop, message.usage)


def _result(answered: Answered) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": answered.text}]
    if answered.image is not None:
        data = base64.b64encode(answered.image.data).decode()
        source = {"type": "base64", "media_type": answered.image.media_type, "data": data}
        content.append({"type": "image", "source": source})
    return {
        "type": "tool_result",
        "tool_use_id": answered.call.id,
        "content": content,
        "is_error": answered.is_error,
    }


def _cause(failure: BaseException) -> str:
    return http_faults.shown(str(failure.__cause__ or failure) or type(failure).__name__)
