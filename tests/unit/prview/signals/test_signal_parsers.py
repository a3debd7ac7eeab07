"""No text of a repository breaks a reader: whatever it is, it is read or refused in the reader's own words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prview.signals.comments import comments
from prview.signals.coverage.reports import READERS, ReportError
from prview.signals.definitions import definitions
from prview.signals.dependencies.files import lock_reader, manifest_reader
from prview.signals.dependencies.model import UnreadableError as DependenciesUnreadableError
from prview.signals.hotspots.complexity import complexity
from prview.signals.i18n.keys import UnreadableError, keys
from prview.signals.owners.codeowners import parse_codeowners
from prview.signals.schema.prisma import prisma_operations
from prview.signals.schema.python_migrations import migration_operations
from prview.signals.schema.sql import sql_operations
from prview.signals.script_imports import exports, script_imports
from prview.signals.themes import theme
from prview.signals.unsafe.analyzer import constructs
from prview.signals.unsafe.python import PythonUnreadableError

PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            '"',
            "'",
            "`",
            "\\",
            "\n",
            "  ",
            ":",
            "=",
            ",",
            ";",
            "#",
            "//",
            "/*",
            "*/",
            "--",
            "@",
        ),
        *(
            "import ",
            "from ",
            "export ",
            "def f(",
            "class A",
            "fn ",
            "func ",
            "unsafe",
            "eval(",
            "exec",
            "shell=True",
            "x",
            "1",
        ),
        *(
            "name",
            "version",
            "packages",
            "dependencies",
            "[[package]]",
            '{"packages": {',
            "require (",
            "SF:",
            "DA:1,1",
            "mode:",
        ),
        *(
            "drop table a",
            "alter table a ",
            "model A {",
            "op.drop_table(",
            "msgid ",
            "en:",
            "|",
            "é",
            "\u202e",
            "\0",
            "\t",
            "\r\n",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join))

MANIFESTS = ["pyproject.toml", "requirements.txt", "package.json", "Cargo.toml", "go.mod"]
LOCKS = ["uv.lock", "poetry.lock", "Cargo.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum"]


@pytest.mark.parametrize("path", MANIFESTS)
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_manifests(path: str, text: str) -> None:
    reader = manifest_reader(path)
    assert reader is not None
    with suppress(DependenciesUnreadableError):
        assert all(item.line >= 1 for item in reader(text).requirements)


@pytest.mark.parametrize("path", LOCKS)
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_lock_files(path: str, text: str) -> None:
    reader = lock_reader(path)
    assert reader is not None
    with suppress(DependenciesUnreadableError):
        assert all(item.line >= 1 for item in reader(text).packages)


@pytest.mark.parametrize("name", READERS)
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_coverage_reports(name: str, text: str) -> None:
    with suppress(ReportError):
        READERS[name](text)


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.go", "a.java"])
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_source(path: str, text: str) -> None:
    last = text.count("\n") + text.count("\r") + text.count("\f") + 1
    assert all(1 <= item.line <= last for item in comments(path, text))
    assert all(1 <= item.line <= last for item in definitions(path, text))
    found = complexity(path, text)
    assert found is None or found[0] >= 0
    if path != "a.java":
        with suppress(PythonUnreadableError):
            assert all(1 <= item.line <= last for item in constructs(path, text))


@pytest.mark.parametrize("grammar", ["javascript", "typescript", "tsx"])
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_scripts(grammar: str, text: str) -> None:
    script_imports(text, grammar)
    exports(text, grammar)


@given(text=TEXTS, other=TEXTS)
@settings(max_examples=100, deadline=None)
def test_schemas(text: str, other: str) -> None:
    last = text.count("\n") + 1
    assert all(1 <= item.line <= last for item in sql_operations(text))
    prisma_operations(text, other)
    migration_operations(text)


@pytest.mark.parametrize(
    "path", ["a.json", "a.yml", "a.po", "a.properties", "a.strings", "a.ftl", "strings.xml"]
)
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_translations(path: str, text: str) -> None:
    with suppress(UnreadableError):
        keys(path, text, "en")


@given(text=TEXTS, path=st.text(min_size=1, max_size=40))
@settings(max_examples=100, deadline=None)
def test_owners_and_subjects(text: str, path: str) -> None:
    parse_codeowners(text).owners(path)
    theme(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("$$" + "$a$ " * 50_000, id="open quotes"),
        pytest.param("/* " * 50_000, id="open comments"),
        pytest.param("alter table a " + "add b " * 50_000 + ";", id="one long statement"),
        pytest.param("'" * 99_999, id="strings"),
    ],
)
@pytest.mark.timeout(20)
def test_hostile_sql_takes_one_pass(text: str) -> None:
    assert sql_operations(text) == []


@pytest.mark.timeout(20)
def test_hostile_patterns_of_owners_end() -> None:
    rules = parse_codeowners("**/" * 6 + "x @me\n" + "*" * 200 + "y @me\n")
    assert (rules.owners("a/" * 1000 + "b" * 100), rules.refused) == ((), (2,))


@pytest.mark.timeout(20)
def test_many_constructs_of_one_file_are_read_in_one_pass() -> None:
    text = "eval(x)\n" * 20_000
    assert len(constructs("a.py", text)) == 20_000
