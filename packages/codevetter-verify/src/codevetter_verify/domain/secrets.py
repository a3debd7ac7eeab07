"""Masks what looks like a credential, in place: the text around it stays what it was.

Only shapes that are hardly ever anything else: tokens with an issuer's prefix, keys in PEM armour, JSON web
tokens, the user information of an address, what follows `Bearer` or `Basic`, values with a digit that are
assigned to names such as `api_key`, and right behind such a name a long word with digits between its letters.
Routes, commit ids and digests are none of these.
"""

from __future__ import annotations

import re

MASK = "***"
_ISSUED = re.compile(
    r"""(?x)
    \b(?:
        gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
      | (?:AKIA|ASIA)[0-9A-Z]{16} | xox[a-z]-[A-Za-z0-9-]{10,} | AIza[A-Za-z0-9_-]{30,}
      | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,} | sk-[A-Za-z0-9_-]{20,} | npm_[A-Za-z0-9]{30,}
      | pypi-[A-Za-z0-9_-]{30,} | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    )
    | (?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    """,
    re.DOTALL,
)
_USER_INFO = re.compile(r"(?<=://)(?:[^\s/@:]*:[^\s/@]+|(?=[^\s/@:]*\d)[^\s/@:]{16,})(?=@)")
_SCHEME = re.compile(r"(?i)\b(bearer|basic)(\s+)(?=\S*\d)[A-Za-z0-9._~+/=-]{8,}")
_ASSIGNED = re.compile(
    r"""(?ix)
    \b((?:[a-z0-9]+[_-])*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|session(?:id)?|cookie))
    (["']?\s*[=:]\s*["']?)
    (?=[^\s"'&;,]*\d)[^\s"'&;,<>]{6,}
    """
)
_TOLD = re.compile(
    r"(?i)\b(password|passwd|secret|token|api[ _-]?key)(\s+(?:is\s+)?)(?=\w*[a-z]\w*\d\w*[a-z])[\w+=]{12,}"
)


def mask_secrets(text: str) -> str:
    """`text` with every credential in it replaced by `***`."""
    text = _ISSUED.sub(MASK, text)
    text = _USER_INFO.sub(MASK, text)
    text = _SCHEME.sub(rf"\1\2{MASK}", text)
    text = _TOLD.sub(rf"\1\2{MASK}", text)
    return _ASSIGNED.sub(rf"\1\2{MASK}", text)
