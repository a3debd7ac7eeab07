"""Tests that are left out, expected to fail, or the only ones to run."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.python_imports import parse_python
from prview.signals.roles import is_test
from prview.signals.suppressions.model import Suppression, with_words
from prview.signals.unsafe.python_names import dotted, imported_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RULE = "tests"
_SKIPS = "keeps a test from running"
_FAILS = "lets a test fail"
_ONLY = "keeps every other test of the file from running"
_PYTHON = {
    **dict.fromkeys(("pytest.mark.skip", "pytest.mark.skipif", "pytest.skip"), _SKIPS),
    **dict.fromkeys(("pytest.mark.xfail", "pytest.xfail", "unittest.expectedFailure"), _FAILS),
    **dict.fromkeys(("unittest.skip", "unittest.skipIf", "unittest.skipUnless"), _SKIPS),
}
_BY_PATTERN: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "script": (
        (
            re.compile(
                r"\b(?:it|test|describe|suite|context|bench)(?:\.\w+)*\.(?:skip|todo|fixme|skipIf|runIf)\b"
            ),
            _SKIPS,
        ),
        (re.compile(r"(?<![.\w])(?:xit|xtest|xdescribe)\s*\("), _SKIPS),
        (
            re.compile(
                r"\b(?:it|test|describe|suite|context)(?:\.\w+)*\.only\b|(?<![.\w])(?:fit|fdescribe)\s*\("
            ),
            _ONLY,
        ),
        (re.compile(r"\b(?:it|test)(?:\.\w+)*\.(?:fails|failing)\b"), _FAILS),
    ),
    "go": ((re.compile(r"\b[tb]\.Skip(?:f|Now)?\s*\("), _SKIPS),),
    "rust": ((re.compile(r"^\s*#\[ignore\b"), _SKIPS),),
}
_FAMILY = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), "script"),
    ".go": "go",
    ".rs": "rust",
}
_WORDS = (
    "kip",
    "xfail",
    "expectedFailure",
    ".only",
    ".todo",
    ".fixme",
    ".fail",
    "xit",
    "xtest",
    "xdesc",
    "fit",
    "fdesc",
    "[ignore",
    "runIf",
    "collect",
)
_COLLECTION = re.compile(
    r"\s*(?:collect_ignore(?:_glob)?\b|(?:async\s+)?def\s+pytest_(?:collection_modifyitems|ignore_collect)\b)"
)
_LINE = re.compile(
    r"\b(?:skip(?:if|If|Unless)?|[tb]\.Skip(?:f|Now)?|xfail|expectedFailure|only|todo|fixme|runIf|fails|failing)\b"
    r"|\b(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(|\[ignore\b"
    r"|\bcollect_ignore|\bpytest_(?:collection_modifyitems|ignore_collect)\b"
)


def skipping(lines: Sequence[str]) -> list[str]:
    """The lines that have a word of a skipped test: cheap, and never too few."""
    return [line for line in with_words(lines, _WORDS) if _LINE.search(line)]


def skipped_tests(path: str, text: str) -> list[Suppression]:
    """Every mark and call that keeps a test of this file from counting."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".py":
        left_out = list(_of_conftest(text)) if is_suite_settings(path) else []
        return left_out + (list(_of_python(text)) if "pytest" in text or "unittest" in text else [])
    family = _FAMILY.get(suffix)
    if family is None or not (is_test(path) or family == "rust"):
        return []
    return [
        Suppression(RULE, number, match.group().strip(), what, read=False)
        for number, line in enumerate(text.split("\n"), 1)
        for pattern, what in _BY_PATTERN[family]
        if (match := pattern.search(line)) and not line.lstrip().startswith(("//", "*", "/*"))
    ]


def is_suite_settings(path: str) -> bool:
    """Whether a file decides which tests pytest collects."""
    return PurePosixPath(path).name == "conftest.py"


def _of_conftest(text: str) -> Iterator[Suppression]:
    for number, line in enumerate(text.split("\n"), 1):
        if match := _COLLECTION.match(line):
            yield Suppression(RULE, number, match.group().strip(), "decides which tests are run", read=False)


def _of_python(text: str) -> Iterator[Suppression]:
    tree = parse_python(text)
    if tree is None:
        return
    names = imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            name = dotted(node, names) or ""
            if name in _PYTHON:
                yield Suppression(RULE, node.lineno, name, _PYTHON[name])
