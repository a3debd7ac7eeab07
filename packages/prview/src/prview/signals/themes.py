"""What the commits say they are about, and whether they are about one thing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.words import listed, page, plain, plural

if TYPE_CHECKING:
    from prview.domain.change import Commit
    from prview.signals.base import SignalContext

KIND = "themes"
ARTIFACT = "30_context/commit-themes.txt"
MANY_THEMES = 3

_CONVENTIONAL = re.compile(r"^(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()]*)\))?(?P<breaking>!)?:\s+\S")
_TYPES = frozenset(
    {"build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"}
)
_ALIASES = {
    "feature": "feat",
    "bugfix": "fix",
    "hotfix": "fix",
    "doc": "docs",
    "tests": "test",
    "deps": "build",
}
_UNFINISHED = re.compile(r"^(?:fixup!|squash!|amend!|wip\b|\[wip\]|tmp\b|temp\b)", re.IGNORECASE)
_FIRST_WORDS = {
    "fix": r"fix(?:e[sd])?|repair|correct|hotfix",
    "feat": r"add(?:ed|s)?|implement(?:ed|s)?|introduce[sd]?|support|allow|let|give",
    "refactor": r"refactor(?:ed|s)?|rename[sd]?|move[sd]?|extract|clean|simplif(?:y|ied)|split|inline",
    "docs": r"docs?|document(?:ed|s)?|readme|changelog",
    "test": r"tests?|cover",
    "build": r"bump(?:ed|s)?|upgrade[sd]?|pin|build|release",
    "ci": r"ci|workflow",
    "revert": r"revert(?:ed|s)?",
    "perf": r"speed|optimi[sz]e[sd]?|perf",
    "style": r"format|lint|style",
}
_BY_WORD = {name: re.compile(rf"^(?:{words})\b", re.IGNORECASE) for name, words in _FIRST_WORDS.items()}
_COMPANIONS = frozenset({"test", "docs", "style", "chore", "other"})
"""Themes that go along with any other."""


@dataclass(frozen=True)
class Theme:
    """What one subject says. `declared`: in the conventional form, not guessed from the first word."""

    name: str
    scope: str | None = None
    breaking: bool = False
    declared: bool = False


class Themes:
    """Speaks when commits mix concerns, are unfinished, or declare that they break something."""

    kind = KIND
    title = "Commit themes"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Read the subjects."""
        commits = [commit for commit in context.change.commits if not commit.subject.startswith("Merge ")]
        return _signal(context, [(commit, theme(commit.subject)) for commit in commits])


def theme(subject: str) -> Theme:
    """The theme of a subject: its conventional type, else what its first word suggests."""
    match = _CONVENTIONAL.match(subject)
    if match:
        name = match["type"].lower()
        known = _ALIASES.get(name, name)
        if known in _TYPES:
            return Theme(known, match["scope"] or None, breaking=bool(match["breaking"]), declared=True)
    name = next((name for name, words in _BY_WORD.items() if words.match(subject)), "other")
    return Theme(name)


def _signal(context: SignalContext, told: list[tuple[Commit, Theme]]) -> Signal | None:
    names = Counter(item.name for _, item in told)
    main = sorted(set(names) - _COMPANIONS)
    breaking = [commit for commit, item in told if item.breaking]
    unfinished = [commit for commit, _ in told if _UNFINISHED.match(commit.subject)]
    remarks = []
    if len(main) >= MANY_THEMES:
        guessed = "" if all(item.declared for _, item in told) else " (partly judged by first words)"
        remarks.append(
            ("mixed", f"the commits mix {plural(len(main), 'concern')}{guessed}: {', '.join(main)}")
        )
    if unfinished:
        remarks.append(("unfinished", f"to be squashed before merging: {_named(unfinished)}"))
    if breaking:
        remarks.append(("declared-breaking", f"declared as breaking: {_named(breaking)}"))
    if not remarks or not context.change.files:
        return None
    return Signal(
        kind=KIND,
        title=Themes.title,
        findings=tuple(_finding(context.change.files[0].path, rule, text) for rule, text in remarks),
        artifacts=(Artifact(ARTIFACT, _text(told, [text for _, text in remarks])),),
        data={"themes": dict(sorted(names.items())), "breaking": [commit.sha for commit in breaking]},
        escalates=bool(breaking) and context.config.breaking_escalation,
    )


def _named(commits: list[Commit]) -> str:
    return listed([f"{commit.sha[:12]} {plain(commit.subject, width=72)}" for commit in commits], shown=3)


def _finding(path: str, rule: str, text: str) -> Finding:
    """A remark about the commits has no place in a file; it is shown at the first changed one."""
    message = f"about the commits of this change: {text}"
    return Finding(check_id(KIND), rule, Level.NOTE, path, 1, message, anchor=rule)


def _text(told: list[tuple[Commit, Theme]], remarks: list[str]) -> str:
    rows = [
        f"{commit.sha[:12]} {item.name:<8} {'!' if item.breaking else ' '} {plain(commit.subject)}"
        for commit, item in told
    ]
    return page(*(f"{text[0].upper()}{text[1:]}" for text in remarks), "", *rows)
