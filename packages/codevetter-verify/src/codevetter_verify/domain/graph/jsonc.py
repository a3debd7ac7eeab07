"""JSON with comments and trailing commas, as TypeScript's configuration is written."""

from __future__ import annotations

import json
import re
from typing import Any

_NOT_JSON = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')


def read_object(content: bytes) -> dict[str, Any]:
    """The object that a file holds; an empty one when it holds none."""
    text = content.decode("utf-8-sig", "replace")
    for unwanted in (_NOT_JSON, _TRAILING):
        text = unwanted.sub(lambda match: match[1] or "", text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
