"""Coverage reports: Cobertura XML, LCOV, coverage.py's JSON, Istanbul's JSON, Go's profile (pure)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Hits = dict[str, dict[int, bool]]
"""File as the report names it, to line number (from 1), to whether it ran."""


class ReportError(Exception):
    """The text is no report of its kind; the message ends a sentence about the file."""


_TAG = re.compile(r"<(?P<tag>class|line|source)\b(?P<attributes>[^>]*)>(?P<text>[^<]*)")
_ATTRIBUTE = re.compile(r"""(\w[\w-]*)\s*=\s*["']([^"']*)["']""")
_GO_LINE = re.compile(r"^(?P<file>.+):(?P<first>\d+)\.\d+,(?P<last>\d+)\.\d+ \d+ (?P<count>\d+)$")


def cobertura(text: str) -> Hits:
    """`coverage.xml`. Read by its tags: an XML parser would also obey entities."""
    if "<coverage" not in text[:4096]:
        raise ReportError("is no Cobertura report")
    found: Hits = {}
    lines: dict[int, bool] = {}
    sources: list[str] = []
    for match in _TAG.finditer(text):
        attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
        if match["tag"] == "source":
            sources.append(match["text"].strip())
        elif match["tag"] == "class":
            lines = found.setdefault(attributes.get("filename", ""), {})
        elif attributes.get("number", "").isdigit():
            number = int(attributes["number"])
            lines[number] = lines.get(number, False) or attributes.get("hits", "0") != "0"
    return _below(found, sources)


def _below(found: Hits, sources: list[str]) -> Hits:
    """File names are relative to the report's only source folder."""
    folder = sources[0].rstrip("/") if len(sources) == 1 else ""
    return {
        f"{folder}/{name}" if folder and not name.startswith("/") else name: lines
        for name, lines in found.items()
    }


def lcov(text: str) -> Hits:
    """`lcov.info`."""
    found: Hits = {}
    lines: dict[int, bool] = {}
    for line in text.split("\n"):
        key, _, value = line.strip().partition(":")
        if key == "SF":
            lines = found.setdefault(value, {})
        elif key == "DA":
            number, _, count = value.partition(",")
            if number.isdigit():
                lines[int(number)] = lines.get(int(number), False) or count.split(",")[0] not in {"0", ""}
    if not found:
        raise ReportError("is no LCOV report")
    return found


def coverage_json(text: str) -> Hits:
    """coverage.py's `coverage.json`, and Istanbul's `coverage-final.json`."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ReportError(f"is not JSON: {exc}") from exc
    try:
        if "files" in data:
            return {
                name: dict.fromkeys(map(int, file["missing_lines"]), False)
                | dict.fromkeys(map(int, file["executed_lines"]), True)
                for name, file in data["files"].items()
            }
        return {str(file["path"]): _istanbul(file) for file in data.values()}
    except (KeyError, TypeError, ValueError, AttributeError) as exc:
        raise ReportError(f"is no coverage report that we know ({type(exc).__name__}: {exc})") from exc


def go_profile(text: str) -> Hits:
    """What `go test -coverprofile` writes; names begin with the module's."""
    if not text.startswith("mode:"):
        raise ReportError("is no Go profile")
    found: Hits = {}
    for match in map(_GO_LINE.match, text.split("\n")):
        if match:
            lines = found.setdefault(match["file"], {})
            for number in range(int(match["first"]), int(match["last"]) + 1):
                lines[number] = lines.get(number, False) or match["count"] != "0"
    return found


def _istanbul(file: Mapping[str, Any]) -> dict[int, bool]:
    lines: dict[int, bool] = {}
    for key, place in file["statementMap"].items():
        number = int(place["start"]["line"])
        lines[number] = lines.get(number, False) or bool(file["s"][key])
    return lines


READERS: Mapping[str, Callable[[str], Hits]] = {
    "coverage.xml": cobertura,
    "cobertura.xml": cobertura,
    "coverage/cobertura-coverage.xml": cobertura,
    "lcov.info": lcov,
    "coverage/lcov.info": lcov,
    "coverage.json": coverage_json,
    "coverage/coverage-final.json": coverage_json,
    "coverage.out": go_profile,
    "cover.out": go_profile,
}
"""Where tools put their reports, relative to a project's folder."""
