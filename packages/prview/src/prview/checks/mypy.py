"""Mypy on both sides of the change, as the project configures it."""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prview.checks.base import ToolUnavailableError
from prview.checks.jobs import Job, Output, Project, Reading
from prview.checks.mypy_config import (
    MARKERS,
    MypyConfig,
    own_plugin,
    read_mypy_config,
    usual_targets,
)
from prview.checks.mypy_output import parse_mypy, sources
from prview.checks.python_types import PythonTypes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from prview.checks.base import CheckContext

_JSON_SINCE = (1, 11)
_BLOCKED = 2
_SYNTAX = "syntax"


class Mypy(PythonTypes):
    """Type-checks what the project has mypy check; quickly: the changed files among it."""

    id = "mypy"
    name = "Mypy"
    program = "mypy"
    configs = frozenset(MARKERS)
    exits = frozenset({0, 1, _BLOCKED})
    noise = re.compile(r"^LOG: |^$")
    missing_imports = frozenset({"import", "import-not-found", "import-untyped"})

    @property
    def markers(self) -> Mapping[str, Callable[[str], bool]]:
        """Mypy's own order."""
        return MARKERS

    async def command(self, job: Job) -> list[str]:
        """Mypy in its folder; what it reports is every error of what it was started on."""
        _require_json(job.version)
        name, _ = await self.config(job.context, job.side, job.project)
        python = await self.python(job)
        options = [
            f"--config-file={name}",
            "--output=json",
            "--verbose",  # names the files it was started on
            "--show-error-end",
            "--no-error-summary",
            f"--cache-dir={job.context.scratch / 'mypy-cache' / (job.project.replace('/', '+') or '+')}",
            *([f"--python-executable={python.python}"] if python else []),
            # the others are looked at by the standard profile; on one side only they would seem new
            *(["--follow-imports=silent"] if job.targets is not None else []),
        ]
        config = await self._read(job)
        if job.targets is None:
            inside = _inside(job.listing, job.project)
            return [str(job.tool.program), *options, *([] if config.chooses else usual_targets(inside))]
        return [str(job.tool.program), *options, "--", *job.arguments]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Modules of the commit come before those that an editable install takes from the checkout."""
        folders = await self.first_party(job)
        return {"MYPYPATH": os.pathsep.join(folders)} if folders else {}

    async def foreign_code(self, job: Job) -> str | None:
        """Plugins are code, and run."""
        plugin = own_plugin(await self._read(job), set(_inside(job.listing, job.project)))
        return f"the plugin {plugin} of the reviewed commit" if plugin else None

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """Quickly: the changed files that the project has mypy check."""
        changed = await super().targets(context, project)
        if changed is None:
            return None
        name, text = await self.config(context, "head", project.folder)
        config = read_mypy_config(name, text)
        if not config.chooses:
            config = replace(config, files=usual_targets(_inside(context.paths, project.folder)))
        found = []
        for path in changed:
            covered = config.covers(posixpath.relpath(path, project.folder or "."))
            if covered and await self.owns(context, "head", project.folder, path):
                found.append(path)
        return tuple(found)

    async def examine(self, job: Job) -> Reading:
        """Both sides share mypy's own cache: what did not change is not checked twice."""
        await job.context.trees.export(job.side)
        if job.side == "base":
            await tell_apart(job)
        reading = await self.owned(job, await super().examine(job))
        return await self.with_imports(job, reading)

    def read(self, job: Job, output: Output) -> Reading:
        """All lines. After a file that cannot be parsed mypy stops, which leaves the rest unseen."""
        findings = parse_mypy(output, job=job)
        if output.returncode != _BLOCKED:
            return Reading(findings, sources(output, job=job))
        broken = sorted({finding.path for finding in findings if finding.rule == _SYNTAX})
        if not broken or job.side == "base":
            raise job.failed(f"mypy could not check: {output.last_words or 'it does not say why'}", output)
        stopped = f"mypy stopped at what it cannot parse: {', '.join(broken)}"
        return Reading(findings, frozenset(broken), stopped)

    async def _read(self, job: Job) -> MypyConfig:
        return read_mypy_config(*await self.config(job.context, job.side, job.project))


async def tell_apart(job: Job) -> None:
    """Give the base's changed files a time of their own.

    Mypy takes a file for unchanged when its path, size and time in whole seconds are: both trees were written
    in the same second, and `a - b` is as long as `a + b`.
    """
    head = await job.context.trees.listing("head")
    for path, content in job.listing.items():
        if path in head and head[path] != content and path.endswith((".py", ".pyi")):
            _set_time(job.tree / path)


def _set_time(path: Path) -> None:
    with contextlib.suppress(OSError):  # a submodule, or a link to nowhere
        os.utime(path, (1, 1), follow_symlinks=False)


def _inside(paths: Iterable[str], folder: str) -> list[str]:
    """Paths relative to a folder, without those that are elsewhere."""
    prefix = f"{folder}/" if folder else ""
    return [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]


def _require_json(version: str) -> None:
    found = re.search(r"(\d+)\.(\d+)", version)
    if found is None or tuple(map(int, found.groups())) < _JSON_SINCE:
        wanted = ".".join(map(str, _JSON_SINCE))
        raise ToolUnavailableError(f"{version} does not write JSON; mypy {wanted} or newer is needed")
