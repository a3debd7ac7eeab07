"""Making text of unknown origin safe to show: what is invisible, or reorders its line, is spelled out."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "\r(?!\n)"  # a lone carriage return overwrites the line it is on; CRLF is only a line end
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # C0 without tab and newline, DEL, C1
    "|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # bidirectional marks, embeddings, overrides, isolates
    "|[\u2028\u2029\ufeff]"  # separators that some readers take for a line end, and the byte order mark
    "|[\U000e0000-\U000e007f]"  # tag characters: invisible, and able to carry a whole sentence
    "|[\ud800-\udfff]"  # lone surrogates, from file names that are not UTF-8
)


def escape_untrusted(text: str) -> str:
    r"""`text` with every control, bidirectional and invisible tag character written as `\uXXXX`.

    Newlines (LF, CRLF) and tabs stay. The escapes are those of JSON, so JSON text stays the same JSON.
    Applying it twice changes nothing more.
    """
    return _UNSAFE.sub(lambda match: _spelled(match.group()), text)


def _spelled(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
