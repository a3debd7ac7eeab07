"""Pages that are not the page that was asked for: walls, sign-in forms, not-found pages, spinners."""

from __future__ import annotations

import re

WALL_STATUSES = frozenset({401, 403, 407, 429})
NOT_LIVE_STATUSES = frozenset({502, 503, 504})

_PROTECTION = re.compile(
    r"log ?in (?:\u2013|-|to) vercel|authentication required|just a moment\.\.\."
    r"|attention required! \| cloudflare|cloudflare access"
    r"|access denied|password protected|site protected|sign in to (?:netlify|render|cloudflare)",
    re.IGNORECASE,
)
_NOT_LIVE = re.compile(
    r"deployment[_ ](?:not[_ ]found|is building)|this deployment (?:cannot be found|is building)"
    r"|site not found|no such app|there is nothing here, yet|deployment has been (?:disabled|deleted)",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(
    r"/(?:log[-_]?in|sign[-_]?in|auth|sso|sessions?/new|account/login)(?:[/.]|$)", re.IGNORECASE
)
_SIGN_IN_HOST = re.compile(
    r"(?:accounts?|auth\d?|id|idp|log[-_]?in|oauth\d?|sign[-_]?in|sso)\.", re.IGNORECASE
)
_NOT_FOUND = re.compile(
    r"^\W*(?:error\W*)?404\b|\bpage (?:could )?not (?:be )?found\b|\bpage (?:does not|doesn.t) exist\b"
    r"|^\W*not found\W*$",
    re.IGNORECASE,
)
_SIGN_IN_WORDS = re.compile(
    r"^\W*(?:please )?(?:log|sign)[ -]?(?:in|on)\b|\b(?:log|sign)[ -]?in (?:to continue|required)\b",
    re.IGNORECASE,
)
_ERROR_PAGE = re.compile(
    r"^\W*(?:error\W*)?(?:(?:500|http 500)\W*internal server error|502\W*bad gateway"
    r"|503\W*service (?:temporarily )?unavailable|504\W*gateway time-?out)\b"
    r"|^\W*error establishing a database connection\b"
    r"|^Traceback \(most recent call last\):|^\W*(?:PHP )?(?:fatal|parse) error\W",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^\W*(?:(?:oops\W*)?something went wrong|an (?:unexpected )?error (?:has )?occurred|unexpected error"
    r"|you need to enable javascript|(?:please )?enable javascript"
    r"|your browser is (?:not supported|unsupported)"
    r"|too many requests|(?:we.ll|we will) be (?:right )?back|(?:down for|under) maintenance)\b",
    re.IGNORECASE,
)
_DOCUMENTS = ("text/html", "application/xhtml+xml", "image/", "text/plain")
_WAITING = re.compile(r"^\W*(?:loading|please wait|one moment)\W*$", re.IGNORECASE)
_HYDRATION = re.compile(
    r"hydrat\w*\b[^\n]{0,160}?(?:fail|mismatch|error|did(?:n.t| not) match|expected)"
    r"|hydration_(?:failed|mismatch)|(?:fail|error|mismatch)\w*\b[^\n]{0,80}?\bhydrat"
    r"|minified react error #(?:418|419|421|422|423|425)\b"
    r"|text content did not match|expected server html to contain",
    re.IGNORECASE,
)
"""React (development words and production codes), Vue, Svelte, Solid and Angular."""
SHORT_PAGE = 600
_VERY_SHORT_PAGE = 200


def is_protection_page(title: str, text: str) -> bool:
    """Whether a page is a hosting platform's protection or sign-in page, by its title or its few words."""
    return bool(_PROTECTION.search(title)) or (len(text) < SHORT_PAGE and bool(_PROTECTION.search(text)))


def is_not_live_page(text: str) -> bool:
    """Whether the body of a 404 is a platform saying that there is no such deployment (yet)."""
    return bool(_NOT_LIVE.search(text))


def is_sign_in_path(path: str) -> bool:
    """Whether a path is where sites ask for a session."""
    return bool(_SIGN_IN.search(path))


def is_sign_in_host(host: str) -> bool:
    """Whether a host of a site is the one where its visitors sign in."""
    return bool(_SIGN_IN_HOST.match(host))


def says_not_found(title: str, heading: str, text: str) -> bool:
    """Whether a page with status 200 says in words that it is not there."""
    return any(_NOT_FOUND.search(part) for part in (title, heading)) or (
        len(text) < _VERY_SHORT_PAGE and bool(_NOT_FOUND.search(text))
    )


def is_sign_in_form(title: str, heading: str) -> bool:
    """Whether a page that asks for a password is there to let visitors in, by its title or heading."""
    return bool(_SIGN_IN_WORDS.search(title) or _SIGN_IN_WORDS.search(heading))


def error_page(title: str, heading: str, text: str) -> str | None:
    """How a server's own error page names itself, answered under whatever status; None when it is none."""
    if len(text) >= SHORT_PAGE:
        return None
    parts = (title, heading, text)
    return next((part[:80] for part in parts if _ERROR_PAGE.search(part)), None)


def says_trouble(heading: str, text: str) -> bool:
    """Whether a page, or a box on it, says little but that something went wrong."""
    return len(text) < _VERY_SHORT_PAGE and bool(_TROUBLE.search(heading) or _TROUBLE.search(text))


def is_page_type(content_type: str) -> bool:
    """Whether a document of this type may be a page; data for programs is none."""
    return content_type.startswith(_DOCUMENTS)


def is_waiting(text: str, *, busy: bool) -> bool:
    """Whether a page still shows nothing but that it is waiting."""
    return bool(_WAITING.match(text)) or (busy and len(text) < SHORT_PAGE)


def is_hydration_error(text: str) -> bool:
    """Whether a console line or an exception says that server and client rendered different pages."""
    return bool(_HYDRATION.search(text))
