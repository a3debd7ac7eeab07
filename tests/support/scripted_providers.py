"""Model providers on a loopback port that answer request after request as a test says, on the real wire.

with ScriptedProvider([MESSAGES.fault(429, "rate_limit_error", headers={"retry-after": "7"}),
                       MESSAGES.text(GREEN)]) as provider:
    ... ask with `provider.environment(MESSAGES)` ...
    assert len(provider.requests) == 2
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MODEL = "scripted-model-1"
KEY = "sk-scripted-0123456789abcdef"
_STOPS = {"end": "end_turn", "length": "max_tokens", "refusal": "refusal"}


@dataclass(frozen=True)
class Reply:
    """One answer. `cut`: the connection ends before the stream does."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True)
class Called:
    """A call that the scripted model makes; `arguments` as it would write them."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"


class Wire(Protocol):
    """How one provider's answers look."""

    backend: str

    def text(self, text: str, *, model: str = MODEL, stop: str = "end", cut: bool = False) -> Reply: ...

    def calls(self, *calls: Called) -> Reply: ...

    def broken_off(self, kind: str, text: str = "") -> Reply: ...

    def fault(self, status: int, kind: str, *, headers: Mapping[str, str] | None = None) -> Reply: ...

    def told(self, request: dict[str, Any]) -> list[str]: ...


class ScriptedProvider:
    """Serves while the block runs, each reply once; `requests` are the bodies, `headers` those that came."""

    def __init__(self, replies: Iterable[Reply]) -> None:
        self._replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """Where the server is."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def environment(self, wire: Wire) -> dict[str, str]:
        """What a review that asks this server is given."""
        name = wire.backend.upper()
        return {f"{name}_API_KEY": KEY, f"{name}_BASE_URL": self.url}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_reply(self, request: dict[str, Any], headers: dict[str, str]) -> Reply:
        """The answer to a request; 404 when the test expects none."""
        self.requests.append(request)
        self.headers.append(headers)
        return (
            self._replies.pop(0)
            if self._replies
            else Reply(404, b'{"error": {"message": "not in the script"}}')
        )


def _handler(provider: ScriptedProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply = provider.next_reply(body, {key.lower(): value for key, value in self.headers.items()})
            self.send_response(reply.status)
            kind = "text/event-stream" if reply.status == 200 else "application/json"
            for name, value in {"content-type": kind, **reply.headers}.items():
                self.send_header(name, value)
            # promising more than comes is what a cut connection looks like
            self.send_header("content-length", str(len(reply.body) + (100 if reply.cut else 0)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


def _stream(events: Iterable[dict[str, Any]]) -> bytes:
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events).encode()


class MessagesWire:
    """Anthropic's Messages API."""

    backend = "anthropic"

    def text(self, text: str, *, model: str = MODEL, stop: str = "end", cut: bool = False) -> Reply:
        """A message of text; `cut` after its first half."""
        block = {"type": "text", "text": ""}
        events = self._begin(model) + self._block(0, block, {"type": "text_delta", "text": text})
        if cut:
            return Reply(body=_stream(events[:-1]), cut=True)
        return Reply(body=_stream(events + self._end(_STOPS[stop])))

    def calls(self, *calls: Called) -> Reply:
        """A message of tool calls."""
        events = self._begin(MODEL)
        for index, call in enumerate(calls):
            block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": call.arguments}
            events += self._block(index, block, delta)
        return Reply(body=_stream(events + self._end("tool_use")))

    def broken_off(self, kind: str, text: str = "") -> Reply:
        """A stream that ends with an error, after some text if there is any."""
        events = self._begin(MODEL)
        if text:
            delta = {"type": "text_delta", "text": text}
            events += self._block(0, {"type": "text", "text": ""}, delta)[:-1]
        return Reply(body=_stream([*events, {"type": "error", "error": {"type": kind, "message": "broke"}}]))

    def fault(self, status: int, kind: str, *, headers: Mapping[str, str] | None = None) -> Reply:
        """An answer that is no success."""
        body = {"type": "error", "error": {"type": kind, "message": f"about {kind}"}}
        return Reply(status, json.dumps(body).encode(), headers or {})

    def told(self, request: dict[str, Any]) -> list[str]:
        """The texts of tool results in a request."""
        blocks = [block for message in request["messages"] for block in message["content"]]
        return [block["content"][0]["text"] for block in blocks if block["type"] == "tool_result"]

    def _begin(self, model: str) -> list[dict[str, Any]]:
        usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 1}
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        return [{"type": "message_start", "message": message}]

    def _block(self, index: int, block: dict[str, Any], delta: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"type": "content_block_start", "index": index, "content_block": block},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]

    def _end(self, reason: str) -> list[dict[str, Any]]:
        delta = {"stop_reason": reason, "stop_sequence": None}
        usage = {"output_tokens": 20}
        return [{"type": "message_delta", "delta": delta, "usage": usage}, {"type": "message_stop"}]


class ResponsesWire:
    """OpenAI's Responses API."""

    backend = "openai"

    def text(self, text: str, *, model: str = MODEL, stop: str = "end", cut: bool = False) -> Reply:
        """A response of text; `cut` after some of it."""
        part = {"type": "output_text", "text": text, "annotations": []}
        if stop == "refusal":
            part = {"type": "refusal", "refusal": text}
        item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
        events = self._events([item], model=model, incomplete=stop == "length")
        return Reply(body=_stream(events[:2] if cut else events), cut=cut)

    def calls(self, *calls: Called) -> Reply:
        """A response of tool calls."""
        items = [
            {
                "type": "function_call",
                "id": f"f{index}",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.arguments,
                "status": "completed",
            }
            for index, call in enumerate(calls)
        ]
        return Reply(body=_stream(self._events(items)))

    def broken_off(self, kind: str, text: str = "") -> Reply:
        """A stream that ends with an error, after some text if there is any."""
        item = {"type": "message", "id": "m1", "role": "assistant", "status": "in_progress", "content": []}
        begun = self._events([item])[: 2 if text else 1]
        error = {"type": "error", "code": kind, "message": "broke", "param": None, "sequence_number": 9}
        return Reply(body=_stream([*begun, error]))

    def fault(self, status: int, kind: str, *, headers: Mapping[str, str] | None = None) -> Reply:
        """An answer that is no success."""
        body = {"error": {"type": kind, "code": kind, "message": f"about {kind}", "param": None}}
        return Reply(status, json.dumps(body).encode(), headers or {})

    def told(self, request: dict[str, Any]) -> list[str]:
        """The texts of tool results in a request."""
        return [item["output"] for item in request["input"] if item.get("type") == "function_call_output"]

    def _events(
        self, items: list[dict[str, Any]], *, model: str = MODEL, incomplete: bool = False
    ) -> list[dict[str, Any]]:
        status = "incomplete" if incomplete else "completed"
        response = {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "status": status,
            "incomplete_details": {"reason": "max_output_tokens"} if incomplete else None,
            "model": model,
            "output": items,
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 40},
                "output_tokens": 20,
                "output_tokens_details": {"reasoning_tokens": 5},
                "total_tokens": 120,
            },
        }
        begun = {**response, "status": "in_progress", "output": [], "usage": None}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        for index, item in enumerate(items):
            events.append({"type": "response.output_item.added", "output_index": index, "item": item})
            events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        events.append({"type": f"response.{status}", "response": response})
        return [{**event, "sequence_number": number} for number, event in enumerate(events)]


MESSAGES = MessagesWire()
RESPONSES = ResponsesWire()
WIRES: tuple[Wire, ...] = (RESPONSES, MESSAGES)
