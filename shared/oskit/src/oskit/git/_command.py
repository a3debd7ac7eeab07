"""The two ways git is run: on bare objects, and in the repository itself."""

from collections.abc import Sequence
from pathlib import Path

from oskit.git._environment import environment, git_program, isolated_environment
from oskit.git._location import Location
from oskit.git._translate import Failure, translated
from oskit.git._void import void_directory
from oskit.git.errors import GitFailedError, GitMissingError, GitOutputTooLargeError, GitTimeoutError
from oskit.git.models import SMALL, Limits
from oskit.process import Completed, ProgramMissingError, StartError, run

Argument = str | bytes

OK = frozenset({0})
OK_OR_NO = frozenset({0, 1})
"""Exit codes of questions that answer "no" with 1."""

# What a repository's configuration could make the reading commands run or write.
_OVERRIDES = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.splitIndex=false",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
)


async def on_objects(
    location: Location,
    arguments: Sequence[Argument],
    *,
    limits: Limits = SMALL,
    stdin: bytes | None = None,
    stdout_to: Path | None = None,
    accept: frozenset[int] = OK,
) -> Completed:
    """Run git over the repository's objects alone; revisions must be full object names."""
    with void_directory(location) as void:
        variables = isolated_environment(
            str(void), GIT_DIR=str(void), GIT_OBJECT_DIRECTORY=str(location.common_dir / "objects")
        )
        completed = await _run(
            arguments,
            cwd=void,
            env=variables,
            limits=limits,
            stdin=stdin,
            stdout_to=stdout_to,
            where=location.shown,
        )
    return checked(completed, arguments, where=location.shown, limits=limits, accept=accept)


async def in_repository(
    location: Location,
    arguments: Sequence[Argument],
    *,
    limits: Limits = SMALL,
    stdin: bytes | None = None,
    settings: Sequence[str] = (),
    accept: frozenset[int] = OK,
) -> Completed:
    """Run git in the repository, for what only refs, index or work tree can tell."""
    variables = environment(GIT_DIR=str(location.git_dir))
    if location.worktree is not None:
        variables["GIT_WORK_TREE"] = str(location.worktree)
    options = _settings((*_OVERRIDES, *settings))
    completed = await _run(
        (*options, *arguments),
        cwd=location.worktree or location.git_dir,
        env=variables,
        limits=limits,
        stdin=stdin,
        where=location.shown,
    )
    return checked(completed, arguments, where=location.shown, limits=limits, accept=accept)


async def in_folder(folder: Path, arguments: Sequence[Argument], *, accept: frozenset[int] = OK) -> Completed:
    """Run git where nothing is known yet: git itself finds the repository and checks its owner."""
    completed = await _run(
        (*_settings(_OVERRIDES), *arguments), cwd=folder, env=environment(), limits=SMALL, where=str(folder)
    )
    return checked(completed, arguments, where=str(folder), limits=SMALL, accept=accept)


def _settings(settings: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for setting in settings for part in ("-c", setting))


async def _run(
    arguments: Sequence[Argument],
    *,
    cwd: Path,
    env: dict[str, str],
    limits: Limits,
    where: str,
    stdin: bytes | None = None,
    stdout_to: Path | None = None,
) -> Completed:
    program = git_program()
    try:
        return await run(
            (program, "--no-pager", *arguments),
            cwd=cwd,
            env=env,
            deadline_s=limits.deadline_s,
            input=stdin,
            capture_limit=limits.output_bytes,
            stdout_to=stdout_to,
        )
    except ProgramMissingError as problem:
        raise GitMissingError(f"{program} cannot be run: {problem}", "Install git.") from problem
    except StartError as problem:
        raise GitFailedError(
            f"git could not be started in {where}: {problem}",
            "Check that the folder still exists and is readable.",
        ) from problem


def checked(
    completed: Completed, arguments: Sequence[Argument], *, where: str, limits: Limits, accept: frozenset[int]
) -> Completed:
    """Give the process back when it ended well and whole; raise the error it amounts to otherwise."""
    command = _text(arguments[0])
    if completed.timed_out:
        raise GitTimeoutError(
            f"git {command} in {where} did not finish within {limits.deadline_s:g} s and was stopped.",
            "Try again when the machine is less busy, review a smaller range, or raise the limit.",
        )
    if completed.returncode not in accept:
        raise translated(_failure(completed, command, arguments, where))
    if len(completed.stdout) == limits.output_bytes < completed.stdout_total:
        raise GitOutputTooLargeError(
            f"git {command} in {where} gave {completed.stdout_total} bytes, "
            f"more than the {limits.output_bytes} allowed.",
            "Review a smaller range, or raise the limit.",
        )
    return completed


def _failure(completed: Completed, command: str, arguments: Sequence[Argument], where: str) -> Failure:
    return Failure(
        command=command,
        arguments=tuple(_text(argument) for argument in arguments[1:]),
        where=where,
        returncode=completed.returncode,
        stderr=completed.stderr.decode("utf-8", "replace"),
    )


def _text(argument: Argument) -> str:
    return argument if isinstance(argument, str) else argument.decode("utf-8", "backslashreplace")
