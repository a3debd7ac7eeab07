"""A model of two providers on a loopback port that calls tools as a script says, so that real hosts work offline.

    with ScriptedModel(lambda results: ("health", {}) if not results else None) as model:
        ... start the host with `ANTHROPIC_BASE_URL=model.url` ...
        assert model.results[0]["version"]

Speaks what Claude Code and Codex ask for: streamed Anthropic Messages and OpenAI Responses. The script gets what
the tools have answered so far, as the model sees it, and returns the next call, or None when it has seen enough.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Results = list[Any]
    Script = Callable[[Results], tuple[str, dict[str, Any]] | None]

FAREWELL = "That is all."


class ScriptedModel:
    """Serves while the block runs; `results` are the answers of tools that reached the model last."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.results: Results = []
        self.offered: set[str] = set()
        self.problem: Exception | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """Where the providers' paths begin."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if self.problem is not None:
            raise AssertionError(f"the script failed after {self.results}") from self.problem

    def turn(self, results: Results, offered: set[str]) -> tuple[str, dict[str, Any]] | None:
        """The next call, when the host offers tools at all; it also asks for titles and the like."""
        if not offered:
            return None
        self.results, self.offered = results, offered
        try:
            call = self.script(results)
            return None if call is None else (_offered(call[0], offered), call[1])
        except Exception as problem:  # noqa: BLE001 - told to the test, while the host gets its farewell
            self.problem = problem
            return None


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._send(404, "application/json", b"")

        def do_GET(self) -> None:
            self._send(404, "application/json", b"{}")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"] or 0)))
            path = self.path.partition("?")[0]
            if path.endswith("/messages"):
                self._stream(_messages(model, body))
            elif path.endswith("/responses"):
                self._stream(_responses(model, body))
            else:
                self._send(404, "application/json", b'{"error": {"message": "not served"}}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _stream(self, events: Iterable[dict[str, Any]]) -> None:
            text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            self._send(200, "text/event-stream", text.encode())

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    return Handler


def _messages(model: ScriptedModel, body: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """One turn of Anthropic's Messages API."""
    blocks = [
        block
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    ]
    results = [_read(block["content"]) for block in blocks if block["type"] == "tool_result"]
    call = model.turn(results, {tool["name"] for tool in body.get("tools", [])})
    usage = {"input_tokens": 1, "output_tokens": 1}
    if call is None:
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta, reason = {"type": "text_delta", "text": FAREWELL}, "end_turn"
    else:
        block = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": call[0], "input": {}}
        delta, reason = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}, "tool_use"
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    return (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    )


def _responses(model: ScriptedModel, body: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """One turn of OpenAI's Responses API."""
    outputs = [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]
    call = model.turn([_read(output) for output in outputs], set(_names(body.get("tools", []))))
    if call is None:
        said = {"type": "output_text", "text": FAREWELL, "annotations": []}
        item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [said]}
    else:
        namespace, _, name = call[0].rpartition("__")
        item = {
            "type": "function_call",
            "id": f"f{len(outputs)}",
            "call_id": f"c{len(outputs)}",
            "name": name,
            "namespace": namespace,
            "arguments": json.dumps(call[1]),
            "status": "completed",
        }
    response = {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": body["model"],
        "output": [item],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }
    return (
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    )


def _offered(tool: str, offered: set[str]) -> str:
    """What the host calls a tool of ours."""
    return next(name for name in sorted(offered) if name.endswith(f"__{tool}"))


def _names(tools: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Names of tools; Codex groups those of a server into a namespace."""
    for tool in tools:
        if "tools" in tool:
            yield from (f"{tool['name']}__{inner['name']}" for inner in tool["tools"])
        else:
            yield str(tool.get("name") or tool["type"])


def _read(content: Any) -> Any:
    """What a tool answered: the JSON in its text, or the text."""
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    start = text.find("{")  # Codex puts the time that the call took in front
    try:
        return json.loads(text[start:])
    except ValueError:
        return text
