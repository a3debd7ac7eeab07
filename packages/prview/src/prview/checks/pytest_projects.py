"""Which test suites a change concerns: the nearest one above every changed file, each in its own folder."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.checks.base import Profile
from prview.checks.configured import (
    Configurations,
    always,
    ini_section,
    read_ini,
    strings,
    table,
    toml_section,
)
from prview.checks.projects import projects_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project

_PATTERNS = "python_files"
_TEST_FILE = re.compile(r"^(test_.*|.*_test)\.py$")
MARKERS: Mapping[str, Callable[[str], bool]] = {
    "pytest.toml": always,
    ".pytest.toml": always,
    "pytest.ini": always,
    ".pytest.ini": always,
    "pyproject.toml": toml_section("tool", "pytest"),
    "tox.ini": ini_section("pytest"),
    "setup.cfg": ini_section("tool:pytest"),
}
"""What makes a folder the root of a test suite, in pytest's order (its documentation, "rootdir")."""

_MANIFESTS: Mapping[str, Callable[[str], bool]] = dict.fromkeys(
    ("pyproject.toml", "setup.py", "setup.cfg"), always
)


def is_test(path: str) -> bool:
    """Whether pytest looks for tests in a file of this name, unless the project names others."""
    return _TEST_FILE.match(PurePosixPath(path).name) is not None


async def test_files(context: CheckContext) -> frozenset[str]:
    """The head's files that pytest looks for tests in, by its own rule and by `python_files` of the project.

    Patterns of one configuration hold for the whole repository here: a file too many costs a look at nothing.
    """
    marked = [path for path in context.paths if PurePosixPath(path).name in MARKERS]
    patterns: set[str] = set()
    for path, (_, content) in (await context.trees.contents("head", marked)).items():
        patterns |= _named(path, content.decode("utf-8", "replace"))
    return frozenset(
        path
        for path in context.paths
        if is_test(path) or any(_matches(path, pattern) for pattern in patterns)
    )


def _named(path: str, text: str) -> set[str]:
    """The patterns of `python_files` in a configuration."""
    if path.endswith(".toml"):
        tables = [table(text, "tool", "pytest", "ini_options"), table(text, "tool", "pytest")]
        tables += (
            [table(text, "pytest")] if PurePosixPath(path).name in {"pytest.toml", ".pytest.toml"} else []
        )
        values = [strings(options.get(_PATTERNS)) for options in tables]
        return {word for value in values for part in value for word in part.split()}
    parser = read_ini(text)
    sections = ("pytest", "tool:pytest")
    return {
        word
        for section in sections
        if parser is not None and parser.has_option(section, _PATTERNS)
        for word in parser.get(section, _PATTERNS).split()
    }


def _matches(path: str, pattern: str) -> bool:
    """As pytest does: a pattern without a folder is one for the name."""
    if not path.endswith(".py"):
        return False
    return fnmatch(
        path if "/" in pattern else PurePosixPath(path).name, f"*{pattern}" if "/" in pattern else pattern
    )


async def test_projects(context: CheckContext, tests: frozenset[str]) -> list[Project]:
    """Where to start pytest, inner folders first; every suite that has `tests` in the deep profile."""
    suites = _Suites(context, tests)
    changed = [path for file in context.change.files for path in (file.path, file.old_path) if path]
    concerned = tests if context.profile is Profile.DEEP else changed
    found = {await suites.above(path) for path in concerned}
    projects = await projects_in(context, dict.fromkeys(found, ()), manifests=(*MARKERS, *_MANIFESTS))
    return sorted(
        projects, key=lambda project: (-project.folder.count("/") - bool(project.folder), project.folder)
    )


class _Suites:
    """Suites by the folders they begin in."""

    def __init__(self, context: CheckContext, tests: Iterable[str]) -> None:
        self._tested = _folders_above(tests)
        self._configured = Configurations(context.trees, "head", MARKERS)
        self._manifests = Configurations(context.trees, "head", _MANIFESTS)

    async def above(self, path: str) -> str:
        """The nearest folder that has tests and is a project; one that configures pytest is preferred."""
        folders = [str(folder) for folder in PurePosixPath(path).parents]
        tested = [
            folder for folder in ("" if name == "." else name for name in folders) if folder in self._tested
        ]
        for configurations in (self._configured, self._manifests):
            for folder in tested:
                if await configurations.of(folder) is not None:
                    return folder
        return ""


def _folders_above(paths: Iterable[str]) -> frozenset[str]:
    found = {
        "" if str(folder) == "." else str(folder) for path in paths for folder in PurePosixPath(path).parents
    }
    return frozenset(found)
