"""What secrets look like: tokens with a known form, addresses with a password, names that hold secrets.

Every expression is bounded, so that a line of megabytes costs time in proportion to its length. `hints` are
in lower case; a line without any of them is never looked at by the expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.secret_values import is_placeholder, looks_issued, looks_random

if TYPE_CHECKING:
    from collections.abc import Callable

PRIVATE_KEY = "private-key"
ASSIGNED = "assigned-secret"


@dataclass(frozen=True)
class Shape:
    """One kind of secret.

    The group `secret` of `pattern` is what must not be shown. `real(match, careful)` tells it from an
    example; it is careful in the code of tests.
    """

    kind: str
    title: str
    hints: tuple[bytes, ...]
    pattern: re.Pattern[str]
    real: Callable[[re.Match[str], bool], bool]


# --- tokens that say themselves what they are ---------------------------------------------------------------


def _token(kind: str, title: str, hints: str, pattern: str) -> Shape:
    """The group `body` is the part that the issuer makes up."""
    bounded = re.compile(rf"(?<![A-Za-z0-9_])(?P<secret>{pattern})(?![A-Za-z0-9])")
    return Shape(
        kind, title, tuple(hints.encode().split()), bounded, lambda match, _: looks_issued(match["body"])
    )


_TOKENS = (
    _token("aws-access-key", "AWS access key", "akia asia abia acca",
           r"(?:AKIA|ASIA|ABIA|ACCA)(?P<body>[A-Z2-7]{16})"),
    _token("github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_",
           r"gh[pousr]_(?P<body>[A-Za-z0-9]{36,255})"),
    _token("github-token", "GitHub token", "github_pat_",
           r"github_pat_(?P<body>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    _token("gitlab-token", "GitLab token",
           "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat-",
           r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-(?P<body>[A-Za-z0-9_-]{20,300})"),
    _token("slack-token", "Slack token", "xox", r"xox[abeoprs]-(?P<body>[A-Za-z0-9-]{20,300})"),
    _token("slack-token", "Slack token", "xapp-",
           r"xapp-\d-(?P<body>[A-Z0-9]{8,20}-\d{8,20}-[a-z0-9]{32,100})"),
    _token("slack-webhook", "Slack webhook", "hooks.slack.com",
           r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<body>[A-Za-z0-9+/]{40,100})"),
    _token("stripe-key", "Stripe key", "sk_live_ rk_live_ sk_prod_ rk_prod_",
           r"[rs]k_(?:live|prod)_(?P<body>[A-Za-z0-9]{20,300})"),
    _token("stripe-key", "Stripe webhook secret", "whsec_", r"whsec_(?P<body>[A-Za-z0-9+/]{32,100})"),
    _token("google-key", "Google API key", "aiza", r"AIza(?P<body>[A-Za-z0-9_-]{35})"),
    _token("google-key", "Google access token", "ya29.", r"ya29\.(?P<body>[A-Za-z0-9_-]{30,300})"),
    _token("google-key", "Google client secret", "gocspx-", r"GOCSPX-(?P<body>[A-Za-z0-9_-]{28})"),
    _token("npm-token", "npm token", "npm_", r"npm_(?P<body>[A-Za-z0-9]{36})"),
    _token("pypi-token", "PyPI token", "pypi-age", r"pypi-AgE(?P<body>[A-Za-z0-9_-]{50,500})"),
    _token("anthropic-key", "Anthropic key", "sk-ant-",
           r"sk-ant-[a-z0-9]{2,10}-(?P<body>[A-Za-z0-9_-]{80,200})"),
    _token("openai-key", "OpenAI key", "t3blbkfj",
           r"sk-(?:proj-|svcacct-|admin-)?(?P<body>[A-Za-z0-9_-]{20,200}T3BlbkFJ[A-Za-z0-9_-]{20,200})"),
    _token("sendgrid-key", "SendGrid key", "sg.", r"SG\.(?P<body>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
    _token("jwt", "JSON Web Token", "eyj",
           r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.(?P<body>[A-Za-z0-9_-]{20,2000})"),
)  # fmt: skip


# --- addresses with a password ------------------------------------------------------------------------------

_LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "db", "host", "hostname", "server", "proxy"})
_EVERYDAY = re.compile(r"[a-z]{1,8}|[A-Z]{1,8}|\d{1,5}|<?[A-Z_]+>?")
"""Passwords of documentation and of a developer's own database."""
_ADDRESS = re.compile(
    r"://(?P<user>[^\s/:@'\"`<>\\]{0,100}):(?P<secret>[^\s/@'\"`<>\\]{3,200})@"
    r"(?P<host>\[[0-9a-fA-F:]{2,40}\]|[A-Za-z0-9.-]{1,200})"
)


