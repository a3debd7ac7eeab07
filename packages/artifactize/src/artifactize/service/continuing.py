"""Answers that take many pages, kept while they are current.

A page is cut from the whole answer, and every page but the first is of an answer that was made a moment ago.
Making it again for each of them would cost a Run of ten thousand requests minutes. What is kept is used only
while everything that it was made from is proved unchanged; else the answer is made anew, and a cursor of
another answer is refused as ever. Nothing is kept for a client, and a cursor outlives this process.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from artifactize.service.workspace import off_loop
from mcpkit.canonical import compact_json, sha256_hex
from mcpkit.paging import Binding, data_page, wire_bytes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel, JsonValue

    from mcpkit.paging import DetailPage

MOST_KEPT_BYTES = 32 * 1024 * 1024
"""Of all kept answers together."""


class Evidence(Protocol):
    """What an answer was made from."""

    def holds(self) -> bool:
        """Whether all of it is proved unchanged; blocks, and raises nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Made:
    """An answer, and what it was made from; None: it cannot be told whether that has changed."""

    answer: BaseModel
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class _Kept:
    data: bytes
    digest: str
    evidence: Evidence


class Continuations:
    """Pages of answers. The newest are kept, up to `MOST_KEPT_BYTES`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def page(
        self,
        tool: str,
        arguments: Mapping[str, JsonValue],
        cursor: str | None,
        make: Callable[[], Awaitable[Made]],
    ) -> DetailPage:
        """Return one page. The first is always of an answer that is made now. Raises InvalidCursorError."""
        key = compact_json([tool, dict(arguments)])
        kept = None if cursor is None else self._kept.get(key)
        if kept is not None and await off_loop(kept.evidence.holds):
            return data_page(kept.data, binding=Binding(tool, arguments, kept.digest), cursor=cursor)
        made = await make()
        data = wire_bytes(compact_json(made.answer))
        digest = sha256_hex(data)
        page = data_page(data, binding=Binding(tool, arguments, digest), cursor=cursor)
        self._kept.pop(key, None)
        if page.next_cursor is not None and made.evidence is not None:
            self._keep(key, _Kept(data, digest, made.evidence))
        return page

    def _keep(self, key: str, kept: _Kept) -> None:
        self._kept[key] = kept
        while sum(len(each.data) for each in self._kept.values()) > MOST_KEPT_BYTES:
            self._kept.popitem(last=False)
