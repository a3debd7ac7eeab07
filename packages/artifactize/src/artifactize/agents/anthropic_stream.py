"""Putting a streamed message of Anthropic's Messages API together, event by event."""

from __future__ import annotations

import json
from typing import Any

from artifactize.agents.contract import Usage

_SENT_BACK = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})
_DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class Message:
    """A message as far as it has come: its `blocks`, why it stopped, and what it used."""

    def __init__(self) -> None:
        self.blocks: list[dict[str, Any]] = []
        self.stop_reason: str | None = None
        self.heard = False
        self.ended = False
        self._model: str | None = None
        self._used: dict[str, Any] = {}

    @property
    def usage(self) -> Usage:
        """What it used; the provider counts cached input beside the fresh."""
        cached = self._used.get("cache_read_input_tokens") or 0
        written = self._used.get("cache_creation_input_tokens") or 0
        return Usage(
            input_tokens=(self._used.get("input_tokens") or 0) + cached + written,
            cached_input_tokens=cached,
            output_tokens=self._used.get("output_tokens") or 0,
            requests=1,
            model=self._model,
        )

    def take(self, event: dict[str, Any]) -> None:
        """Take the next event. Raises KeyError or IndexError for one that fits nowhere."""
        kind = event["type"]
        if kind == "message_start":
            self._model = event["message"]["model"]
            self._count(event["message"].get("usage"))
        elif kind == "content_block_start":
            self.heard = True
            self.blocks.append({**event["content_block"], "json": ""})
        elif kind == "content_block_delta":
            self._add(self.blocks[event["index"]], event["delta"])
        elif kind == "message_delta":
            self.stop_reason = event["delta"].get("stop_reason")
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self.ended = True

    def replayed(self) -> list[dict[str, Any]]:
        """Return the blocks as they are sent back with the next turn; empty texts are refused there."""
        return [
            _sent_back(block)
            for block in self.blocks
            if block["type"] in _SENT_BACK and not (block["type"] == "text" and not block["text"])
        ]

    def _count(self, used: dict[str, Any] | None) -> None:
        self._used |= {key: value for key, value in (used or {}).items() if value is not None}

    def _add(self, block: dict[str, Any], delta: dict[str, Any]) -> None:
        if delta["type"] == "input_json_delta":
            block["json"] += delta["partial_json"]
        elif delta["type"] in _DELTAS:
            key = _DELTAS[delta["type"]]
            block[key] = (block.get(key) or "") + delta[key]


def _sent_back(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "tool_use":
        return {"type": "tool_use", "id": block["id"], "name": block["name"], "input": _input(block["json"])}
    kept = ("type", "text", "thinking", "signature", "data")
    return {key: block[key] for key in kept if block.get(key) is not None}


def _input(text: str) -> dict[str, Any]:
    """Return a call's arguments, which must be an object here whatever the model has written."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
