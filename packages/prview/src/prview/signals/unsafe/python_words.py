"""Which Python texts need not be parsed for unsafe constructs: those without the words that every one has."""

from __future__ import annotations

import re

_ANYWHERE = (
    *("system", "popen", "getoutput", "getstatusoutput", "create_subprocess_shell", "builtins"),
    *("mark_safe", "Markup", "mktemp", "CERT_NONE", "_create_unverified", "check_hostname"),
    # modules whose calls are dangerous, under whatever names they are imported
    *("pickle", "dill", "marshal", "shelve", "joblib", "pandas", "yaml", "paramiko", "md5", "sha1"),
)
"""Words that are enough."""

_GIVEN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("eval", re.compile(r"\beval\s*\(")),
    ("exec", re.compile(r"\bexec\s*\(")),
    ("shell", re.compile(r"\bshell\s*=\s*True\b")),
    ("debug", re.compile(r"\bdebug\s*=\s*True\b")),
    ("verify", re.compile(r"\bverify\s*=\s*False\b")),
    ("autoescape", re.compile(r"\bautoescape\s*=\s*False\b")),
    ("chmod", re.compile(r"\bchmod\s*\([^)]*?(?:0[oO][0-7_]*[2367]\b|\b[1-9][0-9_]*\b|0[xXbB])")),
    *(
        (
            name,
            re.compile(
                rf"\b{name}\w*\s*\((?:[\s(\\]|#[^\n]*\n)*[rRbBuUfF]{{0,2}}[\"']{{1,3}}[\s\\]*"
                r"(?i:select|insert|update|delete|drop|alter|create|replace|with)\b"
            ),
        )
        for name in ("execute", "raw", "text")
    ),
)
"""Words that need something after them: a call with a certain argument, or with a statement of SQL."""


def may_have_constructs(text: str) -> bool:
    """Whether a text has to be parsed."""
    if any(word in text for word in _ANYWHERE):
        return True
    return any(word in text and pattern.search(text) for word, pattern in _GIVEN)
