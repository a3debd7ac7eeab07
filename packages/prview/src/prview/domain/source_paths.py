"""What a path says about the role of a file."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

_NOT_SHIPPED = frozenset(
    {
        "__mocks__",
        "__tests__",
        "benches",
        "benchmarks",
        "docs",
        "e2e",
        "examples",
        "fixtures",
        "test",
        "testdata",
        "tests",
    }
)
_TEST_NAME = re.compile(
    r"^(?:test_.*\.py|.*_test\.(?:py|go)|.*_tests?\.rs|conftest\.py|noxfile\.py|setup\.py"
    r"|.*\.(?:test|spec|stories|bench)\.[cm]?[jt]sx?|.*\.config\.[cm]?[jt]s)$"
)


@lru_cache(maxsize=16384)
def is_shipped(path: str) -> bool:
    """Whether others may rely on a source file: not on tests, examples, benchmarks and build files."""
    pure = PurePosixPath(path)
    return _NOT_SHIPPED.isdisjoint(pure.parts[:-1]) and _TEST_NAME.match(pure.name) is None


def nearest(path: str, names: frozenset[str], paths: frozenset[str]) -> str | None:
    """The folder (`""` for the root) nearest above `path` that holds a file of `names`; None without one."""
    for folder in PurePosixPath(path).parents:
        prefix = "" if str(folder) == "." else f"{folder}/"
        if any(f"{prefix}{name}" in paths for name in names):
            return prefix.removesuffix("/")
    return None
