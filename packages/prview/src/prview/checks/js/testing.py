"""Vitest and Jest: the tests of JavaScript, from exported trees with the packages of the checkout."""

from __future__ import annotations

import json
import posixpath
import re
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import Skip
from prview.checks.configured import Configurations, always, configured_projects
from prview.checks.js.locks import MANIFEST
from prview.checks.js.modules import link_packages, other_packages, require_packages
from prview.checks.js.test_report import read_report
from prview.checks.js.tool import package, version_number
from prview.checks.js.workspaces import parts
from prview.checks.projects import projects_in
from prview.checks.suites.check import SuiteCheck, within
from prview.checks.suites.gone import dropped, removed, removed_tests

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Project
    from prview.checks.suites.outcomes import Case, Run
    from prview.domain.findings import Judged

_TEST = re.compile(r"(?:\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/.*\.[cm]?[jt]sx?$)")
_MAYBE = re.compile(
    r"(?:^|/)(?:tests?|specs?)/.*\.[cm]?[jt]sx?$|(?:^|[/._-])(?:tests?|specs?)[._-](?:[^/]*\.)?[cm]?[jt]sx?$"
)
_PLACES_SINCE = (3, 1)
"""The version of Vitest since when its command line can ask for the places of tests."""
_ENDS = ("js", "mjs", "cjs", "ts", "mts", "cts")


class JsTests(SuiteCheck):
    """A runner that writes Jest's report."""

    languages = frozenset({"JavaScript", "TypeScript"})
    markers: ClassVar[Mapping[str, Callable[[str], bool]]]

    def is_test(self, path: str) -> bool:
        """As the runners do unless a project names others."""
        return _TEST.search(path) is not None

    def may_be_test(self, path: str) -> bool:
        """In folders and by names that projects use whose configuration names others."""
        return self.is_test(path) or _MAYBE.search(path) is not None

    def configures(self, path: str) -> bool:
        """Its own configuration, and the manifest."""
        return posixpath.basename(path) in self.markers

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Where it is configured, if there are tests below."""
        found = await self._users(context, await configured_projects(context, self.markers, self.concerns))
        tests = [path for path in context.paths if self.may_be_test(path)]
        with_tests = [
            project
            for project in found
            if any(path.startswith(f"{project.folder}/" if project.folder else "") for path in tests)
        ]
        return with_tests or Skip(f"the project does not use {self.name}")

    async def gone(self, context: CheckContext, projects: Sequence[Project]) -> list[Judged]:
        """Those that the runner ran before: files that are removed, and such as nothing configures now."""
        files = context.change.files
        old_names = {new: old for old, new in context.change.renames.items()}
        head = Configurations(context.trees, "head", self.markers)
        base = Configurations(context.trees, "base", self.markers)
        found = removed_tests(files, self.is_test)
        lost = [path for path in found if not within(projects, path) and await base.above(path) is not None]
        left: dict[str, list[str]] = {}
        if any(self.configures(old) for file in files for old in (file.old_path or file.path,)):
            listing = await context.trees.listing("base")
            for path in filter(self.is_test, context.paths):
                old = old_names.get(path, path)
                config = await base.above(old) if old in listing else None
                if config is not None and await head.above(path) is None:
                    left.setdefault(config, []).append(path)
        more = [
            dropped(config, paths, check=self.id, name=self.name, there=config in context.paths)
            for config, paths in sorted(left.items())
        ]
        return [*removed(lost, check=self.id), *more]

    async def _users(self, context: CheckContext, found: Sequence[Project]) -> list[Project]:
        """With the suites of those packages of the workspace that use the changed ones."""
        if not found:
            return []
        known = await parts(context)
        configurations = Configurations(context.trees, "head", self.markers)
        changed = {project.folder for project in found}
        users = known.users({known.package_of(folder) for folder in changed})
        also = {folder for folder in users - changed if await configurations.of(folder)}
        added = await projects_in(context, dict.fromkeys(also, ()), manifests=self.markers)
        return sorted([*found, *added], key=lambda project: project.folder)

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Nothing is watched, and no snapshot written."""
        del job
        return {"CI": "true", "FORCE_COLOR": "0"}

    async def incomparable(self, job: Job) -> str | None:
        """The merge base under other packages is another program."""
        return await other_packages(job)

    async def execute(self, job: Job, only: Mapping[str, Sequence[Case]] | None) -> Run:
        """Run, and read the report."""
        await require_packages(job)
        await link_packages(job)
        report = job.scratch / f"report-{len(job.log)}.json"
        files = [posixpath.relpath(path, job.project or ".") for path in sorted(only or ())]
        output = await job.run(self.command(job, report, files))
        data = report.read_bytes() if report.exists() else b""
        return read_report(job, output, data, tool=self.name)

    @abstractmethod
    def command(self, job: Job, report: Path, files: Sequence[str]) -> list[str]:
        """The command line for everything, or for some files."""


def uses(name: str) -> Callable[[str], bool]:
    """For a `package.json` that depends on a runner, configures it, or starts it in a script."""

    def found(text: str) -> bool:
        data = package(text)
        tables = [data.get(key) for key in ("dependencies", "devDependencies")]
        scripts = data.get("scripts")
        started = isinstance(scripts, dict) and re.search(rf"\b{name}\b", json.dumps(scripts)) is not None
        return name in data or started or any(isinstance(table, dict) and name in table for table in tables)

    return found


class Vitest(JsTests):
    """Vitest; its caches stay in the exported tree."""

    id = "vitest"
    name = "Vitest"
    program = "vitest"
    markers: ClassVar[Mapping[str, Callable[[str], bool]]] = {
        **dict.fromkeys(
            [f"vitest.{kind}.{end}" for kind in ("config", "workspace") for end in _ENDS], always
        ),
        MANIFEST: uses("vitest"),
    }

    def command(self, job: Job, report: Path, files: Sequence[str]) -> list[str]:
        """Once, with places; coverage has thresholds, which are no test."""
        options = ["--reporter=json", f"--outputFile={report}", "--coverage.enabled=false", "--bail=0"]
        places = ["--includeTaskLocation"] if version_number(job.version) >= _PLACES_SINCE else []
        return [str(job.tool.program), "run", *options, *places, *files]


class Jest(JsTests):
    """Jest; its cache stays in our folder."""

    id = "jest"
    name = "Jest"
    program = "jest"
    markers: ClassVar[Mapping[str, Callable[[str], bool]]] = {
        **dict.fromkeys([f"jest.config.{end}" for end in (*_ENDS, "json")], always),
        MANIFEST: uses("jest"),
    }

    def command(self, job: Job, report: Path, files: Sequence[str]) -> list[str]:
        """Once, with places; coverage has thresholds, which are no test."""
        options = ["--ci", "--json", f"--outputFile={report}", "--testLocationInResults", "--coverage=false"]
        usual = ["--bail=0", "--watchman=false", f"--cacheDirectory={job.scratch / 'jest'}"]
        named = ["--runTestsByPath", *files] if files else []
        return [str(job.tool.program), *options, *usual, *named]
