"""`report.json` and the result of every check: the whole review for programs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from mcpkit.models import Wire
from prview.models.gate import GateDecision
from prview.models.records import RunRecord


class FindingRecord(Wire):
    """One finding with its origin."""

    path: str
    line: int
    column: int | None
    end_line: int | None
    rule: str
    level: str
    policy: str | None = Field(
        default=None, description="block, warn or ignore: what the policy makes of it, if introduced."
    )
    message: str
    provenance: str
    on_added_line: bool
    fingerprint: str
    help_uri: str | None


class CheckRecord(Wire):
    """`20_quality/<check>.result.json`: what one check did and every finding it had."""

    schema_version: Literal["prview.check.v1"] = "prview.check.v1"
    id: str
    name: str
    status: str
    execution_state: str
    outcome: str
    reason: str | None
    unseen: str | None
    tool: str | None
    examined: tuple[str, ...]
    flaky: tuple[str, ...]
    findings: tuple[FindingRecord, ...]


class FileRecord(Wire):
    """One changed file and the checks that looked at it."""

    path: str
    status: str
    old_path: str | None
    old_mode: str
    new_mode: str
    added: int | None
    deleted: int | None
    binary: bool
    checks: tuple[str, ...]
    patch: str | None = Field(
        default=None, description="Pack-relative path of the file's own patch; smaller changes have none."
    )


class CommitRecord(Wire):
    """One commit of the range."""

    sha: str
    author: str
    email: str
    time: str
    subject: str


class SignalRecord(Wire):
    """What one signal had to say. Its findings are those of the check of the same id."""

    kind: str
    title: str
    state: str = Field(description="spoke, silent or error.")
    reason: str | None
    escalates: bool
    limits: tuple[str, ...]
    artifacts: tuple[str, ...] = Field(description="Pack-relative paths of its documents.")
    data: dict[str, JsonValue]


class Report(Wire):
    """The review."""

    schema_version: Literal["prview.report.v1"] = "prview.report.v1"
    run: RunRecord
    decision: GateDecision
    checks: tuple[CheckRecord, ...]
    files: tuple[FileRecord, ...]
    commits: tuple[CommitRecord, ...]
    signals: tuple[SignalRecord, ...] = ()
