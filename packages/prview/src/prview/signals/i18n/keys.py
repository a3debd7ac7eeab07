"""The keys of a file of translations, by its format (pure)."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLURALS = frozenset({"zero", "one", "two", "few", "many", "other", "plural"})
_PLURAL_END = re.compile(r"_(?:zero|one|two|few|many|other|plural|\d+)$")
_YAML = re.compile(
    r"^(?P<indent> *)(?P<quote>[\"']?)(?P<key>[^\"'#\s][^\"'\n]*?)(?P=quote)\s*:(?:\s+(?P<value>.*))?$"
)
_PROPERTY = re.compile(r"^\s*(?P<key>[^#!=:\s][^=:\s]*)\s*[=:]")
_STRINGS = re.compile(r'^\s*"(?P<key>(?:[^"\\]|\\.)*)"\s*=', re.MULTILINE)
_FLUENT = re.compile(r"^(?P<key>[A-Za-z][\w-]*)\s*=", re.MULTILINE)
_XML = re.compile(r'<(?:string|plurals|string-array)\b[^>]*\bname="(?P<key>[^"]+)"')
_PO = re.compile(
    r'^(?P<obsolete>#~ )?msgid[ \t]+"(?P<first>.*)"[ \t]*$(?P<rest>(?:\n".*"[ \t]*$)*)', re.MULTILINE
)


class UnreadableError(Exception):
    """The text is not of its format; the message ends a sentence about the file."""


def keys(path: str, text: str, locale: str) -> frozenset[str]:
    """The dotted keys of a file; forms for numbers count as one. Raises UnreadableError."""
    suffix = PurePosixPath(path).suffix
    if suffix in {".json", ".arb"}:
        found = _json(text)
    elif suffix in {".yml", ".yaml"}:
        found = _yaml(text, locale)
    elif suffix == ".po":
        found = _po(text)
    elif suffix == ".properties":
        matches = (_PROPERTY.match(line) for line in text.split("\n"))
        found = (match["key"] for match in matches if match)
    else:
        pattern = {".strings": _STRINGS, ".ftl": _FLUENT, ".xml": _XML}[suffix]
        found = (match["key"] for match in pattern.finditer(text))
    return frozenset(_singular(key) for key in found)


def _singular(key: str) -> str:
    """A key without its form for a number: `items_one`, `items.other` -> `items`."""
    before, dot, last = key.rpartition(".")
    return before if dot and last in _PLURALS else _PLURAL_END.sub("", key) or key


def _json(text: str) -> Iterator[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise UnreadableError(f"is not JSON: {exc}") from exc
    return iter(list(_flat(data, "")))


def _flat(value: object, prefix: str) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        if str(key).startswith(("@", "$")):  # notes of ARB and of schemas
            continue
        if isinstance(item, dict) and item:
            yield from _flat(item, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def _yaml(text: str, locale: str) -> Iterator[str]:
    """By indentation: files of translations are nested keys, and nothing in them needs to be built."""
    path: list[tuple[int, str]] = []
    block: int | None = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (indent > block or not line.strip()):
            continue
        block = None
        match = _YAML.match(line)
        if not match:
            continue
        value = (match["value"] or "").split(" #", 1)[0].strip()
        path = [*(step for step in path if step[0] < indent), (indent, match["key"])]
        if value.startswith(("|", ">")):
            block = indent
        if value and not value.startswith("&"):
            names = [key for _, key in path]
            yield ".".join(names[1:] if names[0] == locale and len(names) > 1 else names)


def _po(text: str) -> Iterator[str]:
    for match in _PO.finditer(text):
        rest = re.findall(r'"(.*)"', match["rest"])
        key = "".join([match["first"], *rest])
        if key and not match["obsolete"]:
            yield key
