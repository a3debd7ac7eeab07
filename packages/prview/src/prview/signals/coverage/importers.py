"""Tests that import a source file, or hold its tests in it, read from the language."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from prview.domain.breaking.python_names import module_name
from prview.signals.coverage.names import is_test_source, subject
from prview.signals.import_lines import may_need, modules_named
from prview.signals.python_imports import imports, package_of, parse_python
from prview.signals.scan import HeadPass
from prview.signals.script_imports import resolve, script_imports
from prview.signals.syntax import SCRIPTS, grammar_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.signals.own import Own

_RUST_TESTS = re.compile(r"^\s*#\[(?:cfg\(test\)|test|\w+::test)", re.MULTILINE)
_WORD = re.compile(r"\w+")


def importing_tests(own: Own, sources: Iterable[str]) -> tuple[dict[str, list[str]], str | None]:
    """The tests that import each of the sources, and a sentence when not all tests were looked at."""
    wanted = {_module(own, path): path for path in sources}
    dotted = frozenset(name for name, path in wanted.items() if path.endswith(".py"))
    words = frozenset(word.encode() for path in wanted.values() for word in _words(own, path))
    head = HeadPass(own, words, is_test_source)
    found: dict[str, list[str]] = {}
    for test, text in head.files():
        if test.endswith(".py") and not _may_import(own, test, text, dotted):
            continue
        for source in _imported(own, test, text, wanted):
            found.setdefault(source, []).append(test)
    return found, head.cut


def tests_inside(own: Own, path: str) -> bool:
    """Whether a file holds its own tests (Rust), or its package has some (Go)."""
    if path.endswith(".rs"):
        return bool(_RUST_TESTS.search(own.head.text(path) or ""))
    if path.endswith(".go"):
        folder = posixpath.dirname(path)
        return any(name.endswith("_test.go") and posixpath.dirname(name) == folder for name in own.head.paths)
    return False


def _module(own: Own, path: str) -> str:
    """What an import of a source resolves to: a dotted name for Python, else its path."""
    return module_name(path, own.head.paths).dotted if path.endswith(".py") else path


def _words(own: Own, path: str) -> set[str]:
    """Words, one of which every importer has."""
    name = _module(own, path).rpartition(".")[2] if path.endswith(".py") else subject(path)
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return {max(_WORD.findall(text) or [""], key=len) for text in (name, stem)} - {""}


def _may_import(own: Own, test: str, text: str, dotted: frozenset[str]) -> bool:
    """Whether parsing a test can tell anything: that is what costs."""
    return may_need(modules_named(text, package=package_of(test, own.head.paths)), dotted)


def _imported(own: Own, test: str, text: str, wanted: dict[str, str]) -> set[str]:
    if test.endswith(".py"):
        tree = parse_python(text)
        entries = imports(tree, package=package_of(test, own.head.paths)) if tree else []
        names = {entry.module for entry in entries}
        names |= {f"{entry.module}.{entry.name}" for entry in entries if entry.name}
        return {wanted[name] for name in names if name in wanted and wanted[name].endswith(".py")}
    grammar = grammar_of(test)
    if grammar not in SCRIPTS:
        return set()
    targets = [resolve(entry.specifier, test, own.head.paths) for entry in script_imports(text, grammar)]
    return {path for path in targets if path is not None and path in wanted}
