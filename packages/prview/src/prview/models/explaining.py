"""Answers of the commands that only people use: explain, init, open."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mcpkit.models import Wire
from prview.models.results import PrviewResponse, Verdict


class Evidence(Wire):
    """One finding that stands against the merge."""

    file: str
    line: int
    level: str
    rule: str
    message: str


class TopFindings(Wire):
    """The first findings of a review, and where the others are."""

    shown: tuple[Evidence, ...] = ()
    more: int = Field(default=0, ge=0, description="Findings beyond those shown.")
    in_file: str | None = Field(default=None, description="Pack-relative path of the file with all of them.")


class Issue(Wire):
    """One reason why the verdict is no PASS: what happened, what shows it, what to do."""

    check: str
    name: str
    effect: Literal["blocks", "asks for a look", "is unknown"]
    why: str
    evidence: tuple[Evidence, ...] = ()
    more: int = Field(default=0, description="Findings beyond those listed.")
    files: tuple[str, ...] = Field(default=(), description="Pack-relative paths of what shows it.")
    fix: tuple[str, ...] = Field(default=(), description="What to do, the first thing first.")


class ExplainResult(PrviewResponse):
    """Answer of `prview explain`."""

    run_id: str
    verdict: Verdict
    allow_merge: bool
    reason: str
    policy: str = Field(description="Mode and origin of the policy that was applied.")
    pack: str
    issues: tuple[Issue, ...]
    caveats: tuple[str, ...]


class OpenResult(PrviewResponse):
    """Answer of `prview open`."""

    run_id: str
    path: str = Field(description="The dashboard, or the pack when it has none.")
    opened: bool = Field(description="Whether a browser was started.")


class WrittenFile(Wire):
    """One file of `prview init`."""

    path: str
    action: Literal["written", "overwritten", "unchanged", "kept"]
    purpose: str
    hint: str | None = Field(default=None, description="What is left to do by hand.")


class InitResult(PrviewResponse):
    """Answer of `prview init`."""

    files: tuple[WrittenFile, ...]
