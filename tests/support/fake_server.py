"""A stdio server without the SDK, that misbehaves as its arguments say; run it as a script.

It writes its pid to the file named by PID_FILE, so that a test can see that it is gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

TOOL = {"name": "ping_tool", "inputSchema": {"type": "object"}}


NO_METHOD: dict[str, object] = {"error": {"code": -32601, "message": "no such method"}}


def answer(method: str, behaviour: set[str]) -> dict[str, object] | None:
    """The outcome of a request, None for no answer at all."""
    if method == "initialize":
        server = {"name": "fake", "version": "7"}
        offer = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server}
        return {"result": offer}
    if method == "tools/list":
        return None if "no-tools" in behaviour else {"result": {"tools": [TOOL]}}
    if method == "tools/call":
        text = {"type": "text", "text": "it is \x1b[31mbroken"}
        return {"result": {"content": [text], "isError": "call-fails" in behaviour}}
    return NO_METHOD


def serve(behaviour: set[str]) -> None:
    """Answer line by line until stdin ends."""
    for line in sys.stdin:
        request = json.loads(line)
        outcome = answer(request["method"], behaviour) if "id" in request else None
        if outcome is not None:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}), flush=True)


def main(behaviour: set[str]) -> None:
    """Misbehave, then serve."""
    if "PID_FILE" in os.environ:
        Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
    if "exits" in behaviour:
        sys.exit("no such configuration: demo.toml")
    if "garbage" in behaviour:
        print("Loading model ...", flush=True)
    if "binary" in behaviour:
        os.write(1, b"\xff\xfe\x00\n")
    if "stubborn" in behaviour:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "silent" in behaviour:
        threading.Event().wait()
    serve(behaviour)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
