"""codevetter at both edges: every call makes a receipt of its own, so what differs between any two runs is blurred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.codevetter import bench
from support.parity import Call, Pair

if TYPE_CHECKING:
    from pathlib import Path

SERVER, TOOL = "codevetter-verify-mcp", "verify_change_preview"
NOBODY = "http://127.0.0.1:9/"
VOLATILE = frozenset({"run_id", "ran_at", "duration_ms"})


def _call(folder: Path, preview: str, range_: str, *, exit_code: int = 2) -> Call:
    machine = bench(folder)
    repo_id = machine.enable()
    argv = machine.trex(preview, "--json", "--range", range_)
    arguments = {"source": {"kind": "range", "value": range_}, "preview_url": preview}
    return Call(argv, machine.server(repo_id), arguments, exit_code, VOLATILE, machine.env)


def unreachable(folder: Path) -> Call:
    """Nobody answers: a receipt without confidence."""
    return _call(folder, NOBODY, "main..feature")


def nothing(folder: Path) -> Call:
    """A reversed range: a receipt that names no change."""
    return _call(folder, NOBODY, "feature..main")


def invalid(folder: Path) -> Call:
    """Credentials in the address: an error, and no receipt."""
    return _call(folder, "http://user:secret@127.0.0.1:9/", "main..feature")


PAIRS = [
    Pair(SERVER, TOOL, "unreachable", unreachable),
    Pair(SERVER, TOOL, "nothing-to-verify", nothing),
    Pair(SERVER, TOOL, "invalid", invalid),
]
HISTORY = "codevetter-mcp"
_MASKED = "agents get it masked and with its limits; `receipts` shows the owner what is stored"
_GIT = "people have git for it"
ONLY_MCP = {
    (HISTORY, "receipts_list"): _MASKED,
    (HISTORY, "receipt_get"): _MASKED,
    (HISTORY, "history_log"): _GIT,
    (HISTORY, "change_paths"): _GIT,
}
