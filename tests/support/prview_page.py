"""A dashboard from a review that is over, and its HTML as a tree of elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from prview.service.packing import pack_files
from support.prview_review import reviewed

if TYPE_CHECKING:
    from prview.domain.change import Change
    from prview.domain.checks import CheckResult


def page_of(change: Change, *results: CheckResult, **more: Any) -> str:
    """`dashboard.html` of the review's pack."""
    return pack_files(reviewed(change, *results, **more))["dashboard.html"].decode()


@dataclass
class Reading(HTMLParser):
    """Every tag with its attributes, every id, and the text between tags (style and script apart)."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""
    assets: dict[str, str] = field(default_factory=dict)
    _inside: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in {"style", "script"} else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.assets[self._inside] = self.assets.get(self._inside, "") + data
        else:
            self.text += data

    def attributes(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


def read_page(html: str) -> Reading:
    """Parse a page."""
    reading = Reading()
    reading.feed(html)
    reading.close()
    return reading
