"""One look of one tool at one side of the change: what it is given, and what it gives back."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.files import StorageError, read_bounded
from prview.checks.base import CheckContext, ToolOutputError, ToolTimeoutError
from prview.checks.lines import Lines
from prview.checks.tools import LOG_LIMIT, Tool, run_tool, tool_environment, transcript
from prview.domain.findings import Finding, Level
from prview.domain.masking import mask_text

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from oskit.process import Completed
    from prview.checks.external import ToolCheck
    from prview.checks.suites.check import SuiteCheck
    from prview.checks.trees import Side
    from prview.domain.change import ChangedFile

MAX_OUTPUT = 64 * 1024 * 1024
"""Bytes that are accepted from one run of a tool."""


@dataclass(frozen=True)
class Project:
    """A part of the repository that a tool is started in: `folder` in the head, `base_folder` in the base.

    Folders are relative to the tree, "" is its root; `base_folder` is None when the merge base has no such
    part. `files` are the changed files that belong to it and concern the check.
    """

    folder: str
    files: tuple[ChangedFile, ...] = ()
    base_folder: str | None = ""


@dataclass(frozen=True)
class Reading:
    """What a tool said about one side.

    `examined` are the files it looked at (relative to the tree; more than the changed ones is fine), and
    `unseen` is what it should have looked at and could not, as a sentence; `unread` are files that it could
    not read, which matter when they changed. All of it must follow from the job alone: it may be kept.
    """

    findings: tuple[Finding, ...] = ()
    examined: frozenset[str] = frozenset()
    unseen: str | None = None
    unread: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Output:
    """What one run of a program wrote."""

    completed: Completed
    stdout: bytes
    stderr: bytes

    @property
    def returncode(self) -> int | None:
        """The exit code; negative for a signal."""
        return self.completed.returncode

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def log(self) -> str:
        """The command and what it said, both streams, cut at a length that people read."""
        said = "\n".join(
            stream[:LOG_LIMIT].decode("utf-8", "replace").rstrip() for stream in (self.stdout, self.stderr)
        )
        return transcript(self.completed, said=said)

    @property
    def last_words(self) -> str:
        """The last line it said, on the error stream if there is one."""
        lines = (self.stderr.strip() or self.stdout.strip()).decode("utf-8", "replace").splitlines()
        return lines[-1].strip()[:300] if lines else ""


@dataclass
class Budget:
    """The seconds that the programs of one check have left. Waiting for a free slot costs nothing."""

    left_s: float


@dataclass(frozen=True)
class Job:
    """One run on one side in one project.

    `targets` are the files to look at (relative to the tree), None means whatever the project configures.
    `listing` holds every file of the side with its content's name. `tree` is where the side is, or will be
    once something is run. `log` collects what the programs said.
    """

    side: Side
    tree: Path
    project: str
    targets: tuple[str, ...] | None
    listing: Mapping[str, str]
    tool: Tool
    version: str
    context: CheckContext
    scratch: Path
    budget: Budget
    env: Mapping[str, str] = field(default_factory=dict)
    check: str = ""
    log: list[str] = field(default_factory=list)

    @property
    def cwd(self) -> Path:
        """Where programs are started: the project's folder."""
        return self.tree / self.project

    @cached_property
    def lines(self) -> Lines:
        """The lines of the side's files."""
        return Lines(self.tree)

    @property
    def arguments(self) -> list[str]:
        """The targets as a program started in the project takes them: "." for everything."""
        if self.targets is None:
            return ["."]
        return [_argument(posixpath.relpath(path, self.project or ".")) for path in self.targets]

    def inside(self, name: str) -> str:
        """The path in the project (`packages/a/setup.cfg`) of a name in its folder (`setup.cfg`)."""
        return posixpath.join(self.project, name)

    async def text(self, path: str) -> str | None:
        """A file of the side as text, without an export; None when it is not there."""
        content = await self.context.trees.read(self.side, path)
        return None if content is None else content.decode("utf-8", "replace")

    async def run(
        self,
        argv: Sequence[str],
        *,
        add: Mapping[str, str] | None = None,
        noise: re.Pattern[str] | None = None,
    ) -> Output:
        """Run a program in the project's folder, its output going to files. Raises a CheckProblem.

        Lines of its error stream that match `noise` are left out of the log.
        """
        await self.context.trees.export(self.side)
        number = len(self.log)
        out, err = self.scratch / f"{number}.out", self.scratch / f"{number}.err"
        env = tool_environment(self.tool, self.scratch, add={**self.env, **(add or {})})
        async with self.context.slots:
            try:
                completed = await run_tool(
                    argv, cwd=self.cwd, env=env, deadline_s=self.budget.left_s, stdout_to=out, stderr_to=err
                )
            except ToolTimeoutError as exc:
                exc.log += _tail(err)
                raise
        self.budget.left_s -= completed.duration_s
        output = Output(completed, _read(out, argv), _read(err, argv))
        said = _said(output.stderr, noise)
        self.log.append(f"# {self.side}\n{transcript(completed, said=said)}")
        return output

    def failed(self, message: str, output: Output) -> ToolOutputError:
        """The error of a run that is no evidence."""
        where = f" in {self.project}" if self.project else ""
        return ToolOutputError(f"{message} (on the {self.side} side{where})", log=output.log)

    def path(self, name: str) -> str | None:
        """A name that a tool uses, absolute or relative to the project, as a path in the tree, or None."""
        full = os.path.normpath(self.cwd / name)
        prefix = f"{self.tree}{os.sep}"
        return full.removeprefix(prefix) if full.startswith(prefix) else None

    def finding(  # noqa: PLR0913 - what a finding is made of, all named
        self,
        *,
        rule: str,
        level: Level,
        path: str,
        message: str,
        line: int = 1,
        column: int | None = None,
        end_line: int | None = None,
        help_uri: str | None = None,
        anchor: str | None = None,
    ) -> Finding:
        """A finding of this check at a tree-relative path; its anchor is the text of its line."""
        return Finding(
            check=self.check,
            rule=rule,
            level=level,
            path=path,
            line=max(line, 1),
            column=max(column, 1) if column is not None else None,
            end_line=end_line if end_line and end_line >= line else None,
            # both sides alike, so that they are matched, and what is kept for later runs has no secret
            message=mask_text(message),
            anchor=mask_text(self.lines.text(path, line) if anchor is None else anchor),
            help_uri=help_uri,
        )


