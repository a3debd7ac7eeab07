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

_LAST = 3
_PROBLEM = re.compile(
    r"\b(?:\w*(?:error|exception)|fail(?:s|ed|ure|ures)?|fatal|panic(?:ked)?|denied|missing|undefined"
    r"|not found|no such|cannot|can't|could not|mismatch)\b",
    re.IGNORECASE,
)
_NO_PROBLEM = re.compile(r"\b(?:0|no) (?:\w+ )?(?:errors?|fail\w*|exceptions?)\b", re.IGNORECASE)


def clean(output: bytes) -> str:
    r"""Return output as text: bad UTF-8 as U+FFFD, `\\n` line ends, tabs kept, other controls dropped."""
    text = output.decode("utf-8", "replace").replace("\r\n", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def telling_words(*outputs: str, most: int = 512) -> str:
    """Return what cleaned outputs say about a failure, in one line that is cut at `most` characters.

    The first line that names a problem, in the order of the outputs; else the last three lines of the first
    output that has any, since programs say last what went wrong.
    """
    printed = [[line.strip() for line in text.splitlines() if line.strip()] for text in outputs]
    telling = next((line for lines in printed for line in lines if _names_a_problem(line)), None)
    if telling is None:
        telling = " | ".join(next((lines for lines in printed if lines), ["it printed nothing"])[-_LAST:])
    return telling if len(telling) <= most else telling[: most - 1] + "…"


def _names_a_problem(line: str) -> bool:
    return bool(_PROBLEM.search(line)) and not _NO_PROBLEM.search(line)
