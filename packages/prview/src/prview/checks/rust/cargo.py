"""What the checks that start cargo share: where it is started, and that it writes beside our trees alone."""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import Profile, Skip, ToolUnavailableError
from prview.checks.configured import always, read_toml
from prview.checks.external import ToolCheck
from prview.checks.projects import projects_in
from prview.checks.rust.diagnostics import TARGET
from prview.checks.tools import Tool, contents, find_installed, missing_tool, passed_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Output, Project
    from prview.checks.trees import Side, Trees
    from prview.domain.change import ChangedFile

MANIFEST = "Cargo.toml"
LOCK = "Cargo.lock"
CONFIGS = frozenset({MANIFEST, LOCK, "build.rs", "rust-toolchain", "rust-toolchain.toml"})
_CARGO_SETTINGS = ("config.toml", "config")
_RUSTFMT_SETTINGS = ("rustfmt.toml", ".rustfmt.toml")
HOMES = ("CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN")
MARKERS: Mapping[str, Callable[[str], bool]] = {MANIFEST: always}
_NOT_THERE = (
    "attempting to make an HTTP request, but --offline was specified",
    "failed to load source for dependency",
    "no matching package named",
    "you may need to download",
    "perhaps a crate was updated and forgotten to be re-vendored",
)


class CargoTool(ToolCheck):
    """A subcommand of cargo, started in the folder of every workspace that the change touches.

    It works offline: nothing is downloaded, so packages that are not there are missing. Build scripts and
    procedural macros of the commit are executed by a compilation.
    """

    program = "cargo"
    subcommand: ClassVar[str]
    component: ClassVar[str | None] = None
    compiles: ClassVar[bool] = True
    since = Profile.STANDARD
    suffixes = frozenset({".rs"})
    configs = CONFIGS
    also_read = frozenset({".toml", ".rs", ".lock"})
    variables = HOMES

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The workspaces of the changed files."""
        found = await workspaces(context, self.touches)
        return found or Skip("no Cargo.toml is above the changed files")

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """Everything: cargo compiles packages."""
        del context, project
        return None

    async def find(self, context: CheckContext, project: Project) -> Tool:
        """Cargo as it is installed for the user; which toolchain that is, rustup decides by the tree."""
        del context, project
        cargo = find_installed("cargo")
        if cargo is None:
            raise missing_tool("cargo")
        if self.component and find_beside(self.component, cargo) is None:
            raise ToolUnavailableError(
                f"{self.component} is not installed: add it to the toolchain with rustup"
            )
        return cargo

    @property
    def version_arguments(self) -> tuple[str, ...]:  # type: ignore[override] # a class attribute elsewhere
        """The subcommand's version."""
        return (self.subcommand, "--version") if self.component else ("--version",)

    async def environment(self, job: Job) -> Mapping[str, str]:
        """A target folder of our own."""
        return cargo_environment(job)

    async def outside(self, job: Job) -> str:
        """The toolchains, of which the tree decides which is used, and what the user set for all projects.

        Cargo also reads settings in the folders above the one that it is started in.
        """
        above = (parent / ".cargo" / name for parent in job.tree.parents for name in _CARGO_SETTINGS)
        return f"{toolchains()} {contents(*above)}"

    async def foreign_code(self, job: Job) -> str | None:
        """Compiling runs programs of the packages."""
        del job
        return "build scripts and macros of the reviewed commit" if self.compiles else None

    def not_there(self, output: Output) -> ToolUnavailableError | None:
        """The error when cargo would have had to download something."""
        return missing_packages(output)


def cargo_environment(job: Job) -> dict[str, str]:
    """Where cargo and rustup are at home, and a target folder for this side alone.

    Cargo knows a package by its path inside of the workspace and takes sources for unchanged that are older
    than what it built: in one folder the base would be answered with what the head was compiled to.
    """
    return {
        **passed_on(HOMES),
        "RUSTUP_AUTO_INSTALL": "0",
        "CARGO_TARGET_DIR": str(job.scratch / TARGET),
        "CARGO_TERM_COLOR": "never",
        "CARGO_NET_OFFLINE": "true",
        "CARGO_INCREMENTAL": "0",
    }


def toolchains() -> str:
    """What rustup installed, by the hash that it keeps of each toolchain, and the user's own settings."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    found = hashlib.sha256()
    for path in sorted((home / "update-hashes").glob("*")):
        found.update(f"{path.name}\0{path.read_text('utf-8', 'replace')}\0".encode())
    return f"{found.hexdigest()} {contents(*_settings())}"


def _settings() -> Iterator[Path]:
    """What a user sets for all projects: rustflags and lints of cargo, the style of rustfmt."""
    home = Path.home()
    cargo = Path(os.environ.get("CARGO_HOME") or home / ".cargo")
    yield from (cargo / name for name in _CARGO_SETTINGS)
    yield from (folder / name for folder in (home, home / ".config/rustfmt") for name in _RUSTFMT_SETTINGS)


def missing_packages(output: Output) -> ToolUnavailableError | None:
    """The error of a run that ended because packages would have had to be downloaded."""
    said = output.stderr.decode("utf-8", "replace")
    if any(words in said for words in _NOT_THERE):
        return ToolUnavailableError(
            "the dependencies are not downloaded (prview downloads nothing): run `cargo fetch`",
            log=output.log,
        )
    if "is not installed for the toolchain" in said or "no such command" in said:
        return ToolUnavailableError(output.last_words, log=output.log)
    return None


def find_beside(name: str, cargo: Tool) -> Tool | None:
    """A program of the toolchain: beside cargo, or installed like it."""
    beside = cargo.program.parent / name
    return Tool(name, beside, cargo.origin) if os.access(beside, os.X_OK) else find_installed(name)


async def workspaces(context: CheckContext, touches: Callable[[str], bool]) -> list[Project]:
    """The roots of the workspaces (or single packages) that changed files belong to."""
    folders: dict[str, list[ChangedFile]] = {}
    for file in context.change.files:
        for path in (file.path, file.old_path):
            root = await workspace_root(context.trees, "head", path) if path and touches(path) else None
            if root is not None:
                folders.setdefault(root, []).append(file)
                break
    projects = await projects_in(context, folders, manifests=(MANIFEST,))
    base = await context.trees.listing("base")
    return [
        project
        if project.base_folder is not None and posixpath.join(project.base_folder, MANIFEST) in base
        else type(project)(project.folder, project.files, None)
        for project in projects
    ]


async def workspace_root(trees: Trees, side: Side, path: str) -> str | None:
    """The folder whose Cargo.toml is in charge: the nearest one with a workspace, else the nearest one."""
    listing = await trees.listing(side)
    nearest: str | None = None
    folder = posixpath.dirname(path)
    while True:
        manifest = posixpath.join(folder, MANIFEST)
        if manifest in listing:
            nearest = folder if nearest is None else nearest
            content = await trees.read(side, manifest) or b""
            if "workspace" in (read_toml(content.decode("utf-8", "replace")) or {}):
                return folder
        if not folder:
            return nearest
        folder = posixpath.dirname(folder)
