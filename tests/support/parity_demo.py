"""Both edges of the demo."""

from __future__ import annotations

import sys
from pathlib import Path

from support.parity import Call, Pair

_TESTS = Path(__file__).parents[1]
_ENV = {"PYTHONPATH": str(_TESTS)}


def demo_call(
    *words: str, arguments: dict[str, object], exit_code: int = 0, volatile: frozenset[str] = frozenset()
) -> Call:
    """A question to the demo: words of its command line, arguments of its tool."""
    command = (sys.executable, "-c", _QUIET_CLI, *words, "--json")
    server = (sys.executable, "-m", "support.demo_server")
    return Call(command, server, arguments, exit_code=exit_code, volatile=volatile, env=_ENV)


# the demo's server module prints when it is imported, on purpose; a command's stdout has no guard against it
_QUIET_CLI = (
    "import contextlib, sys\n"
    "with contextlib.redirect_stdout(sys.stderr):\n"
    "    import support.demo_server.server\n"
    "from support.demo_cli import cli\n"
    "from mcpkit.cli import run_command_line\n"
    "run_command_line(cli, prog='demo')"
)

PAIRS = [
    Pair("demo", "add", "success", lambda _: demo_call("add", "2", "--b", "3", arguments={"a": 2, "b": 3})),
    Pair("demo", "add", "default", lambda _: demo_call("add", "2", arguments={"a": 2})),
    Pair("demo", "fail", "error", lambda _: demo_call("fail", arguments={"how": "declared"}, exit_code=2)),
]
ONLY_MCP: dict[tuple[str, str], str] = {}
