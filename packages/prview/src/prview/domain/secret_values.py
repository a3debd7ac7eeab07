"""Telling a secret's value from what only stands where one could stand: placeholders, names, digests.

Bounds were set by hand on both sides: values that generators of passwords and keys make must pass, words,
templates, UUIDs, digests and version numbers must not.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

_DIGEST_LENGTHS = frozenset({32, 40, 56, 64, 96, 128})
"""Hexadecimal digits of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512."""

_HEX = re.compile(r"[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_INTEGRITY = re.compile(r"(?i)(?:md5|h1|sha(?:1|224|256|384|512))[-:=]\S+")
_TEMPLATE = re.compile(r"\$\{|\$\(|\{\{|<[A-Za-z_ -]+>|%\(|^[$%{<@]|\[masked:|^\*+$|\.\.\.|…|[\[\](){}]")
_PLACEHOLDER = re.compile(
    r"(?i)example|sample|placeholder|change.?me|replace.?me|dummy|fake|redacted|insert|your[_-]"
    r"|my[_-]|test|(.)\1{4,}|not[_-]?a?[_-]?(?:real|secret)|password|passw0rd|secret|default|lorem|foobar|hunter2"
)
_PLACE = re.compile(r"[a-z]+://|\.{0,2}/|[A-Za-z]:\\|~/")
_WORD_LIKE = re.compile(r"(?:[A-Za-z]+\d{0,2}|\d{1,4})(?:[-_./:, ]+(?:[A-Za-z]+\d{0,2}|\d{1,4}))*")
_CAMEL = re.compile(r"[A-Za-z][a-z]+(?:[A-Z]+[a-z]+)+\d{0,2}")
_CLASSES = tuple(re.compile(pattern) for pattern in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))
_RUN = 6
"""Characters in alphabetical or numerical order that nobody gets by chance: `abcdef`, `123456`."""


def entropy(text: str) -> float:
    """Shannon's entropy in bits a character; 0 for an empty text."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def is_placeholder(value: str) -> bool:
    """Whether a value says itself that it is none: words like `example`, templates, `xxxxx`, `123456`."""
    return bool(_TEMPLATE.search(value) or _PLACEHOLDER.search(value)) or _has_run(value)


def is_public_id(value: str) -> bool:
    """Whether a value is a UUID, a digest or a lock file's integrity: random, and nobody's secret."""
    if _UUID.fullmatch(value) or _INTEGRITY.fullmatch(value):
        return True
    return len(value) in _DIGEST_LENGTHS and _HEX.fullmatch(value) is not None


def looks_issued(body: str) -> bool:
    """Whether the random part of a token with a known prefix was made by its issuer."""
    return len(set(body)) >= min(8, len(body) // 2) and not is_placeholder(body)


def looks_random(value: str, *, careful: bool = False) -> bool:
    """Whether a value assigned to the name of a secret is one. `careful` asks for more (test code)."""
    if is_placeholder(value) or is_public_id(value) or _PLACE.match(value):
        return False
    if _WORD_LIKE.fullmatch(value) or _CAMEL.fullmatch(value):
        return False
    classes = sum(pattern.search(value) is not None for pattern in _CLASSES)
    if careful:
        return len(value) >= 20 and classes >= 2 and entropy(value) >= 3.9  # noqa: PLR2004 - see the module
    if len(value) >= 16:  # noqa: PLR2004
        return classes >= 2 and entropy(value) >= 3.2  # noqa: PLR2004
    return classes >= 3 and entropy(value) >= 2.7  # noqa: PLR2004


def _has_run(value: str) -> bool:
    length = 1
    for before, after in pairwise(value):
        length = length + 1 if ord(after) - ord(before) == 1 else 1
        if length >= _RUN:
            return True
    return False
