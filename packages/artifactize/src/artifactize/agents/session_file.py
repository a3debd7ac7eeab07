"""Writing down a conversation: JSON lines in a file of mode 0600, without the keys it was held with.

Each line is an object with `at` and `type`: `task`, `said`, `failed`, `answer`, `tool_call`, `tool_answer`,
`verdict`, `error`, `question`, `reply`, `control`.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifactize.domain.declarations import Json

MASK = "[masked]"
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential|auth")
_SHORTEST = 6
_KEYS = re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{16,}")


class SessionFile:
    """A conversation being appended to its file. Raises OSError when it cannot be written."""

    def __init__(self, file: Path, environment: Mapping[str, str]) -> None:
        self._file = file
        self._secrets = sorted(
            {value for name, value in environment.items() if _is_secret(name, value)}, key=len, reverse=True
        )

    def add(self, kind: str, **fields: Json) -> None:
        """Append one line."""
        record = {
            "at": rfc3339(now()),
            "type": kind,
            **{key: self._masked(value) for key, value in fields.items()},
        }
        line = json.dumps(record, separators=(",", ":")) + "\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        with os.fdopen(os.open(self._file, flags, 0o600), "wb") as session:
            session.write(line.encode())

    def masked(self, text: str) -> str:
        """Return a text without the secrets of the environment, and without what looks like a key."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return _KEYS.sub(MASK, text)

    def _masked(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, list):
            return [self._masked(each) for each in value]
        if isinstance(value, dict):
            return {self.masked(key): self._masked(each) for key, each in value.items()}
        return value


def _is_secret(name: str, value: str) -> bool:
    return len(value) >= _SHORTEST and bool(_SECRET_NAME.search(name))
