"""`prview.toml`: what a project tells prview about itself."""

from __future__ import annotations

from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from prview.domain.located import Located
from prview.domain.policy import Impact
from prview.domain.toml_reading import read_toml

PROJECT_FILE = "prview.toml"


@dataclass(frozen=True)
class Project:
    """The settings; the defaults hold where there is no file.

    `paths` and `ignores` are patterns in .gitignore's language: only `paths` are reviewed (all when there are
    none), `ignores` are not. `breaking` is what a breaking change alone does to the merge.
    """

    paths: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    breaking: Impact = Impact.REVIEW

    @property
    def ignored(self) -> tuple[str, ...]:
        """Both lists as one list of patterns for what is not reviewed."""
        wanted = [f"!{spelling}" for pattern in self.paths for spelling in _whole(pattern)]
        unwanted = [spelling for pattern in self.ignores for spelling in _whole(pattern)]
        return (*(("*", *wanted) if wanted else ()), *unwanted)


def read_project(text: str, *, path: str) -> Project:
    """Return the settings that a file states. Raises ConfigError."""
    values = read_toml(text, path=path).table(("paths", "ignores", "gate"))
    gate = values["gate"].table(("breaking_escalation",)) if "gate" in values else {}
    escalation = gate.get("breaking_escalation")
    return Project(
        paths=_patterns(values.get("paths")),
        ignores=_patterns(values.get("ignores")),
        breaking=_escalation(escalation) if escalation else Impact.REVIEW,
    )


def _whole(pattern: str) -> tuple[str, str]:
    """A pattern, and what lies below it: of two patterns, the one that names a file more closely counts."""
    folder = pattern.rstrip("/")
    anywhere = "" if "/" in folder else "**/"
    return pattern, f"{anywhere}{folder}/**"


def _patterns(item: Located | None) -> tuple[str, ...]:
    """Raises ConfigError for what is no pattern, or would turn another one around."""
    patterns = item.texts() if item else ()
    for pattern in patterns:
        if item and (not pattern.strip() or pattern.startswith(("!", "#"))):
            raise item.refuse(f"{pattern!r} is no pattern of paths", hint="write it like src/ or docs/*.md")
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError as exc:
            raise (item or Located(None, "", 1)).refuse(f"{pattern!r} is no pattern: {exc}") from exc
    return patterns


def _escalation(item: Located) -> Impact:
    if isinstance(item.value, bool):
        return Impact.REVIEW if item.value else Impact.NONE
    return Impact(item.word(Impact))