def _said(stream: bytes, noise: re.Pattern[str] | None) -> str:
    lines = stream.decode("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if not (noise and noise.search(line)))[:LOG_LIMIT].rstrip()


def _argument(path: str) -> str:
    """A path that no program takes for an option."""
    return f"./{path}" if path.startswith("-") else path


def _tail(path: Path) -> str:
    """The end of what a program said that did not come to an end."""
    try:
        return read_bounded(path, MAX_OUTPUT)[-LOG_LIMIT:].decode("utf-8", "replace")
    except StorageError:
        return ""


def _read(path: Path, argv: Sequence[str]) -> bytes:
    try:
        return read_bounded(path, MAX_OUTPUT)
    except StorageError as exc:
        raise ToolOutputError(f"what {Path(argv[0]).name} wrote cannot be read: {exc.message}") from exc


@dataclass(frozen=True)
class Start:
    """What both sides of a project have in common; `number` tells the projects of a check apart."""

    context: CheckContext
    project: Project
    tool: Tool
    version: str
    budget: Budget
    number: int


async def open_job(
    check: ToolCheck | SuiteCheck,
    start: Start,
    *,
    side: Side,
    folder: str,
    targets: tuple[str, ...] | None = None,
) -> Job:
    """Give one side of a project a scratch folder of its own and the environment of its check."""
    context = start.context
    scratch = context.scratch / f"{start.number}-{side}"
    scratch.mkdir()
    job = Job(
        side=side,
        tree=context.trees.place(side),
        project=folder,
        targets=targets,
        listing=await context.trees.listing(side),
        tool=start.tool,
        version=start.version,
        context=context,
        scratch=scratch,
        budget=start.budget,
        check=check.id,
    )
    return replace(job, env=await check.environment(job))
