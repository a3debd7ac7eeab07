"""Findings as SARIF 2.1.0, within what GitHub's code scanning accepts.

The limits are those of "SARIF support for code scanning" in GitHub's documentation: 25,000 results a run, the
5,000 most severe of which are shown; 20 tags a rule; 10 MB compressed. What does not fit is left out from the
least important end, counted, and said in a notification of the run.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from prview.domain.findings import LEVEL_ORDER, Finding, Judged, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_RESULTS = 25_000
"""More results in one run and GitHub refuses the file."""

SHOWN_RESULTS = 5_000
"""GitHub shows the most severe ones up to here."""

MAX_COMPRESSED = 10_000_000
"""Bytes of the gzipped file that GitHub takes."""

MAX_MESSAGE = 4_000
"""Characters of one message; the check's own result has all of it."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "prviewFinding/v1"
_MAX_DESCRIPTION = 1_000
_SECURITY = "security"
_SECURITY_SEVERITY = {Level.ERROR: "8.0", Level.WARNING: "5.5", Level.NOTE: "2.0"}
_NOTIFICATIONS = {
    "prview/left-out": "Findings that have no room in this file",
    "prview/not-shown": "Findings that GitHub does not show",
    "prview/check-problem": "A check that could not look",
}


@dataclass(frozen=True)
class SarifLog:
    """The file's bytes, and how many findings did not fit."""

    content: bytes
    truncated: int


@dataclass(frozen=True)
class SarifContext:
    """What a run says beside its results.

    `tags` are words for the rules of a check (its kind); the word `security` makes GitHub list them among
    security alerts. `problems` are sentences about checks that could not look.
    """

    version: str
    commit: str
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    problems: Sequence[str] = ()


def build_sarif(
    findings: Iterable[Judged], *, context: SarifContext, limit: int = MAX_RESULTS, size: int = MAX_COMPRESSED
) -> SarifLog:
    """One run of the driver `prview`; introduced and severe findings are the last to be left out."""
    ranked = sorted(findings, key=lambda item: item.urgency)
    while True:
        kept = ranked[: max(limit, 0)]
        content = _render(sorted(kept, key=lambda item: item.sort_key), total=len(ranked), context=context)
        if not kept or len(content) <= size or len(gzip.compress(content, 6, mtime=0)) <= size:
            return SarifLog(content, len(ranked) - len(kept))
        limit = len(kept) // 2


def _render(kept: Sequence[Judged], *, total: int, context: SarifContext) -> bytes:
    """A result a line: read by people in a diff, and never all in memory as objects."""
    rules = _rules(kept)
    index = {finding.rule_id: position for position, finding in enumerate(rules)}
    head = json.dumps(
        _run(rules, shown=len(kept), total=total, context=context), ensure_ascii=False, indent=1
    )
    results = ",\n".join(json.dumps(_result(item, index), ensure_ascii=False) for item in kept)
    document = (
        f'{{\n"$schema": "{_SCHEMA}",\n"version": "2.1.0",\n"runs": [\n'
        f'{head.removesuffix("}").rstrip()},\n "results": [\n{results}\n]\n}}\n]\n}}\n'
    )
    return document.encode("utf-8", "backslashreplace")


def _rules(kept: Sequence[Judged]) -> list[Finding]:
    """One finding of each rule: the most severe, so that the rule has its level."""
    ordered = sorted(
        (item.finding for item in kept),
        key=lambda it: (it.rule_id, LEVEL_ORDER[it.level], it.help_uri or "~"),
    )
    return [next(group) for _, group in groupby(ordered, key=lambda it: it.rule_id)]


def _run(rules: Sequence[Finding], *, shown: int, total: int, context: SarifContext) -> dict[str, object]:
    return {
        "tool": {
            "driver": {
                "name": "prview",
                "version": context.version,
                "rules": [_rule(finding, context.tags.get(finding.check, ())) for finding in rules],
                "notifications": [
                    {
                        "id": name,
                        "shortDescription": {"text": text},
                        "fullDescription": {"text": text},
                        "help": {"text": f"{text}. The review pack has the details."},
                    }
                    for name, text in _NOTIFICATIONS.items()
                ],
            }
        },
        "automationDetails": {"id": "prview/"},
        "invocations": [
            {
                "executionSuccessful": not context.problems,
                "toolExecutionNotifications": _notifications(shown, total, context),
            }
        ],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "properties": {"commit": context.commit, "truncated": total - shown},
    }


def _notifications(shown: int, total: int, context: SarifContext) -> list[dict[str, object]]:
    told = [("prview/check-problem", "error", problem) for problem in context.problems]
    if shown < total:
        text = (
            f"{total - shown} of {total} findings are left out, the least severe and preexisting ones first."
        )
        told.append(("prview/left-out", "warning", text))
    if shown > SHOWN_RESULTS:
        text = f"GitHub shows the {SHOWN_RESULTS} most severe of these {shown} findings."
        told.append(("prview/not-shown", "note", text))
    return [
        {"descriptor": {"id": name}, "level": level, "message": {"text": _bounded(text, MAX_MESSAGE)}}
        for name, level, text in told
    ]


def _rule(finding: Finding, tags: Sequence[str]) -> dict[str, object]:
    text = _bounded(f"{finding.rule} as reported by {finding.check}", _MAX_DESCRIPTION)
    uri = _web_address(finding.help_uri)
    more = f" See {uri}" if uri else f" {finding.check} has the details; its log is in the review pack."
    properties: dict[str, object] = {"tags": list(tags), "problem.severity": _severity(finding.level)}
    if _SECURITY in tags:
        properties["security-severity"] = _SECURITY_SEVERITY[finding.level]
    rule: dict[str, object] = {
        "id": finding.rule_id,
        "name": finding.rule[:255],
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": f"{text}.{more}"},
        "defaultConfiguration": {"level": finding.level.value},
        "properties": properties,
    }
    return rule | ({"helpUri": uri} if uri else {})


def _severity(level: Level) -> str:
    """The word of GitHub's `problem.severity`."""
    return "recommendation" if level is Level.NOTE else level.value


def _result(item: Judged, index: Mapping[str, int]) -> dict[str, object]:
    finding = item.finding
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": index[finding.rule_id],
        "level": finding.level.value,
        "message": {"text": _bounded(finding.message, MAX_MESSAGE)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(finding.path, safe="/"), "uriBaseId": "%SRCROOT%"},
                    "region": _region(finding),
                }
            }
        ],
        "partialFingerprints": {"primaryLocationLineHash": _line_hash(item), _FINGERPRINT: item.fingerprint},
        "baselineState": "new" if item.introduced else "unchanged",
        "properties": {"onAddedLine": item.on_added_line},
    }


def _line_hash(item: Judged) -> str:
    """What GitHub tells alerts of one rule apart by: the line without its blanks, and the how-manieth it is.

    The path is left out, so that an alert survives the renaming of its file.
    """
    text = "".join((item.finding.anchor or item.finding.message).split())
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{digest[:16]}:{item.occurrence + 1}"


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": max(finding.line, 1)}
    if finding.column and finding.column > 0:
        region["startColumn"] = finding.column
    if finding.end_line and finding.end_line >= region["startLine"]:
        region["endLine"] = finding.end_line
    return region


def _bounded(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _web_address(uri: str | None) -> str | None:
    """The address when a browser may follow it; a tool's output can hold anything."""
    if uri is None or any(character.isspace() or ord(character) < ord("!") for character in uri):
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return (
        quote(uri, safe="/:?#[]@!$&'()*+,;=%~-._")
        if parts.scheme in {"http", "https"} and parts.netloc
        else None
    )
