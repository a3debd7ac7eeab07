"""Configuration files as tools read them, closely enough to know whether and where they are configured."""

from __future__ import annotations

import pytest

from prview.checks.configured import below, ini_section, read_jsonc, table, toml_section


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("src", "src/a.py", True),
        ("./src/", "src/a.py", True),
        ("src", "src", True),
        ("src", "srcs/a.py", False),
        (".", "a.py", True),
        ("**/tests", "tests/a.py", True),
        ("**/tests", "a/b/tests/c.py", True),
        ("**/.*", "a/.venv/x.py", True),
        ("**/.*", "a/b.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/er/a.py", True),
        ("a?.py", "ab.py", True),
        ("a+b", "a+b/c.py", True),
    ],
)
def test_globs_of_folders_and_files(pattern: str, path: str, *, matches: bool) -> None:
    assert below(pattern, path) is matches


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{"a": 1, // one\n "b": [1, 2,], }', {"a": 1, "b": [1, 2]}),
        ('{"a": "// no comment", /* x, } */ "b": "/*"}', {"a": "// no comment", "b": "/*"}),
        ('{"a": "q\\" // still"}', {"a": 'q" // still'}),
        ("[1]", None),
        ("{", None),
        ("", None),
    ],
)
def test_json_with_comments(text: str, value: object) -> None:
    assert read_jsonc(text) == value


def test_tables_and_sections() -> None:
    assert table("[tool.x]\na = 1\n", "tool", "x") == {"a": 1}
    assert table("tool = 3\n", "tool", "x") == {}
    assert toml_section("tool", "x")("[tool.x]\n")
    assert not toml_section("tool", "x")("[tool.xy]\n")
    assert ini_section("a", "b")("[c]\n[b]\n")
    assert not ini_section("a")("# [a]\n")
