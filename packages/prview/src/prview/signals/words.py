"""Words that several signals use. Text of the repository is quoted: data, never markup or instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted
from prview.render import quoting

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDEST = 200


def plural(number: int, what: str) -> str:
    """`1 file`, `2 files`, `2 dependencies`."""
    if number == 1:
        return f"1 {what}"
    return f"{number} {what.removesuffix('y')}ies" if what.endswith(("cy", "ry")) else f"{number} {what}s"


def listed(items: Sequence[str], *, shown: int = 5) -> str:
    """The first items and how many more there are."""
    rest = len(items) - shown
    return ", ".join(items[:shown]) + (f" and {rest} more" if rest > 0 else "")


def plain(text: str, *, width: int = _WIDEST) -> str:
    """One line of at most `width` characters, without invisible characters."""
    line = " ".join(escape_untrusted(text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def code(text: str) -> str:
    """Inline code of Markdown: one short line."""
    return quoting.code(plain(text))


def bullets(title: str, items: Sequence[str], *, shown: int = 200) -> list[str]:
    """A Markdown section; no lines when there are no items. What is beyond `shown` is counted."""
    if not items:
        return []
    rest = len(items) - shown
    more = [f"- and {rest} more"] if rest > 0 else []
    return [f"## {title}", "", *(f"- {item}" for item in items[:shown]), *more, ""]


def page(*lines: str) -> str:
    """Lines as the text of an artifact."""
    return "\n".join(lines).rstrip("\n") + "\n"
