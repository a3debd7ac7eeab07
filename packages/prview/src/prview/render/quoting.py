"""Text of a repository inside of our text: always as data, never as markup or instruction."""

from __future__ import annotations

import re

from mcpkit.text import escape_untrusted

_RUNS = re.compile(r"`+")
_MARKUP = re.compile(r"<|(?<=\])[(\[:]|(?<=https:)//|(?<=http:)//|(?<=[Ww]{3})\.|@(?=\w)")
"""What begins a tag, the target of a link, or what GitHub makes a link or a mention of."""

_BLOCKS = ("#", ">", "-", "+", "*", "=", "|", "~", "```", "    ")


def code(text: str) -> str:
    """Inline code: one line, fenced by more backticks than it contains."""
    line = one_line(text)
    fence = "`" * (max((len(run) for run in _RUNS.findall(line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def fenced(text: str) -> str:
    """A block that the text cannot end."""
    safe = escape_untrusted(text).rstrip("\n")
    fence = "`" * max(3, max((len(run) for run in _RUNS.findall(safe)), default=0) + 1)
    return f"{fence}text\n{safe}\n{fence}"


def one_line(text: str) -> str:
    """The text without line ends, tabs and invisible characters, spelled out where they were."""
    escaped = escape_untrusted(text)
    return escaped.replace("\r\n", "\\n").replace("\n", "\\n").replace("\t", "\\t")


def prose(text: str) -> str:
    """A sentence that may quote the repository, for Markdown: no tag, link, picture, heading or list in it.

    Code between backticks stays code.
    """
    line = _MARKUP.sub(lambda match: f"\\{match.group()}", one_line(text).strip())
    return f"\\{line}" if line.startswith(_BLOCKS) else line


def count(number: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {what}" + ("" if number == 1 else "s")
