"""Colours lines of source without parsing them: what goes on over lines is followed inside of one hunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prview.render.dashboard.languages import Language

_MAX_COLOURED = 500
"""Characters of the longest line that is coloured; longer ones were hardly written by hand."""

Block = tuple[str, str, str]


class Colours:
    """Colours the lines of one hunk. Each side keeps track of the comment or string that it is in."""

    def __init__(self, language: Language | None, texts: Sequence[str]) -> None:
        """`texts` are all lines of the hunk, as HTML: marks that do not pair up there end with their line.

        A hunk may begin inside of a long string, whose end would look like another beginning.
        """
        self._language = language
        self._follow = frozenset(
            block for block in (language.blocks if language else ()) if _paired(block, texts)
        )
        self._open: dict[str, Block | None] = {}

    def line(self, text: str, sides: str) -> str:
        """One line of HTML, coloured. `sides` names the sides that have it: `o`, `n` or both."""
        if self._language is None or len(text) > _MAX_COLOURED:
            return text
        shown, after = self._coloured(text, self._open.get(sides[0]))
        self._open.update(dict.fromkeys(sides, after))
        return shown

    def _coloured(self, text: str, block: Block | None) -> tuple[str, Block | None]:
        parts: list[str] = []
        at = 0
        while at <= len(text):
            if block:
                end = text.find(block[1], at)
                stop = len(text) if end < 0 else end + len(block[1])
                parts.append(_span(block[2], text[at:stop]))
                if end < 0:
                    return "".join(parts), block if block in self._follow else None
                at, block = stop, None
                continue
            at, block = self._to_next_block(text, at, parts)
            if block is None:
                break
        return "".join(parts), None

    def _to_next_block(self, text: str, at: int, parts: list[str]) -> tuple[int, Block | None]:
        """Colour up to where a block begins, its beginning mark included; or to the end."""
        language = self._language
        if language is None:
            return len(text), None
        for match in language.pattern.finditer(text, at):
            parts.append(text[at : match.start()])
            at = match.end()
            kind = match.lastgroup or "k"
            if kind == "b":
                block = next(block for block in language.blocks if match.group() == block[0])
                parts.append(_span(block[2], match.group()))
                return at, block
            parts.append(_span(kind, match.group()))
        parts.append(text[at:])
        return len(text), None


def _span(kind: str, text: str) -> str:
    return f"<i class={kind}>{text}</i>" if text else ""


def _paired(block: Block, texts: Iterable[str]) -> bool:
    begin, end, _ = block
    text = "\n".join(texts)
    begins = text.count(begin)
    return begins % 2 == 0 if begin == end else begins == text.count(end)
