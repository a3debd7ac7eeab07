"""Ruff on both sides of the change.

A project with a ruff configuration is read under it; one without gets only what is wrong in any project
(pyflakes and syntax errors), and no configuration that happens to lie above our folder or in the user's home.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from prview.checks.base import Profile, Seen, Sight, Skip, ToolOutputError
from prview.checks.ruff_output import parse_ruff
from prview.checks.tools import (
    Tool,
    require_tool,
    run_tool,
    tool_environment,
    tool_version,
    transcript,
)
from prview.domain.checks import Kind
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.domain.change import ChangedFile

SUFFIXES = frozenset({".py", ".pyi", ".ipynb"})
CONFIGURATIONS = frozenset({"ruff.toml", ".ruff.toml", "pyproject.toml"})
MAX_ARGUMENTS = 1000
"""Changed files beyond which the whole tree is read: an argument list has a limit, ruff hardly has one."""

MAX_OUTPUT = 256 * 1024 * 1024
"""Bytes of JSON that are accepted from ruff."""


class Ruff:
    """Lints Python files with the project's ruff."""

    id = "ruff"
    name = "Ruff"
    kind = Kind.LINT

    def applies(self, context: CheckContext) -> Skip | None:
        """Python files or ruff's configuration must have changed."""
        touched = any(_is_python(file) or _is_configuration(file) for file in context.change.files)
        return None if touched else Skip("no Python file changed")

    async def look(self, context: CheckContext) -> Sight:
        """Run on the reviewed commit and on the merge base, and compare."""
        tool = require_tool("ruff", context.checkouts)
        run = _Run(tool, context)
        version = await tool_version(tool, cwd=context.scratch, env=run.env)
        head_paths, base_paths = _targets(context)
        head = await run.side("head", await context.trees.head(), head_paths)
        base = await run.side("base", await context.trees.base(), base_paths)
        judged = judge(
            head.findings,
            base.findings,
            renames=context.change.renames,
            added=context.change.added_numbers,
        )
        examined = await run.shown(await context.trees.head(), head_paths)
        changed = {file.path for file in context.change.files}
        return Sight(
            judged=judged,
            examined=frozenset(examined & changed),
            tool=f"{version} ({tool.origin})",
            log=head.log + base.log,
        )


class _Run:
    """One program in one context."""

    def __init__(self, tool: Tool, context: CheckContext) -> None:
        self._tool = tool
        self._scratch = context.scratch
        self._timeout_s = context.timeout_s
        # ruff falls back to a configuration of the user; a review must not depend on who runs it
        nowhere = {"XDG_CONFIG_HOME": str(context.scratch / "no-configuration")}
        self.env: Mapping[str, str] = tool_environment(tool, context.scratch, add=nowhere)

    async def side(self, side: str, tree: Path, paths: Sequence[str]) -> Seen:
        """Return every finding of one tree."""
        if not paths:
            return Seen((), "")
        output = self._scratch / f"ruff-{side}.json"
        arguments = self._arguments(tree, "--output-format=json", "--exit-zero", "--no-cache", "--no-fix")
        completed = await run_tool(
            [*arguments, "--", *paths],
            cwd=tree,
            env=self.env,
            deadline_s=self._timeout_s,
            stdout_to=output,
        )
        log = f"# {side}\n{transcript(completed)}"
        if not completed.ok:
            raise ToolOutputError(
                f"ruff failed on the {side} side (exit code {completed.returncode})", log=log
            )
        return Seen(parse_ruff(_read(output), tree=tree, log=log), log)

    async def shown(self, tree: Path, paths: Sequence[str]) -> set[str]:
        """Return the files that ruff really reads: a project's `exclude` holds for named files, too."""
        if not paths:
            return set()
        arguments = [*self._arguments(tree, "--show-files"), "--", *paths]
        completed = await run_tool(arguments, cwd=tree, env=self.env, deadline_s=self._timeout_s)
        if not completed.ok:
            raise ToolOutputError("ruff --show-files failed", log=transcript(completed))
        lines = completed.stdout.decode("utf-8", "backslashreplace").splitlines()
        return {line.removeprefix(f"{tree}/") for line in lines if line.startswith(f"{tree}/")}

    def _arguments(self, tree: Path, *options: str) -> list[str]:
        own = [] if _configured(tree) else ["--isolated", "--select=E9,F"]
        return [str(self._tool.program), "check", "--force-exclude", *options, *own]


def _targets(context: CheckContext) -> tuple[list[str], list[str]]:
    """Paths to read on either side: changed files when quick, everything otherwise.

    A changed configuration can turn on a rule in any file, so then everything is read, too.
    """
    files = context.change.files
    python = [file for file in files if _is_python(file)]
    reconfigured = any(_is_configuration(file) for file in files)
    if context.profile is not Profile.QUICK or reconfigured or len(python) > MAX_ARGUMENTS:
        return ["."], ["."]
    head = [file.path for file in python if file.exists]
    base = [file.old_path or file.path for file in python if file.status not in {"A", "D"}]
    return head, base


def _is_python(file: ChangedFile) -> bool:
    return PurePosixPath(file.path).suffix in SUFFIXES


def _is_configuration(file: ChangedFile) -> bool:
    return PurePosixPath(file.path).name in CONFIGURATIONS


def _configured(tree: Path) -> bool:
    """Whether the tree configures ruff anywhere."""
    for folder, _, names in os.walk(tree):
        if not {"ruff.toml", ".ruff.toml"}.isdisjoint(names):
            return True
        if "pyproject.toml" in names and _has_section(Path(folder, "pyproject.toml")):
            return True
    return False


def _has_section(path: Path) -> bool:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return True  # ruff will read it, and say itself what is wrong with it
    tool = document.get("tool")
    return isinstance(tool, dict) and "ruff" in tool


def _read(path: Path) -> bytes:
    size = path.stat().st_size
    if size > MAX_OUTPUT:
        raise ToolOutputError(f"ruff wrote {size} bytes of findings, more than {MAX_OUTPUT}")
    return path.read_bytes()
