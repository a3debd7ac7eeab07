"""TypeScript's compiler on both sides of the change; it writes nothing but what it found."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from prview.checks.base import Profile, Skip
from prview.checks.configured import always, read_jsonc
from prview.checks.jobs import Job, Output, Reading
from prview.checks.js.locks import LOCKS, folders_above
from prview.checks.js.modules import link_packages, other_packages, require_packages
from prview.checks.js.tool import SCRIPTS, JsTool, version_number
from prview.checks.js.workspaces import CONFIG_NAME, TSCONFIG, extending, parts
from prview.checks.projects import projects_in
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project

MARKERS: Mapping[str, Callable[[str], bool]] = {"tsconfig.json": always, "jsconfig.json": always}
_AT = re.compile(
    r"^(?P<path>.+)\((?P<line>\d+),(?P<column>\d+)\): (?P<level>error|warning) (?P<rule>TS\d+): (?P<text>.*)$"
)
_GLOBAL = re.compile(r"^error (?P<rule>TS\d+): (?P<text>.*)$")
_BUILDS_ON = (5, 6)
"""The version since when a build goes on after a project with errors."""
_FAILED = frozenset({0, 1, 2, 3, 4, 5})


class Tsc(JsTool):
    """Type-checks the project of the nearest `tsconfig.json` and, not quickly, those that use it.

    The packages of a side belong to what is checked: a side whose lock file is not what is installed cannot
    be seen.
    """

    id = "tsc"
    name = "TypeScript"
    kind = Kind.TYPES
    program = "tsc"
    suffixes = frozenset({".ts", ".tsx", ".mts", ".cts"})
    configs = frozenset(MARKERS)
    also_read = JsTool.also_read | SCRIPTS | {".vue", ".svelte"}
    markers = MARKERS
    exits = _FAILED

    def configures(self, path: str) -> bool:
        """Any `tsconfig.*.json` may be extended or referred to."""
        name = path.rpartition("/")[2]
        return name in MARKERS or CONFIG_NAME.match(name) is not None

    def touches(self, path: str) -> bool:
        """What it reads, and what decides which packages there are: their types are read, too."""
        return super().touches(path) or posixpath.basename(path) in LOCKS

    def runs_code(self, name: str, text: str) -> bool:
        """The compiler runs nothing; its plugins are the editor's."""
        del name, text
        return False

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The changed projects, and those that use them; one build for what a solution refers to."""
        nearest = await super().projects(context)
        found = await self._concerned(context, () if isinstance(nearest, Skip) else nearest)
        if not found:
            return nearest
        if context.profile is Profile.QUICK:
            return found
        known = await parts(context)
        changed = {project.folder: project for project in found}
        users = {folder for folder in known.users(changed) if folder in known.builds}
        chosen = {*changed, *users} - known.built_by({*changed, *users})
        added = await projects_in(context, dict.fromkeys(chosen - changed.keys(), ()), manifests=MARKERS)
        return sorted(
            [*(changed[folder] for folder in chosen & changed.keys()), *added], key=lambda item: item.folder
        )

    async def _concerned(self, context: CheckContext, nearest: Sequence[Project]) -> Sequence[Project]:
        """Those above changed files, and those that build on a changed configuration or other packages."""
        changed = [file.path for file in context.change.files]
        folders = set(await extending(context, {path for path in changed if self.configures(path)}))
        if context.profile is not Profile.QUICK:
            locked = [posixpath.dirname(path) for path in changed if posixpath.basename(path) in LOCKS]
            configured = [posixpath.dirname(path) for path in context.paths if path.endswith(TSCONFIG)]
            folders |= {
                folder for folder in configured if any(above in locked for above in folders_above(folder))
            }
        added = folders - {project.folder for project in nearest}
        more = await projects_in(context, dict.fromkeys(added, ()), manifests=MARKERS)
        return sorted([*nearest, *more], key=lambda item: item.folder)

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """Everything: what a file means depends on the others."""
        del context, project
        return None

    async def command(self, job: Job) -> list[str]:
        """One program, or a build of all references where the configuration is a solution."""
        name, text = await self._config(job)
        options = ["--pretty", "false", "--listFiles"]
        if (read_jsonc(text) or {}).get("references"):
            return [str(job.tool.program), "--build", name, *options, "--force"]
        return [str(job.tool.program), "--project", name, "--noEmit", *options]

    async def examine(self, job: Job) -> Reading:
        """A build writes what it made: it gets a tree of its own."""
        await require_packages(job)
        await link_packages(job)
        command = await self.command(job)
        where = _own_tree(job) if "--build" in command else job
        output = await where.run(command)
        if output.returncode not in self.exits:
            raise job.failed(f"tsc failed with exit code {output.returncode}: {output.last_words}", output)
        return self.read(where, output)

    async def incomparable(self, job: Job) -> str | None:
        """The merge base under the packages of the head would be another program."""
        return await other_packages(job)

    def read(self, job: Job, output: Output) -> Reading:
        """Every error, and the files of the tree that were part of a program."""
        findings: list[Finding] = []
        examined: set[str] = set()
        for line in output.text.splitlines():
            if line.startswith((" ", "\t")) and findings:  # the rest of a message
                findings[-1] = replace(findings[-1], message=f"{findings[-1].message}\n{line.rstrip()}")
            elif found := _AT.match(line):
                findings.append(_finding(found, job=job))
            elif found := _GLOBAL.match(line):
                raise job.failed(f"tsc could not check: {found['rule']} {found['text']}", output)
            elif os.path.isabs(line):  # noqa: PTH117 - text, and no path yet
                path = job.path(line)
                examined |= {path} if path and path in job.listing else set()
            elif line.strip():
                raise job.failed(f"tsc's output cannot be read: {line[:200]}", output)
        building = "--build" in output.completed.argv
        if output.returncode and not findings:
            raise job.failed(f"tsc failed with exit code {output.returncode} and named no error", output)
        stopped = building and findings and version_number(job.version) < _BUILDS_ON
        unseen = "tsc did not build what depends on projects with errors" if stopped else None
        return Reading(tuple(dict.fromkeys(findings)), frozenset(examined), unseen)

    async def _config(self, job: Job) -> tuple[str, str]:
        for name in MARKERS:
            text = await job.text(job.inside(name))
            if text is not None:
                return name, text
        raise ValueError(f"{job.project or 'the root'} has no tsconfig.json")


def _own_tree(job: Job) -> Job:
    """A copy whose files are the tree's own (hard links): new files stay out of it."""
    copy = job.scratch / "build"
    if not copy.exists():
        shutil.copytree(job.tree, copy, symlinks=True, copy_function=os.link)
    return replace(job, tree=copy)


def _finding(found: re.Match[str], *, job: Job) -> Finding:
    path = job.path(found["path"])
    if path is None or path not in job.listing:
        return _in_package(found, job=job)
    return job.finding(
        rule=found["rule"],
        level=Level.ERROR if found["level"] == "error" else Level.WARNING,
        path=path,
        line=int(found["line"]),
        column=int(found["column"]),
        message=found["text"],
    )


def _in_package(found: re.Match[str], *, job: Job) -> Finding:
    """An error in the declarations of a package is the configuration's: it takes them in, and checks them."""
    name = next((name for name in MARKERS if job.inside(name) in job.listing), "tsconfig.json")
    where = found["path"].rpartition("node_modules/")[2]
    return job.finding(
        rule=found["rule"],
        level=Level.ERROR,
        path=job.inside(name),
        message=f"in the package file {where}:{found['line']}: {found['text']}",
        anchor=f"{where} {found['rule']}",
    )
