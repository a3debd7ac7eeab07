"""What the checks of Go share: one project a module, nothing downloaded, nothing written to the tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import Profile, Skip, ToolUnavailableError
from prview.checks.external import ToolCheck
from prview.checks.projects import projects_by_manifest
from prview.checks.tools import contents, passed_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Output, Project

MANIFEST = "go.mod"
HOMES = ("GOPATH", "GOMODCACHE", "GOCACHE", "GOROOT", "GOPRIVATE", "GONOSUMDB")
_NOT_THERE = ("module lookup disabled by GOPROXY=off", "cannot find module providing package")
_TOOLCHAIN = ("requires go >=", "toolchain not available", "invalid go version")


class GoTool(ToolCheck):
    """Started in the folder of the nearest `go.mod`. Go compiles, and runs nothing of the module for that."""

    since = Profile.STANDARD
    suffixes = frozenset({".go"})
    configs: ClassVar[frozenset[str]] = frozenset({MANIFEST, "go.sum", "go.work"})
    also_read = frozenset({".go", ".s", ".h", ".c", "go.mod", "go.sum", "go.work"})
    manifests = frozenset({MANIFEST})
    version_arguments = ("version",)
    variables = HOMES

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The modules of the changed files."""
        found = await modules(context, self)
        return found or Skip("no go.mod is above the changed files")

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """Everything: Go compiles packages."""
        del context, project
        return None

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Offline, with the caches of the user, which are by content."""
        del job
        return go_environment()

    async def outside(self, job: Job) -> str:
        """What the user set for all projects."""
        del job
        return go_settings()

    def sources(self, job: Job) -> frozenset[str]:
        """The Go files of the module."""
        prefix = f"{job.project}/" if job.project else ""
        return frozenset(path for path in job.listing if path.startswith(prefix) and path.endswith(".go"))


def go_settings() -> str:
    """A digest of what `go env -w` set."""
    return contents(Path.home() / ".config/go/env")


def go_environment() -> dict[str, str]:
    """No toolchain and no module is fetched, and `go.mod` stays as it is."""
    return {**passed_on(HOMES), "GOFLAGS": "-buildvcs=false", "GOPROXY": "off", "GOTOOLCHAIN": "local"}


async def modules(context: CheckContext, check: GoTool) -> list[Project]:
    """The folders of the modules; a file without one above it belongs to none."""
    found = await projects_by_manifest(context, manifests=check.manifests, concerns=check.touches)
    base = await context.trees.listing("base")
    return [
        type(project)(project.folder, project.files, _there(project.base_folder, base))
        for project in found
        if _manifest(project.folder) in context.paths
    ]


def _there(folder: str | None, listing: Mapping[str, str]) -> str | None:
    return folder if folder is not None and _manifest(folder) in listing else None


def _manifest(folder: str) -> str:
    return f"{folder}/{MANIFEST}" if folder else MANIFEST


def missing_modules(output: Output) -> ToolUnavailableError | None:
    """The error of a run that would have had to download something."""
    said = (output.stderr + output.stdout).decode("utf-8", "replace")
    for words in _NOT_THERE:
        if words in said and "GOPROXY=off" in said:
            return ToolUnavailableError(
                "modules are not downloaded (prview downloads nothing): run `go mod download`", log=output.log
            )
    if any(words in said for words in _TOOLCHAIN):
        return ToolUnavailableError(f"this Go is too old: {output.last_words}", log=output.log)
    return None
