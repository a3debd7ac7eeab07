"""Findings as SARIF 2.1.0, within the limits of the hosts that read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from prview.domain.findings import LEVEL_ORDER, Finding, Judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_RESULTS = 5000
"""GitHub shows the 5000 worst results of a run and drops the others; what we drop, we count."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "prviewFinding/v1"


@dataclass(frozen=True)
class SarifLog:
    """The document, and how many findings did not fit."""

    document: Mapping[str, object]
    truncated: int


def build_sarif(
    findings: Iterable[Judged], *, version: str, commit: str, limit: int = MAX_RESULTS
) -> SarifLog:
    """One run of the driver `prview`; introduced and severe findings are the last to be left out."""
    ranked = sorted(findings, key=_rank)
    kept = sorted(ranked[:limit], key=lambda item: item.sort_key)
    rules = sorted({item.finding.rule_id: item.finding for item in kept}.items())
    index = {rule_id: position for position, (rule_id, _) in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "prview",
                "version": version,
                "rules": [_rule(finding) for _, finding in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "properties": {"commit": commit, "truncated": len(ranked) - len(kept)},
        "results": [_result(item, index[item.finding.rule_id]) for item in kept],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return SarifLog(document, len(ranked) - len(kept))


def _rank(item: Judged) -> tuple[bool, int, tuple[str, int, str, str, int]]:
    return not item.introduced, LEVEL_ORDER[item.finding.level], item.sort_key


def _rule(finding: Finding) -> dict[str, object]:
    text = f"{finding.rule} as reported by {finding.check}"
    rule: dict[str, object] = {
        "id": finding.rule_id,
        "shortDescription": {"text": text},
        "help": {"text": f"{text}. {finding.help_uri or ''}".strip()},
        "defaultConfiguration": {"level": finding.level.value},
    }
    return rule | ({"helpUri": finding.help_uri} if finding.help_uri else {})


def _result(item: Judged, rule_index: int) -> dict[str, object]:
    finding = item.finding
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_index,
        "level": finding.level.value,
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(finding.path, safe="/"), "uriBaseId": "%SRCROOT%"},
                    "region": _region(finding),
                }
            }
        ],
        "partialFingerprints": {_FINGERPRINT: item.fingerprint},
        "baselineState": "new" if item.introduced else "unchanged",
        "properties": {"onAddedLine": item.on_added_line},
    }


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": max(finding.line, 1)}
    if finding.column:
        region["startColumn"] = finding.column
    if finding.end_line and finding.end_line >= finding.line:
        region["endLine"] = finding.end_line
    return region
