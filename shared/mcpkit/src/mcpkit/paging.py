"""Pages of lists, lines and long texts, each small enough for one result.

A result goes over the wire twice: as `structuredContent`, and as the text that mirrors it, where the JSON is
escaped once more. Budgets are therefore bytes of both together (`text_cost`, `json_cost`). The default of
48 KiB leaves 16 KiB for the rest of the result, which has to stay below 64 KiB.

Every page makes progress, whatever the budget: at least one item or one character. The pages of one call,
joined in order, are the whole; a cursor of another call or of other content raises InvalidCursorError.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

from pydantic import Field

from mcpkit.canonical import compact_json
from mcpkit.cursors import Binding, carried, issue, read
from mcpkit.errors import InvalidCursorError
from mcpkit.models import Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "BYTE_BUDGET",
    "Binding",
    "DetailEntry",
    "DetailPage",
    "LinePage",
    "Page",
    "carried",
    "data_page",
    "json_cost",
    "line_page",
    "list_page",
    "text_cost",
    "text_page",
    "wire_bytes",
]

BYTE_BUDGET = 48 * 1024
"""Bytes that the paged part of a result may take, both copies together."""

_Item = TypeVar("_Item")
_QUOTES = 8  # around an empty string, both copies: they belong to the frame
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Page(Generic[_Item]):
    """Some items of `total`; None as `next_cursor` says that these were the last."""

    items: tuple[_Item, ...]
    total: int
    next_cursor: str | None


@dataclass(frozen=True)
class LinePage:
    """A piece of a text of `total_lines` lines, its line ends included."""

    content: str
    total_lines: int
    next_cursor: str | None


class DetailEntry(Wire):
    """A fragment of a long JSON text."""

    offset: Annotated[int, Field(ge=0, description="Where the fragment begins, in UTF-8 bytes.")]
    text: Annotated[str, Field(description="The fragment; join the fragments of all pages in order.")]


class DetailPage(Wire):
    """A page of a long JSON text: join `entries[].text` until `next_cursor` is null, then parse it."""

    encoding: Annotated[Literal["json"], Field(description="What the joined text is.")] = "json"
    entries: Annotated[tuple[DetailEntry, ...], Field(description="At most one fragment.", max_length=1)]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null on the last.")] = None


def text_cost(text: str) -> int:
    """Return the bytes that a string field takes on the wire: in the structured content and in its mirror."""
    once = json.dumps(text, ensure_ascii=False)
    return _size(once) + _size(json.dumps(once, ensure_ascii=False)) - _QUOTES


def json_cost(value: object) -> int:
    """Return the bytes that a model or JSON value takes on the wire, both copies and a comma each."""
    once = compact_json(value)
    return _size(once) + _size(json.dumps(once, ensure_ascii=False))


def list_page(
    items: Sequence[_Item],
    *,
    binding: Binding,
    cursor: str | None,
    limit: int,
    byte_budget: int = BYTE_BUDGET,
    size: Callable[[_Item], int] = json_cost,
) -> Page[_Item]:
    """Return at most `limit` items (1 or more) whose `size`s add up to the budget.

    An item larger than the budget is a page of its own: bound items where they are made.
    """
    _require_positive(limit)
    start = _position(cursor, binding, kind="list", length=len(items))
    end, spent = start, 0
    for item in items[start : start + limit]:
        spent += size(item)
        if spent > byte_budget and end > start:
            break
        end += 1
    more = issue(binding, kind="list", position=end) if end < len(items) else None
    return Page(tuple(items[start:end]), len(items), more)


def line_page(
    text: str, *, binding: Binding, cursor: str | None, limit: int, byte_budget: int = BYTE_BUDGET
) -> LinePage:
    r"""Return at most `limit` lines (1 or more; `\n` ends a line) under the budget.

    A line that alone exceeds the budget is cut; the next page continues within it, and there the rest counts
    as one line of `limit`. Lone surrogates, which no wire can carry, read as U+FFFD.
    """
    _require_positive(limit)
    start = _position(cursor, binding, kind="line", length=len(text))
    end = _end_of_lines(text, start, limit=limit, byte_budget=byte_budget)
    total = text.count("\n") + (text != "" and not text.endswith("\n"))
    more = issue(binding, kind="line", position=end) if end < len(text) else None
    return LinePage(_encodable(text[start:end]), total, more)


def text_page(
    text: str, *, binding: Binding, cursor: str | None, byte_budget: int = BYTE_BUDGET, carry: str = ""
) -> DetailPage:
    """Return one fragment of a JSON text, cut between characters, with its offset in UTF-8 bytes.

    `carry` goes into the cursor and comes back through `carried`: the text of all pages must be made with
    the same one. An empty text has no entry.
    """
    return data_page(wire_bytes(text), binding=binding, cursor=cursor, byte_budget=byte_budget, carry=carry)


def wire_bytes(text: str) -> bytes:
    """Return a text as `text_page` cuts it: UTF-8; lone surrogates, which no wire carries, as U+FFFD."""
    return _encodable(text).encode()


def data_page(
    data: bytes, *, binding: Binding, cursor: str | None, byte_budget: int = BYTE_BUDGET, carry: str = ""
) -> DetailPage:
    """Return the same page as `text_page` does of what `wire_bytes` gave: for who asks for many of them."""
    start = _position(cursor, binding, kind="text", length=len(data))
    # a character costs at least two bytes, one in each copy; a character cut at the window's end is dropped
    window = data[start : start + max(byte_budget // 2, 4)].decode(errors="ignore")
    fragment = window[: _fitting(window, byte_budget)]
    end = start + len(fragment.encode())
    more = issue(binding, kind="text", position=end, carry=carry) if end < len(data) else None
    entries = (DetailEntry(offset=start, text=fragment),) if fragment else ()
    return DetailPage(entries=entries, next_cursor=more)


def _end_of_lines(text: str, start: int, *, limit: int, byte_budget: int) -> int:
    end, left = start, byte_budget
    for _ in range(limit):
        line_end = text.find("\n", end) + 1 or len(text)
        # no more characters than could fit are ever measured: lines may be megabytes long
        line = text[end : min(line_end, end + left // 2 + 1)]
        cost = text_cost(line)
        if cost > left or end + len(line) < line_end:
            break
        end, left = line_end, left - cost
        if end == len(text):
            break
    if end == start:
        window = text[start : start + byte_budget // 2 + 1]
        end += _fitting(window, byte_budget)
    return end


def _fitting(text: str, budget: int) -> int:
    """Return how many leading characters cost at most the budget, at least one if there is one."""
    if text_cost(text) <= budget:
        return len(text)
    fits = bisect_right(range(len(text)), budget, key=lambda length: text_cost(text[:length])) - 1
    return max(fits, 1)


def _position(cursor: str | None, binding: Binding, *, kind: str, length: int) -> int:
    position = read(cursor, binding, kind=kind)
    if cursor is not None and not 0 < position < length:
        raise InvalidCursorError
    return position


def _require_positive(limit: int) -> None:
    if limit < 1:
        raise ValueError(f"limit must be 1 or more, not {limit}")


def _encodable(text: str) -> str:
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))
