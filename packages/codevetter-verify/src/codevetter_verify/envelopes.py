"""How codevetter words its failures: on the execution server's wire, and under `--json`."""

from __future__ import annotations

from codevetter_verify.errors import SERVER_CLASSES
from mcpkit.envelope import ClassEnvelope

VERSION = "codevetter.verify.v1"

envelope = ClassEnvelope(SERVER_CLASSES, VERSION, invalid="invalid_input")
"""The server's: a closed vocabulary."""

command_line_envelope = ClassEnvelope(
    SERVER_CLASSES | {"receipt_not_found", "nothing_to_attest"}, VERSION, invalid="invalid_input"
)
"""The same words for `--json`, with the classes that only a command can meet."""
