"""Pages that a server or a framework shows where a site's own page is missing, answered as a success.

Each sign asks for more than a phrase, since pages may well be about nginx, listings or 404s.
"""

from __future__ import annotations

import json
import re

_SERVER_TITLE = re.compile(
    r"welcome to (?:nginx|openresty|tengine|caddy)\W*(?:on .{1,40})?|it works\W*|iis windows server"
    r"|apache2? .{0,40}default page.{0,20}|(?:http server )?test page\b.{0,60}|apache tomcat.{0,20}"
    r"|caddy works\W*",
    re.IGNORECASE,
)
_SERVER_WORDS = re.compile(
    r"web server is successfully installed|platform is successfully installed"
    r"|used to test the (?:correct|proper) operation of"
    r"|you.ve successfully installed tomcat|your web server is working",
    re.IGNORECASE,
)
_IT_WORKS = re.compile(r"\W*it works\W*", re.IGNORECASE)
_LISTING = re.compile(r"(?:index of|directory listing for|listing directory)\s+/?\S*", re.IGNORECASE)
_NOT_FOUND = re.compile(
    r"\W*(?:error\W*|http\W*)?404(?:\W*(?:error|not found|(?:this )?page (?:could not|couldn.t) be found)\W*"
    r"|\W*page not found\W.{0,80})?\W*"
    r"|\W*(?:(?:oops|whoops|sorry)\W*)?(?:(?:the|this|that) )?(?:requested )?page"
    r" (?:(?:(?:was|is|could|can)\s?(?:not|n.t)|not) (?:be )?found|(?:does not|doesn.t) exist)(?:\W.{0,80})?",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_NOT_FOUND = re.compile(r"/_?(?:404|not[-_]?found)(?:\.html)?/?$", re.IGNORECASE)
_DATA = re.compile(r"[{\[]\s*(?:[{\[]\s*)?\"[^\"\n]{1,80}\"\s*:")
_STARTER = re.compile(
    r"get started by editing (?:the )?\W?(?:src|app|pages)/|edit \S{3,40} and save to (?:reload|test hmr|see)"
    r"|click on the vite and \w+ logos|the install worked successfully! congratulations|yay! you.re on rails"
    r"|remove this welcome page by",
    re.IGNORECASE,
)
_SHORT_PAGE = 600


_UNRENDERED = re.compile(r"\{\{.{1,80}\}\}|\[object \w+\]|undefined|null|NaN")


def server_page(title: str, heading: str, text: str) -> str | None:
    """How a web server's own default page or directory listing names itself; None when it is none."""
    if _IT_WORKS.fullmatch(text):
        return text.strip()[:80]
    named = next((part.strip() for part in (title, heading) if _SERVER_TITLE.fullmatch(part.strip())), None)
    if named and (_SERVER_WORDS.search(text) or len(text) < len(named) + 20):
        return named[:80]
    if _LISTING.fullmatch(title.strip()) and _LISTING.fullmatch(heading.strip()):
        return title.strip()[:80]
    return None


def not_found_page(title: str, heading: str, text: str, *, requested_path: str) -> str | None:
    """The words with which a short page says nothing but that it is not there; None when it does not.

    A route whose own path is about that is what it should be.
    """
    if len(text) >= _SHORT_PAGE or _ABOUT_NOT_FOUND.search(requested_path):
        return None
    first = text.strip().split("\n", 1)[0]
    said = (heading, first) if heading else (title, first)
    return next((part.strip()[:80] for part in said if part and _NOT_FOUND.fullmatch(part.strip())), None)


def is_data(title: str, heading: str, text: str) -> bool:
    """Whether what was answered as a page is data for programs."""
    if title or heading or not text.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return _DATA.match(text) is not None  # longer than what is kept of a page's text


def is_starter(text: str) -> bool:
    """Whether a page is what a framework's generator wrote: it works, and nobody has written it yet."""
    return len(text) < 2 * _SHORT_PAGE and _STARTER.search(" ".join(text.split())) is not None


def is_unrendered(heading: str, text: str) -> bool:
    """Whether a page opens with a template's gap or a value that stands for none."""
    return _UNRENDERED.fullmatch((heading or text.split("\n", 1)[0]).strip()) is not None
