"""Asking a model through OpenAI's Responses API, by its own client. Streamed, nothing stored there."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, cast

import httpx2
import openai

from artifactize.agents import http_faults
from artifactize.agents.access import OPENAI, access
from artifactize.agents.contract import Usage
from artifactize.agents.turns import Call, ProviderFault, Stop, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.agents.contract import AgentTask
    from artifactize.agents.turns import Answered

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_QUIET = frozenset({"response.created", "response.queued", "response.in_progress"})


class OpenAIConversation:
    """One conversation; what was said is sent again with each turn."""

    def __init__(self, task: AgentTask) -> None:
        found = access(OPENAI, task.environment, task.base_url)
        self._task = task
        self._client = openai.AsyncOpenAI(
            api_key=found.key,
            base_url=found.url,
            max_retries=0,
            timeout=task.limits.timeout_ms / 1000,
            http_client=httpx2.AsyncClient(**found.http_options()),
        )
        self._said: list[Any] = []

    async def ask(self, *, tools: bool, max_output_tokens: int) -> Turn:
        """Let the model speak. Raises ProviderFault."""
        response = await self._streamed(self._request(tools=tools, max_output_tokens=max_output_tokens))
        turn = _turn(response)
        self._said += [_replayed(item) for item in response["output"] if self._is_replayed(item)]
        return turn

    def answer(self, answers: Sequence[Answered]) -> None:
        """Say what the calls of the last turn gave."""
        self._said += [
            {"type": "function_call_output", "call_id": each.call.id, "output": _output(each)}
            for each in answers
        ]

    def say(self, text: str) -> None:
        """Say something as the user."""
        self._said.append({"role": "user", "content": text})

    async def close(self) -> None:
        """Drop the connections."""
        await self._client.close()

    def _request(self, *, tools: bool, max_output_tokens: int) -> dict[str, Any]:
        offered = [
            {
                "type": "function",
                "name": spec.name,
                "description": spec.description,
                "parameters": dict(spec.input_schema),
                "strict": False,
            }
            for spec in self._task.tools.specs
        ]
        request: dict[str, Any] = {
            "model": self._task.model,
            "instructions": self._task.system,
            "input": list(self._said),
            "max_output_tokens": max_output_tokens,
            "store": False,
        }
        if offered:
            choice = "auto" if tools else "none"
            request |= {"tools": offered, "tool_choice": choice, "parallel_tool_calls": False}
        if self._task.effort is not None:
            # what a model has thought can only be sent back to it when it came encrypted
            request |= {
                "reasoning": {"effort": self._task.effort},
                "include": ["reasoning.encrypted_content"],
            }
        return request

    async def _streamed(self, request: dict[str, Any]) -> dict[str, Any]:
        heard = False
        try:
            async with await self._client.responses.create(**request, stream=True) as events:
                async for event in events:
                    if event.type in _ENDS:
                        return _whole(cast("Any", event).response.to_dict(mode="json"), heard=heard)
                    if event.type == "error":
                        raise http_faults.of_event(event.to_dict(mode="json"), heard=heard)
                    heard = heard or event.type not in _QUIET
        except openai.APIStatusError as failure:
            raise http_faults.of_answer(
                failure.status_code, failure.body, failure.response.headers
            ) from failure
        except openai.APIConnectionError as failure:
            raise ProviderFault("TRANSIENT", f"no connection: {_cause(failure)}", heard=heard) from failure
        except openai.APIError as failure:
            raise http_faults.of_event(failure.body or failure.message, heard=heard) from failure
        except httpx2.HTTPError as failure:
            raise ProviderFault(
                "TRANSIENT", f"the answer was cut: {_cause(failure)}", heard=heard
            ) from failure
        except ValueError as failure:
            raise ProviderFault(
                "PROVIDER_ERROR", "the stream holds an event that is no JSON", heard=True
            ) from failure
        raise ProviderFault("TRANSIENT", "the answer was cut: the stream has no end", heard=heard)

    def _is_replayed(self, item: dict[str, Any]) -> bool:
        if item["type"] == "reasoning":
            return bool(item.get("encrypted_content"))
        return item["type"] in {"message", "function_call"}


def _whole(response: dict[str, Any], *, heard: bool) -> dict[str, Any]:
    if response.get("status") == "failed":
        fault = http_faults.of_event(response.get("error"), heard=heard)
        fault.usage = _usage(response)
        raise fault
    return response


def _turn(response: dict[str, Any]) -> Turn:
    parts = [
        part for item in response["output"] if item["type"] == "message" for part in item.get("content") or ()
    ]
    refused = [part["refusal"] for part in parts if part["type"] == "refusal"]
    calls = tuple(
        Call(str(item["call_id"]), str(item["name"]), str(item["arguments"]))
        for item in response["output"]
        if item["type"] == "function_call"
    )
    text = "".join(part["text"] for part in parts if part["type"] == "output_text")
    stop: Stop = "calls" if calls else "end"
    if response.get("status") == "incomplete":
        reason = (response.get("incomplete_details") or {}).get("reason")
        stop = "length" if reason == "max_output_tokens" else "refusal"
        refused = refused or [f"incomplete: {reason}"]
    elif refused:
        stop = "refusal"
    return Turn(refused[0] if stop == "refusal" else text, calls, stop, _usage(response))


def _usage(response: dict[str, Any]) -> Usage:
    used = response.get("usage") or {}
    return Usage(
        input_tokens=used.get("input_tokens") or 0,
        cached_input_tokens=(used.get("input_tokens_details") or {}).get("cached_tokens") or 0,
        output_tokens=used.get("output_tokens") or 0,
        reasoning_tokens=(used.get("output_tokens_details") or {}).get("reasoning_tokens") or 0,
        requests=1,
        model=response.get("model"),
    )


def _replayed(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item as input: without its id, which names something that is stored nowhere."""
    if item["type"] == "message":
        said = "".join(part["text"] for part in item["content"] if part["type"] == "output_text")
        return {"role": "assistant", "content": said}
    kept = {
        "function_call": ("type", "call_id", "name", "arguments"),
        "reasoning": ("type", "id", "summary", "encrypted_content"),
    }
    return {key: item[key] for key in kept[item["type"]] if key in item}


def _output(answered: Answered) -> str | list[dict[str, str]]:
    if answered.image is None:
        return answered.text
    data = base64.b64encode(answered.image.data).decode()
    image = f"data:{answered.image.media_type};base64,{data}"
    return [{"type": "input_text", "text": answered.text}, {"type": "input_image", "image_url": image}]


def _cause(failure: BaseException) -> str:
    return http_faults.shown(str(failure.__cause__ or failure) or type(failure).__name__)
