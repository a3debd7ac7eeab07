"""What the owner declares in `.codevetter.toml`, read at the head commit and never from the work tree.

base_path = "/docs"                  # where the application lies below the preview's address
project = "apps/web"                 # which project of the repository the preview shows
[routes]                             # addresses of dynamic pages, by their pattern
"/blog/[slug]" = "/blog/hello"
[[ignore_console]]                   # console lines that are known and harmless
pattern = "Download the React DevTools"
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE = ".codevetter.toml"
MAX_BYTES = 64 * 1024
MAX_SAMPLES = 50
MAX_PATTERNS = 20
MAX_PATTERN = 200
_PATH = re.compile(r"/[^\s?#\\\x00-\x1f\x7f]*")


@dataclass(frozen=True, slots=True)
class Hints:
    """The owner's declarations. `problems` name what could not be used, and why."""

    base_path: str = ""
    project: str | None = None
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ignore_console: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def ignores(self, line: str) -> bool:
        """Whether a console line is one that the owner knows: it holds a pattern (`*`: anything)."""
        return any(_holds(line, pattern) for pattern in self.ignore_console)

    def samples_of(self, pattern: str) -> tuple[str, ...]:
        """The addresses that were declared for a dynamic page."""
        return self.samples.get(pattern, ()) if pattern else ()


def read_hints(content: bytes) -> Hints:
    """Read the file; what breaks a rule is left out and named, and never ends a run."""
    if len(content) > MAX_BYTES:
        return Hints(
            problems=(f"{FILE} at the head is larger than {MAX_BYTES // 1024} KiB and was not read",)
        )
    try:
        found = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        return Hints(problems=(f"{FILE} at the head is not TOML and was not read: {exc}",))
    problems: list[str] = []
    known = {"base_path", "project", "routes", "ignore_console"}
    problems += [f"{FILE}: {name!r} is not known" for name in found if name not in known]
    return Hints(
        base_path=_base_path(found.get("base_path", ""), problems),
        project=_project(found.get("project"), problems),
        samples=dict(_samples(found.get("routes", {}), problems)),
        ignore_console=tuple(_patterns(found.get("ignore_console", []), problems)),
        problems=tuple(problems),
    )


def _holds(line: str, pattern: str) -> bool:
    """Whether the parts of a pattern come in their order; no expression, which could take for ever."""
    position = 0
    for part in pattern.split("*"):
        found = line.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return True


def _base_path(value: object, problems: list[str]) -> str:
    if isinstance(value, str) and (value == "" or _is_path(value)):
        return _quoted(value).rstrip("/")
    problems.append(f'{FILE}: base_path must be a path such as "/docs"')
    return ""


def _project(value: object, problems: list[str]) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and not value.startswith("/") and ".." not in value.split("/"):
        return f"{value.strip('/')}/" if value.strip("/.") else ""
    problems.append(f'{FILE}: project must be a folder of the repository such as "apps/web"')
    return None


def _samples(value: object, problems: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not isinstance(value, dict):
        problems.append(f"{FILE}: routes must be a table of patterns and addresses")
        return
    for pattern, given in list(value.items())[:MAX_SAMPLES]:
        addresses = given if isinstance(given, list) else [given]
        good = [_quoted(one) for one in addresses if isinstance(one, str) and _is_path(one)]
        if len(good) < len(addresses):
            problems.append(f'{FILE}: an address for {pattern!r} is no plain path such as "/blog/hello"')
        yield pattern, tuple(good)


def _patterns(value: object, problems: list[str]) -> Iterator[str]:
    entries: list[Any] = value if isinstance(value, list) else [value]
    for entry in entries[:MAX_PATTERNS]:
        pattern = entry.get("pattern") if isinstance(entry, dict) else None
        if isinstance(pattern, str) and pattern.strip("* ") and len(pattern) <= MAX_PATTERN:
            yield pattern
        else:
            problems.append(
                f"{FILE}: an ignore_console entry has no pattern of 1 to {MAX_PATTERN} characters"
            )


def _is_path(text: str) -> bool:
    return bool(_PATH.fullmatch(text)) and not text.startswith("//") and ".." not in text.split("/")


def _quoted(path: str) -> str:
    return quote(path, safe="/@!$&'()*+,;=:~-._%")
