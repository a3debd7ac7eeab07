"""Which lines are JSON-RPC messages, and what to say to those that are not.

The SDK drops what it cannot read, in silence: a client that made a mistake would wait for its answer for
ever. Where a request can be told by its id, it is refused by that id; anything else is only logged, since
the protocol has no message for an error without an id.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from pydantic_core import from_json

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
_NO_BATCHES = "batches are not supported: send one message a line"


def refusals(line: bytes) -> list[str] | None:
    """None when the SDK can take `line`; else the answers to send instead, which may be none."""
    try:
        message = from_json(line.decode("utf-8", "replace"))
    except ValueError as exc:
        return _unreadable(line, str(exc))
    if isinstance(message, dict):
        problem = _problem(message)
        return None if problem is None else _answers([message], INVALID_REQUEST, problem)
    if isinstance(message, list):
        return _answers(message, INVALID_REQUEST, _NO_BATCHES)
    return _answers([], INVALID_REQUEST, "a message is one JSON object")


def _unreadable(line: bytes, reason: str) -> list[str]:
    """Answer what only a laxer parser can read (a lone surrogate, deep nesting), if it is a request."""
    if not line.strip():
        return []
    try:
        message = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        message = None
    return _answers([message], PARSE_ERROR, f"the line is no JSON: {reason}")


def _problem(message: dict[str, Any]) -> str | None:
    """What keeps `message` from being a JSON-RPC 2.0 request, notification or response."""
    if message.get("jsonrpc") != "2.0":
        return '`jsonrpc` must be "2.0"'
    if "method" not in message:
        return None if "result" in message or "error" in message else "`method` is missing"
    if not isinstance(message["method"], str):
        return "`method` must be a string"
    if "id" in message and not _is_id(message["id"]):
        return "`id` must be a string or an integer"
    if not isinstance(message.get("params", {}), dict):
        return "`params` must be an object"
    return None


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _answers(messages: list[Any], code: int, problem: str) -> list[str]:
    identified = [message for message in messages if isinstance(message, dict) and _is_id(message.get("id"))]
    if not identified:
        logger.warning("ignored a line from the client: %s", problem)
    return [_refusal(message["id"], code, problem) for message in identified if "method" in message]


def _refusal(request_id: str | int, code: int, problem: str) -> str:
    body = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": problem}}
    return json.dumps(body, separators=(",", ":")) + "\n"
