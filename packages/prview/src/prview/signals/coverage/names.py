"""Which test belongs to which source file, judged by names and folders (pure)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.coverage import language
from prview.domain.source_paths import is_shipped
from prview.signals.roles import is_test, is_test_module

if TYPE_CHECKING:
    from collections.abc import Iterable

_TEST_WORDS = re.compile(r"^(?:test[_-])|(?:[._-](?:tests?|spec|cy|e2e)|(?<=[a-z0-9])(?:Tests?|Spec|IT))$")
_JOINTS = re.compile(r"[_-]")
_FOLDER_FILES = frozenset({"__init__", "__main__", "index", "mod", "lib", "main"})
_COMMON = frozenset(
    {
        *("src", "lib", "test", "tests", "__tests__", "spec", "specs", "unit", "integration", "packages"),
        *("apps", "app", "e2e", "java", "main", "kotlin", "python", "internal", "pkg", "cmd"),
    }
)


def subject(path: str) -> str:
    """What a file is about: its name without endings and test words; its folder's name for an index file."""
    pure = PurePosixPath(path)
    stem = pure.name.split(".")[0] if pure.name.count(".") > 1 else pure.stem
    if stem in _FOLDER_FILES and pure.parent.name:
        stem = pure.parent.name
    return _TEST_WORDS.sub("", stem).strip("_-.").lower() or stem.lower()


def is_source(path: str) -> bool:
    """Whether a file is shipped code that tests can be about; declarations and stubs are not."""
    return language(path) is not None and is_shipped(path) and not is_test(path) and not _is_declaration(path)


def is_test_source(path: str) -> bool:
    """Whether a file holds tests."""
    if language(path) is None:
        return False
    integration = path.endswith(".rs") and "tests" in PurePosixPath(path).parts
    return is_test_module(path) or "__tests__" in path or integration


class Names:
    """All tests of a tree, and how often each subject occurs among its sources."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._tests: dict[str, list[str]] = defaultdict(list)
        self._sources: Counter[str] = Counter()
        self._all: list[str] = []
        for path in sorted(paths):
            if is_test_source(path):
                for about in _beginnings(subject(path)):
                    self._tests[about].append(path)
                self._all.append(path)
            elif is_source(path):
                self._sources[subject(path)] += 1

    @property
    def tests(self) -> list[str]:
        """The tests of the tree, in order."""
        return self._all

    def of(self, path: str) -> list[str]:
        """Tests named after a source file; where several sources share the name, those in mirrored folders.

        `test_cart_totals` is about `cart`, too, unless there is a source of the longer name.
        """
        name = subject(path)
        found = [
            test
            for test in self._tests[name]
            if _language(test) == _language(path)
            and (subject(test) == name or subject(test) not in self._sources)
        ]
        if self._sources[name] <= 1:
            return sorted(found)
        return sorted(test for test in found if _mirrored(path, test))


def _beginnings(name: str) -> list[str]:
    """`cart_totals` begins with `cart`: what a test of that name may be about, itself included."""
    return [name, *(name[: match.start()] for match in _JOINTS.finditer(name))]


def _language(path: str) -> str | None:
    """JavaScript and TypeScript test each other."""
    found = language(path)
    return "JavaScript" if found == "TypeScript" else found


def _mirrored(path: str, test: str) -> bool:
    """Whether the folders of both have a telling name in common, or they lie side by side."""
    ours, theirs = PurePosixPath(path).parent, PurePosixPath(test).parent
    if ours in {theirs, theirs.parent}:
        return True
    return bool((set(ours.parts) & set(theirs.parts)) - _COMMON) and _last(ours) in theirs.parts


def _last(folder: PurePosixPath) -> str:
    """The name of a folder, or of the one above where its own says nothing."""
    return next((part for part in reversed(folder.parts) if part not in _COMMON), "")


def _is_declaration(path: str) -> bool:
    return path.endswith((".pyi", ".ipynb", ".d.ts", ".d.mts", ".d.cts", ".h", ".hpp"))
