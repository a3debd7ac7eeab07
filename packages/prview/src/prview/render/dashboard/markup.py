"""HTML out of text that nobody trusts."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SMALL = 100_000
_LONG = 240


def esc(text: object) -> str:
    """Text for an element or a quoted attribute; what is invisible or reorders its line is spelled out."""
    return html.escape(escape_untrusted(str(text)), quote=True)


def esc_code(text: str) -> str:
    """Source text for an element: quotes stay as they are, so that it can still be read as a language."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(address: str, label: str) -> str:
    """A link to a place in the page (`#…`) or to a file of the pack; both made by us."""
    target = address if address.startswith("#") else quote(address, safe="/")
    return f'<a href="{esc(target)}">{label}</a>'


def link_into(places: frozenset[str] | None, wanted: Iterable[str], label: str) -> str:
    """A link to the first wanted id that the page has (None: every one); only the label when it has none."""
    found = next((place for place in wanted if places is None or place in places), None)
    return link(f"#{found}", label) if found else label


def outward(address: str | None, label: str) -> str:
    """A link to the web when the address is one; only the label otherwise (`javascript:` is no address)."""
    if address is None or not _is_web(address):
        return label
    return f'<a href="{esc(address)}" rel="noopener noreferrer" target="_blank">{label}</a>'


def listed(items: Iterable[str], *, kind: str = "") -> str:
    """A list of finished items; nothing when there are none."""
    made = "".join(f"<li>{item}" for item in items)
    opening = f'<ul class="{kind}">' if kind else "<ul>"
    return f"{opening}{made}</ul>" if made else ""


def table(columns: Sequence[str], rows: str, *, kind: str = "") -> str:
    """A table that scrolls sideways when it must; names of columns of numbers begin with `#`."""
    head = "".join(
        f'<th scope="col"{" class=num" if name.startswith("#") else ""}>{name.removeprefix("#")}'
        for name in columns
    )
    return (
        f'<div class="scroll"><table class="plain {kind}"><thead><tr>{head}</thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def number(value: int) -> str:
    """With separators: 12,345."""
    return f"{value:,}"


def counted(value: int, what: str) -> str:
    """`1 file`, `1,234 files`."""
    return f"{number(value)} {what}" + ("" if value == 1 else "s")


def lines_changed(added: int | None, deleted: int | None) -> str:
    """`+3 -1`, coloured; nothing for binary files."""
    if added is None or deleted is None:
        return ""
    return f'<span class="plus">+{number(added)}</span> <span class="minus">-{number(deleted)}</span>'


def shortened(path: str) -> str:
    """A path that fits a line or two: its beginning and its end."""
    return path if len(path) <= _LONG else f"{path[: _LONG // 3]}…{path[-2 * _LONG // 3 :]}"


def megabytes(size: int) -> str:
    """A size for people: `812 bytes`, `2.3 MB`."""
    return f"{size / 1e6:.1f} MB" if size >= _SMALL else f"{number(size)} bytes"


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
