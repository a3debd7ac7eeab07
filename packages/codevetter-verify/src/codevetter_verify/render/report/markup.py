"""HTML from Python values: text is escaped unless it is markup already."""

from __future__ import annotations

from html import escape

from mcpkit.text import escape_untrusted

_VOID = frozenset({"meta", "img", "br"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Markup | None
Attribute = str | bool | None


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """One element. An attribute's trailing underscore is dropped; False and None leave it out."""
    words = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{words}>")
    return Markup(f"<{name}{words}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Children side by side."""
    return Markup("".join(_safe(child) for child in children if child is not None))


def _safe(child: str) -> str:
    return child if isinstance(child, Markup) else escape(escape_untrusted(child))


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.removesuffix("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(escape_untrusted(value))}"'
