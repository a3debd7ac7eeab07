"""How codevetter words its failures: on the wires of its two servers, and under `--json`."""

from __future__ import annotations

from codevetter_verify.errors import HISTORY_CLASSES, SERVER_CLASSES
from mcpkit.envelope import ClassEnvelope

VERSION = "codevetter.verify.v1"

envelope = ClassEnvelope(SERVER_CLASSES, VERSION, invalid="invalid_input")
"""The execution server's: a closed vocabulary."""

history_envelope = ClassEnvelope(HISTORY_CLASSES, "codevetter.history.v1", invalid="invalid_input")
"""The history server's."""

command_line_envelope = ClassEnvelope(
    SERVER_CLASSES | {"receipt_not_found", "nothing_to_attest"}, VERSION, invalid="invalid_input"
)
"""The same words for `--json`, with the classes that only a command can meet."""
