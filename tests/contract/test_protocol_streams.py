"""Whatever a host, a library or a child does to the streams, every line on stdout is a message."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from mcpkit.testing import RawServer, check_failure

if TYPE_CHECKING:
    from support.servers import ServerUnderTest

MANY = 500
METHODS = (
    *(
        "ping",
        "tools/list",
        "initialize",
        "server/discover",
        "prompts/list",
        "resources/read",
        "completion/complete",
    ),
    *("logging/setLevel", "notifications/cancelled", "subscriptions/listen", "tasks/get", "x", ""),
)
KEYS = ("name", "arguments", "_meta", "cursor", "progressToken", "protocolVersion", "requestId", "a")
LEAVES = (None, True, 5, -1, 2**70, 1.5, 1e400, "", "x\u202e", "2026-07-28")


class Odd(random.Random):
    """Makes values that no client means, the same ones every time."""

    def value(self, depth: int = 0) -> object:
        """A JSON value, often a small object with names that the protocol knows."""
        kind = self.random() if depth < 3 else 1
        if kind < 0.3:
            return {self.choice(KEYS): self.value(depth + 1) for _ in range(self.randrange(3))}
        if kind < 0.4:
            return [self.value(depth + 1) for _ in range(self.randrange(3))]
        return self.choice(LEAVES)


def started(server: ServerUnderTest, **env: str) -> RawServer:
    return RawServer(server.command, env={**server.environment(), **env})


def first_tool(raw: RawServer) -> str:
    name: str = raw.result("tools/list")["tools"][0]["name"]
    return name


def test_lines_that_are_no_requests_get_no_answer_and_do_no_harm(server: ServerUnderTest) -> None:
    with started(server) as raw:
        for line in (b"hello", b"", b"{", b"\xff\xfe\x00", b"[]", b"5", b'{"jsonrpc":"2.0"}', b"[" * 100_000):
            raw.send_bytes(line + b"\n")
        raw.handshake()
        raw.send_bytes(b'\xff{"not": utf-8}\n\n\r\n')
        assert raw.result("ping") == {}
        assert [frame["id"] for frame in raw.frames] == [1, 2]


def test_requests_that_are_broken_are_refused_by_their_id(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        raw.send({"jsonrpc": "2.0", "id": "a", "method": 5})
        raw.send([{"jsonrpc": "2.0", "id": "b", "method": "ping"}])
        raw.send_bytes(b'{"jsonrpc":"2.0","id":"c","method":"ping","params":{"x":"\\ud800"}}\n')
        raw.send({"jsonrpc": "2.0", "id": "d", "method": "no/such"})
        codes = [raw.answer(request_id)["error"]["code"] for request_id in "abcd"]
    assert codes == [-32600, -32600, -32700, -32601]


def test_a_frame_of_ten_megabytes_is_answered(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        body = check_failure(raw.call(first_tool(raw), {"no_such_argument": "x" * 10_000_000}))
        assert "no_such_argument" in body["message"]
        assert raw.result("ping") == {}


def test_unknown_arguments_are_refused_by_every_tool(server: ServerUnderTest) -> None:
    """The SDK drops them in silence; over the wire, ours must not."""
    with started(server) as raw:
        raw.handshake()
        for tool in raw.result("tools/list")["tools"]:
            body = check_failure(raw.call(tool["name"], {"no_such_argument": 1}))
            assert "`no_such_argument` is not an argument" in body["message"], tool["name"]


@pytest.mark.parametrize("arguments", [[], "x", 5, True])
def test_arguments_that_are_no_object_are_an_answer_that_the_model_sees(
    server: ServerUnderTest, arguments: object
) -> None:
    with started(server) as raw:
        raw.handshake()
        assert "must be one JSON object" in check_failure(raw.call(first_tool(raw), arguments))["message"]


def test_an_unknown_tool_is_a_protocol_error(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        assert raw.request("tools/call", {"name": "no_such_tool", "arguments": {}})["error"]["code"] == -32602


def test_a_stderr_that_nobody_reads_stops_nothing(server: ServerUnderTest) -> None:
    env = {**server.environment(), "PYTHONWARNINGS": "always"}
    with RawServer(server.command, env=env, reads_stderr=False) as raw:
        raw.handshake()
        name = first_tool(raw)
        for _call in range(MANY):
            raw.send_bytes(b"this line is logged: " + b"x" * 1000 + b"\n")
            check_failure(raw.call(name, {"no_such_argument": 1}))
        code, seconds = raw.close()
    assert code == 0
    assert seconds < 10


def test_requests_sent_before_any_answer_are_all_answered(server: ServerUnderTest) -> None:
    with started(server) as raw:
        client = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "0"},
        }
        first = raw.begin("initialize", client)
        raw.notify("notifications/initialized")
        others = [raw.begin("tools/list"), raw.begin("ping")]
        assert all("result" in raw.answer(request_id) for request_id in [first, *others])


@pytest.mark.parametrize("protocol", ["2025-11-25", "2026-07-28"])
def test_every_request_that_has_an_id_is_answered_whatever_is_in_it(
    server: ServerUnderTest, protocol: str
) -> None:
    odd = Odd(protocol)
    with started(server) as raw:
        raw.handshake(protocol)
        for number in range(200):
            ids: list[int | str] = [f"s{number}", -number - 1, 2**70 + number]
            request_id = odd.choice(ids)
            request: dict[str, object] = {"jsonrpc": "2.0", "id": request_id, "method": odd.choice(METHODS)}
            if odd.random() < 0.9:
                request["params"] = odd.value()
            raw.send(request)
            raw.answer(request_id)


def test_a_frame_that_comes_in_pieces_is_one_frame(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        for byte in json.dumps({"jsonrpc": "2.0", "id": "slow", "method": "ping"}).encode() + b"\n":
            raw.send_bytes(bytes([byte]))
        assert raw.answer("slow")["result"] == {}


def test_a_server_starts_with_a_path_that_holds_only_what_it_needs_an_unwritable_home_and_no_working_directory(
    server: ServerUnderTest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    gone = tmp_path_factory.mktemp("gone")
    start = ["/bin/sh", "-c", '/bin/rmdir "$PWD" && exec "$@"', "sh", *server.command]
    env = {**server.environment(), "PATH": server.path(), "HOME": "/proc/none"}
    with RawServer(start, env=env, cwd=gone) as raw:
        raw.handshake()
        assert raw.result("tools/list")["tools"]
        assert not gone.exists()
