"""The policy and the settings that a review is held to: those of the base, never the branch's own.

Both files are read from git's objects at the tip of the (first) base, so that neither the reviewed branch nor
an edit in the working tree can weaken the gate. What the branch changes in them is a finding.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from oskit.files import read_bounded
from oskit.git import display
from prview.checks.registry import CHECKS
from prview.domain.checks import CheckResult, Kind, State
from prview.domain.findings import Finding, Level
from prview.domain.foreign import ATTRIBUTES
from prview.domain.keys import short
from prview.domain.located import ConfigError
from prview.domain.policy import Policy
from prview.domain.policy_reading import POLICY_FILE, read_policy
from prview.domain.project import PROJECT_FILE, Project, read_project
from prview.domain.provenance import judge
from prview.domain.signals import check_id
from prview.signals.registry import SIGNALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from oskit.git import Repository
    from prview.domain.change import Base, Change, ChangedFile

POLICY_CHECK = "policy"
MAX_CONFIG = 256 * 1024
"""Bytes of a policy or of settings."""

_MISNAMED = (".prview-policy.yaml", ".prview-policy.json", ".prview.toml")
_CONFIG = (POLICY_FILE, PROJECT_FILE)

T = TypeVar("T")


@dataclass(frozen=True)
class Rules:
    """What applies, and what the branch does to it."""

    policy: Policy
    project: Project
    own_change: CheckResult
    caveats: tuple[str, ...] = ()


def known_checks() -> frozenset[str]:
    """Every id that a policy can name."""
    return frozenset(
        {*(check.id for check in CHECKS), *(check_id(signal.kind) for signal in SIGNALS), POLICY_CHECK}
    )


async def read_rules(repository: Repository, change: Change, *, policy_file: str | None = None) -> Rules:
    """Read what the base says, or `policy_file` (a path on disk). Raises ConfigError, and git's errors."""
    revisions = dict.fromkeys((*(base.commit for base in change.bases), change.head))
    names = (*_CONFIG, *_MISNAMED)
    blobs = await repository.read_blobs([(commit, name.encode()) for commit in revisions for name in names])
    files = {
        commit: _Files(commit, {name: blobs[commit, name.encode()] for name in names}) for commit in revisions
    }
    first = change.bases[0]
    at_base = files[first.commit]
    at_base.refuse_misnamed(_where(first))
    return Rules(
        policy=_policy_from(policy_file) if policy_file else at_base.policy(_where(first)),
        project=at_base.project(_where(first)),
        own_change=_own_change(change, files[change.head]),
        caveats=_differing(change, files) if policy_file is None else (),
    )


@dataclass(frozen=True)
class _Files:
    """The configuration of one commit."""

    commit: str
    contents: Mapping[str, bytes | None]

    def policy(self, where: str) -> Policy:
        content = self.contents[POLICY_FILE]
        if content is None:
            return Policy()
        source = f"{POLICY_FILE} of {where}"
        return read_policy(_text(content, source), path=source, source=source, checks=known_checks())

    def project(self, where: str) -> Project:
        content = self.contents[PROJECT_FILE]
        source = f"{PROJECT_FILE} of {where}"
        return Project() if content is None else read_project(_text(content, source), path=source)

    def refuse_misnamed(self, where: str) -> None:
        """A file that looks like ours and is not read would be a policy without effect."""
        for name in _MISNAMED:
            if self.contents[name] is not None:
                right = PROJECT_FILE if name.endswith("toml") else POLICY_FILE
                raise ConfigError(
                    "is not read under this name", path=f"{name} of {where}", line=1, hint=f"call it {right}"
                )


def _policy_from(file: str) -> Policy:
    content = read_bounded(Path(file), MAX_CONFIG)
    shown = display(os.fsencode(file))
    return read_policy(_text(content, shown), path=shown, source=shown, checks=known_checks())


def _text(content: bytes, path: str) -> str:
    if len(content) > MAX_CONFIG:
        raise ConfigError(f"is larger than {MAX_CONFIG // 1024} KiB", path=path, line=1)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise ConfigError("is not UTF-8", path=path, line=line) from exc


def _where(base: Base) -> str:
    return f"{base.ref} ({short(base.commit)})"


def _differing(change: Change, files: Mapping[str, _Files]) -> tuple[str, ...]:
    first = change.bases[0]
    others = [
        base.ref for base in change.bases[1:] if files[base.commit].contents != files[first.commit].contents
    ]
    return (f"the policy is that of {first.ref}; {', '.join(others)} has another",) if others else ()


def _own_change(change: Change, head: _Files) -> CheckResult:
    """What the branch does to policy and settings, as a check of its own."""
    touched = [file for file in change.files if {file.path, file.old_path} & {*_CONFIG}]
    findings = [_finding(file, head) for file in touched] + list(_declared(change))
    return CheckResult(
        id=POLICY_CHECK,
        name="Policy of the branch",
        kind=Kind.POLICY,
        state=State.EXECUTED,
        judged=judge(findings, (), renames={}, added=change.added_numbers),
        examined=frozenset(file.path for file in touched if file.has_text),
    )


def _declared(change: Change) -> Iterator[Finding]:
    """New files that the branch calls generated or vendored are outside of the review by its own word."""
    for file in change.files:
        if file.path.rpartition("/")[2] == ATTRIBUTES:
            for line in file.added_lines:
                if "linguist-generated" in line.text or "linguist-vendored" in line.text:
                    message = "the branch declares files to be no work of its own; new ones are not linted"
                    yield _located(file, "attributes", Level.WARNING, line.number, message)
                    break


def _finding(file: ChangedFile, head: _Files) -> Finding:
    """Its next reviews would be refused when it does not read; otherwise somebody should look at it."""
    problem = (
        _problem(lambda: head.policy("the branch")) or _problem(lambda: head.project("the branch"))
        if file.exists
        else None
    )
    if problem:
        return _located(
            file, "invalid", Level.ERROR, problem.line, f"{problem.key or 'file'}: {problem.problem}"
        )
    did = {"A": "adds", "D": "removes"}.get(file.status, "changes")
    message = f"the branch {did} {file.path}; this review is held to what the base says"
    return _located(file, "changed", Level.WARNING, min(file.added_numbers, default=1), message)


def _problem(read: Callable[[], object]) -> ConfigError | None:
    try:
        read()
    except ConfigError as exc:
        return exc
    return None


def _located(file: ChangedFile, rule: str, level: Level, line: int, message: str) -> Finding:
    return Finding(POLICY_CHECK, rule, level, file.path, line, message, anchor=rule)
