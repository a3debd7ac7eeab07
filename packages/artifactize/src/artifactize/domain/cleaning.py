"""Making a program's output safe to show: no escape sequences, no control characters, always text."""

from __future__ import annotations

import re

AUDIT_BYTES = 128 * 1024
"""How much of each stream the database keeps; the files under the Run keep everything."""

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor movement
    r"|\x1b[\]PX^_].*?(?:\x1b\\|\x07|$)"  # strings for the terminal: titles, links
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(output: bytes) -> str:
    r"""Return output as text: bad UTF-8 as U+FFFD, `\\n` line ends, tabs kept, other controls dropped."""
    text = output.decode("utf-8", "replace").replace("\r\n", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def last_words(text: str, *, most: int = 512) -> str:
    """Return the last non-empty line of a cleaned output, cut: programs say last what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    last = lines[-1]
    return last if len(last) <= most else last[: most - 1] + "…"
