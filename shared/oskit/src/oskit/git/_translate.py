"""Turn what a failed git process said into an error of our tree (pure)."""

import re
from dataclasses import dataclass

from oskit.git.errors import (
    GitError,
    GitFailedError,
    MissingObjectError,
    NotARepositoryError,
    NoWorktreeError,
    UnknownRevisionError,
    UnsafeRepositoryError,
)

MAX_STDERR = 2000
"""Characters of git's own words kept in an error."""

_DUBIOUS = re.compile(r"dubious ownership|unsafe repository", re.IGNORECASE)
_SAFE_FIX = re.compile(r"git config --global --add safe\.directory .+")
_OUTSIDE = re.compile(
    r"not a git repository|not a git directory|invalid gitfile|unknown repository extension"
    r"|Expected git repo version|invalid 'HEAD'|gitfile",
    re.IGNORECASE,
)
_NO_WORKTREE = re.compile(r"must be run in a work tree", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"bad object|bad revision|unknown revision|not a valid (?:commit|object) name|invalid object name"
    r"|invalid revision range",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"needed a single revision|does not exist|exists on disk|only has|only goes back|ambiguous|no upstream"
    r"|no such branch|does not point to a branch",
    re.IGNORECASE,
)
_DAMAGED = re.compile(
    r"unable to read|could not read|failed to (?:read|traverse)|cannot read|missing (?:blob|tree|commit)"
    r"|corrupt|inflate|bad tree|unable to (?:unpack|parse|find)|is empty|not a tree|promisor"
    r"|missing object|garbage at end",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\b[0-9a-f]{40,64}\b")


@dataclass(frozen=True)
class Failure:
    """A git process that ended with an error: its subcommand, its own arguments, and where it ran."""

    command: str
    arguments: tuple[str, ...]
    where: str
    returncode: int | None
    stderr: str


def translated(failure: Failure) -> GitError:
    """Give the error that says what happened, where, and what to do next."""
    if refusal := _refusal(failure):
        return refusal
    said = failure.stderr
    if _DAMAGED.search(said):
        return _damaged(failure)
    if _UNKNOWN.search(said):
        revision = _argument_named(failure)
        return unknown_revision(revision, failure.where) if revision else _damaged(failure)
    return GitFailedError(
        f"git {failure.command} failed in {failure.where} (exit {failure.returncode}): {_first_line(said)}",
        "Run the same command in a terminal to see it; report it when plain git can read the repository.",
        returncode=failure.returncode,
        stderr=said[:MAX_STDERR],
    )


def _refusal(failure: Failure) -> GitError | None:
    """Recognise that git would not work here at all, whatever the question."""
    said = failure.stderr
    if _DUBIOUS.search(said):
        return _unsafe(failure)
    if "safe.bareRepository" in said:
        return _bare_refused(failure)
    if _OUTSIDE.search(said):
        return not_a_repository(failure.where, _first_line(said))
    return no_worktree(failure.where) if _NO_WORKTREE.search(said) else None


def names_nothing(stderr: str) -> bool:
    """Whether `rev-parse --verify` says that its argument means no commit, and complains of nothing else."""
    return bool(_NOTHING.search(stderr) or _UNKNOWN.search(stderr)) and not _DAMAGED.search(stderr)


def unknown_revision(revision: str, where: str) -> UnknownRevisionError:
    """Say that a revision names no commit."""
    shown = revision if len(revision) <= 200 else revision[:200] + "…"  # noqa: PLR2004 - for people
    return UnknownRevisionError(
        f"{shown!r} names no commit in {where}.",
        "`git branch --all` and `git tag` list what exists here; `git fetch` brings what the remote has.",
        revision=revision,
    )


def not_a_repository(where: str, reason: str) -> NotARepositoryError:
    """Say that a path is in no readable repository."""
    said = re.sub(r"^not a git repository:?\s*", "", reason)
    nowhere = not said or said.startswith("(or any")
    return NotARepositoryError(
        f"{where} is not in a git repository" if nowhere else f"{where} is not a git repository: {said}",
        "Give a folder inside a git checkout, or a bare repository.",
    )


def no_worktree(where: str) -> NoWorktreeError:
    """Say that files on disk were asked for where there are none."""
    return NoWorktreeError(f"{where} has no work tree.", "Give a checkout of the repository instead.")


def _unsafe(failure: Failure) -> UnsafeRepositoryError:
    fix = _SAFE_FIX.search(failure.stderr)
    command = fix[0].strip() if fix else "git config --global --add safe.directory <path>"
    return UnsafeRepositoryError(
        f"git refuses {failure.where}: it belongs to another user ({_first_line(failure.stderr)}).",
        f"If you trust it: {command}",
    )


def _bare_refused(failure: Failure) -> UnsafeRepositoryError:
    return UnsafeRepositoryError(
        f"git refuses {failure.where}: {_first_line(failure.stderr)}.",
        "If you trust bare repositories: git config --global safe.bareRepository all",
    )


def _argument_named(failure: Failure) -> str | None:
    return next((argument for argument in failure.arguments if argument in failure.stderr), None)


def _damaged(failure: Failure) -> MissingObjectError:
    return MissingObjectError(
        f"git {failure.command} needs an object that {failure.where} does not hold intact: "
        f"{_naming_line(failure.stderr)}",
        "In a partial clone fetch the missing objects (`git fetch --refetch --filter=blob:limit=1g`); "
        "otherwise `git fsck` names the damage and a fresh clone repairs it.",
        returncode=failure.returncode,
        stderr=failure.stderr[:MAX_STDERR],
    )


def _naming_line(stderr: str) -> str:
    """Give the line that names an object, the most useful of several complaints."""
    naming = (line for line in stderr.splitlines() if _OBJECT.search(line))
    return _first_line(next(naming, stderr))


def _first_line(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    told = next(
        (line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "no message"
    )
    return told.removeprefix("fatal: ").removeprefix("error: ")[:500]
