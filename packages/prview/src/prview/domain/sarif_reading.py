"""Lifts findings out of a SARIF log. A log without what it must hold is corrupt, never "no findings"."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from prview.errors import StorageCorruptError


class _Part(BaseModel):
    """The parts of SARIF that are read here; everything else is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Artifact(_Part):
    uri: str


class _Region(_Part):
    start_line: int = Field(default=1, alias="startLine")


class _Physical(_Part):
    artifact: _Artifact = Field(alias="artifactLocation")
    region: _Region = Field(default_factory=_Region)


class _Location(_Part):
    physical: _Physical = Field(alias="physicalLocation")


class _Message(_Part):
    text: str


class _Result(_Part):
    rule: str = Field(alias="ruleId")
    level: str = "warning"
    message: _Message
    locations: list[_Location] = Field(min_length=1)


class _Run(_Part):
    results: list[_Result]


class _Log(_Part):
    runs: list[_Run]


@dataclass(frozen=True)
class SarifItem:
    """One result as the findings tool passes it on."""

    file: str
    line: int
    level: str
    rule: str
    message: str


def read_sarif(text: bytes | str) -> tuple[SarifItem, ...]:
    """Every result, ordered by file, line and rule. Raises StorageCorruptError."""
    try:
        log = _Log.model_validate_json(text)
    except ValidationError as exc:
        raise StorageCorruptError(
            f"INLINE_FINDINGS.sarif of the run cannot be read: {exc.errors()[0]['msg']}",
            hint="run the review again",
        ) from exc
    items = [_item(result) for run in log.runs for result in run.results]
    return tuple(sorted(items, key=lambda item: (item.file, item.line, item.rule, item.message)))


def _item(result: _Result) -> SarifItem:
    place = result.locations[0].physical
    return SarifItem(
        file=unquote(place.artifact.uri),
        line=place.region.start_line,
        level=result.level,
        rule=result.rule,
        message=result.message.text,
    )
