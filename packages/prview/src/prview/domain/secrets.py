"""Secrets that a change adds, as findings."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level
from prview.domain.masking import begins_private_key, mask_text, secrets_by_line
from prview.domain.secret_shapes import ASSIGNED, PRIVATE_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prview.domain.change import ChangedFile
    from prview.domain.hunks import AddedLine

CHECK = "secrets"
_BEGIN = "-----BEGIN"
_TEST_PATH = re.compile(
    r"(?i)(?:^|/)(?:tests?|testing|specs?|__tests__|fixtures?|testdata|mocks?|examples?|e2e)/"
    r"|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|spec)\.[a-z]+$|_test\.[a-z]+$"
)
_LOCK_FILES = frozenset(
    {
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "uv.lock",
        "poetry.lock", "pdm.lock", "Pipfile.lock", "Cargo.lock", "go.sum", "Gemfile.lock", "composer.lock",
        "flake.lock", "packages.lock.json",
    }
)  # fmt: skip
"""Written by programs from public sources: names and digests that only look like assignments."""


def added_secrets(file: ChangedFile) -> Iterator[Finding]:
    """Every secret on an added line of one file. No finding carries the secret itself."""
    careful = _TEST_PATH.search(file.path) is not None
    locked = PurePosixPath(file.path).name in _LOCK_FILES
    lines = file.added_lines
    hidden = secrets_by_line([line.text for line in lines], careful=careful)
    for place, line in enumerate(lines):
        if _BEGIN in line.text and begins_private_key(line.text, _next_text(lines, place)):
            yield _finding(file, line, PRIVATE_KEY, "Private key", column=line.text.index(_BEGIN) + 1)
        for secret in hidden.get(place, ()):
            if not (locked and secret.kind == ASSIGNED):
                yield _finding(file, line, secret.kind, secret.title, column=secret.start + 1)


def secrets_in_name(file: ChangedFile) -> Iterator[Finding]:
    """A secret in the name of a file that is new under it. What randomness alone tells is none here."""
    if file.status not in {"A", "C", "R"}:
        return
    for secret in secrets_by_line([file.path]).get(0, ()):
        if secret.kind != ASSIGNED:
            yield Finding(
                check=CHECK,
                rule=secret.kind,
                level=Level.ERROR,
                path=file.path,
                line=1,
                message=f"{secret.title} in the name of a file: take it out of the history, and revoke it",
                anchor=mask_text(file.path),
            )


def _next_text(lines: Sequence[AddedLine], place: int) -> str:
    """The line that follows in the file, when it is added, too."""
    following = lines[place + 1] if place + 1 < len(lines) else None
    return following.text if following and following.number == lines[place].number + 1 else ""


def _finding(file: ChangedFile, line: AddedLine, kind: str, title: str, *, column: int) -> Finding:
    guessed = kind == ASSIGNED
    sure = "(judged by its name and its randomness)" if guessed else "in an added line"
    return Finding(
        check=CHECK,
        rule=kind,
        level=Level.WARNING if guessed else Level.ERROR,
        path=file.path,
        line=line.number,
        column=column,
        message=f"{title} {sure}: take it out of the history, and revoke it if it was ever pushed",
        anchor=mask_text(line.text.strip()),
    )