def _password_in_use(match: re.Match[str], _careful: bool) -> bool:  # noqa: FBT001 - Shape.real's signature
    user, password, host = match["user"], match["secret"], match["host"].lower()
    if password == user or _EVERYDAY.fullmatch(password) or is_placeholder(password):
        return False
    return host not in _LOCAL and not host.startswith("example.")


_BASIC_AUTH = Shape("url-password", "Password in an address", (b"://",), _ADDRESS, _password_in_use)


# --- names that hold secrets --------------------------------------------------------------------------------

_KEYWORDS = (
    "secret token passw pwd api_key apikey api-key access_key accesskey private_key credential auth_key"
)
_ASSIGNMENT = re.compile(
    r"(?i)(?:secret|token|passwo?r?d|pwd|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth[_-]?key)"
    r"(?P<rest>[A-Za-z0-9_-]{0,40})[\"'`]?\]?[ \t]{0,8}"
    r"(?::[ \t]{0,4}[A-Za-z_.&']{1,30}[ \t]{0,4}=|:=|=>|[=:])[ \t]{0,8}"
    r"(?:[a-zA-Z]{0,2}(?P<quote>[\"'`])(?P<quoted>[^\"'`\s\\]{8,512})(?P=quote)"
    r"|(?P<bare>[A-Za-z0-9+/=_~-]{16,256})(?=[\s;,#]|$))"
)
_ABOUT = re.compile(
    r"(?i)(?:name|ur[il]s?|path|file|dir|id|ids|type|field|label|hash|sha\d*|digest|checksum|policy|regex|pattern"
    r"|length|len|size|ttl|header|prefix|suffix|i[sz]ers?|i[sz]ed?|count|endpoint|var|env|arn|ref|kind|format"
    r"|algorithm|alg|issuer|audience|scope|expiry|expires?|version|template|title|message|placeholder|help|hint)$"
)
_TURNS = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_BARE_TURNS = 3


def _is_value(match: re.Match[str], careful: bool) -> bool:  # noqa: FBT001 - Shape.real's signature
    """Without quotes most values are code; a random one changes often between letters and digits."""
    if _ABOUT.search(match["rest"]):
        return False
    if match["quoted"] is not None:
        return looks_random(match["quoted"], careful=careful)
    return len(_TURNS.findall(match["bare"])) >= _BARE_TURNS and looks_random(match["bare"], careful=careful)


_ASSIGNED = Shape(
    ASSIGNED, "Value that looks like a secret", tuple(_KEYWORDS.encode().split()), _ASSIGNMENT, _is_value
)

SHAPES: tuple[Shape, ...] = (*_TOKENS, _BASIC_AUTH, _ASSIGNED)
"""All kinds that fit on a line; the more specific first."""


def secret_span(match: re.Match[str]) -> tuple[int, int]:
    """Where the secret itself lies in what a shape matched."""
    groups = match.re.groupindex
    if "secret" in groups:
        return match.span("secret")
    return match.span("quoted") if match["quoted"] is not None else match.span("bare")
