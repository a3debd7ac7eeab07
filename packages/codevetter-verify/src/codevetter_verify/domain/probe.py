"""What the first request to a preview tells before any browser starts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from codevetter_verify.domain import signs
from codevetter_verify.domain.revision import HEADERS, Statement, statements
from codevetter_verify.errors import PreviewNotLiveError, PreviewShieldError, PreviewWallError

if TYPE_CHECKING:
    from codevetter_verify.domain.preview_url import PreviewUrl

_TAGS = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_NOT_FOUND, _TOO_MANY = 404, 429
_SHIELD = re.compile(
    r"just a moment\.\.\.|attention required! \| cloudflare|security checkpoint|verifying you are human"
    r"|checking your browser|are you a robot",
    re.IGNORECASE,
)
_BUILDING = re.compile(
    r"\b(?:deployment|site|preview|app(?:lication)?|service) is (?:still |being |currently )*"
    r"(?:building|built|deploying|deployed|starting|waking up)\b|\bbuild(?:ing)? in progress\b",
    re.IGNORECASE,
)
_SHORT_PAGE = 600
"""Characters up to which a page's words are taken for all it has to say."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The answer that ended the redirects, and the cookies that its host set on the way."""

    final: PreviewUrl
    status: int
    headers: tuple[Statement, ...]
    body: str
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def metas(self) -> tuple[Statement, ...]:
        """Revisions that the document's `<meta>` tags state."""
        return statements(_read(self.body).metas)


def require_preview(probe: Probe, requested: PreviewUrl) -> None:
    """Raise when what answered is not the preview.

    `PreviewNotLiveError` and `PreviewShieldError` when it may be later, `PreviewWallError` when not.
    """
    title, text = _read(probe.body).title, _words(probe.body)
    if probe.status == _TOO_MANY or _says(_SHIELD, title, text):
        shown = f" titled {title[:80]!r}" if title else ""
        raise PreviewShieldError(
            f"a shield against robots{shown} answered with status {probe.status}, not the preview; "
            "let the preview's host allow this machine, or try again later"
        )
    if _says(_BUILDING, title, text):
        raise PreviewNotLiveError("a page that says it is still being built answered, not the preview")
    if probe.status in signs.NOT_LIVE_STATUSES:
        raise PreviewNotLiveError(f"the preview answered with status {probe.status}: it is not live")
    if probe.status == _NOT_FOUND and signs.is_not_live_page(text):
        raise PreviewNotLiveError("the platform answered that there is no such deployment")
    if probe.status in signs.WALL_STATUSES:
        raise PreviewWallError(f"the preview answered with status {probe.status}: a wall, not the preview")
    if signs.is_protection_page(title, text):
        raise PreviewWallError(f"a protection page titled {title[:80]!r} answered, not the preview")
    moved = probe.final.path.rstrip("/") != requested.path.rstrip("/")
    if probe.final.host != requested.host and signs.is_sign_in_host(probe.final.host):
        raise PreviewWallError(f"the preview redirects to {probe.final.host}: it asks for a session")
    if moved and signs.is_sign_in_path(probe.final.path):
        raise PreviewWallError(f"the preview redirects to {probe.final.path}: it asks for a session")


def _says(sign: re.Pattern[str], title: str, text: str) -> bool:
    return bool(sign.search(title)) or (len(text) < _SHORT_PAGE and bool(sign.search(text)))


class _Head(HTMLParser):
    """The title and the revision metas of a document."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.metas: dict[str, list[str]] = {}
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note metas; begin the title."""
        self._in_title = tag == "title" and not self.title
        named = {name: value or "" for name, value in attrs}
        name = named.get("name", "").lower()
        if tag == "meta" and name in HEADERS:
            self.metas.setdefault(name, []).append(named.get("content", ""))

    def handle_endtag(self, _tag: str) -> None:
        """End the title."""
        self._in_title = False

    def handle_data(self, data: str) -> None:
        """Collect the title."""
        if self._in_title:
            self.title += data.strip()


def _read(body: str) -> _Head:
    head = _Head()
    head.feed(body)
    return head


def _words(body: str) -> str:
    return " ".join(unescape(_TAGS.sub(" ", body)).split())
