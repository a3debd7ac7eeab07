"""Files that are in the repository but not its own work: vendored, generated, minified.

They are listed like all others and nothing is said about their content. `.gitattributes` decides where
it speaks (`linguist-generated`, `linguist-vendored`, the words that GitHub reads); elsewhere known names do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ATTRIBUTES = ".gitattributes"
_ATTRIBUTE = re.compile(r"^(?P<off>[-!]?)linguist-(?P<what>generated|vendored)(?:=(?P<value>\S+))?$")
_VENDORED_FOLDERS = frozenset(
    {
        "node_modules",
        "vendor",
        "vendored",
        "_vendor",
        "third_party",
        "third-party",
        "bower_components",
        "Godeps",
    }
)
_GENERATED_NAME = re.compile(
    r"(?:[.-]min\.(?:js|mjs|cjs|css)|\.bundle\.js|_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw)?\.go|_generated\.(?:go|rs)"
    r"|\.(?:generated|gen)\.[cm]?[jt]sx?|_pb\.(?:d\.ts|js|ts))$"
)
_GENERATED_TEXT = re.compile(
    r"^\W{0,4}\s*(?:Code generated .{0,200} DO NOT EDIT\.?|@generated\b)", re.MULTILINE
)
_HEAD_CHARS = 2048


@dataclass(frozen=True)
class _Rule:
    """One attribute of one line of one `.gitattributes`."""

    folder: str
    spec: GitIgnoreSpec
    what: str
    on: bool


class ForeignFiles:
    """Says of a path why it is not the repository's own work."""

    def __init__(self, attributes: Mapping[str, str], *, ignored: Sequence[str] = ()) -> None:
        """`attributes`: text of every `.gitattributes` by its path; `ignored`: patterns of the project."""
        deeper_last = sorted(attributes, key=lambda path: (path.count("/"), path))
        self._rules = tuple(rule for path in deeper_last for rule in _rules(path, attributes[path]))
        self._ignored = GitIgnoreSpec.from_lines(ignored)

    def reason(self, path: str) -> str | None:
        """`ignored`, `generated`, `vendored`, or None for the repository's own files."""
        if self._ignored.match_file(path):
            return "ignored"
        said = {rule.what: rule.on for rule in self._rules if _matches(rule, path)}
        for what, by_name in (("generated", _generated_name(path)), ("vendored", _vendored_folder(path))):
            if said.get(what, by_name):
                return what
        return None


def generated_text(text: str) -> bool:
    """Whether a file says in its first lines that a program wrote it (Go's convention, or `@generated`)."""
    return _GENERATED_TEXT.search(text[:_HEAD_CHARS]) is not None


def _generated_name(path: str) -> bool:
    return _GENERATED_NAME.search(path) is not None


def _vendored_folder(path: str) -> bool:
    return not _VENDORED_FOLDERS.isdisjoint(PurePosixPath(path).parts[:-1])


def _matches(rule: _Rule, path: str) -> bool:
    if not path.startswith(rule.folder):
        return False
    return rule.spec.match_file(path.removeprefix(rule.folder))


def _rules(path: str, text: str) -> list[_Rule]:
    folder = path.removesuffix(ATTRIBUTES)
    found = []
    for line in text.splitlines():
        pattern, *words = line.split() or [""]
        if not words or pattern.startswith(("#", "[attr]", "!")):
            continue  # git does not allow negative patterns here
        found += [
            _Rule(folder, _spec(pattern), match["what"], on=_is_on(match))
            for word in words
            if (match := _ATTRIBUTE.match(word))
        ]
    return found


def _is_on(match: re.Match[str]) -> bool:
    return not match["off"] and (match["value"] or "true").lower() not in {"false", "0", "no", "off"}


@lru_cache(maxsize=256)
def _spec(pattern: str) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines([pattern])
