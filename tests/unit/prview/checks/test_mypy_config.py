"""What a project has mypy check, read as mypy reads it."""

from __future__ import annotations

import pytest

from prview.checks.mypy_config import (
    MARKERS,
    MypyConfig,
    own_plugin,
    read_mypy_config,
    usual_targets,
)


@pytest.mark.parametrize(
    ("name", "text", "configures"),
    [
        ("pyproject.toml", "[tool.mypy]\n", True),
        ("pyproject.toml", "[tool.mypy]", True),
        ("pyproject.toml", "[[tool.mypy.overrides]]\nmodule = 'x'\n", True),
        ("pyproject.toml", "[tool.ruff]\n", False),
        ("pyproject.toml", "[tool.mypy\n", True),  # broken: mypy says so itself
        ("pyproject.toml", "[tool\n", False),
        ("setup.cfg", "[metadata]\n\n[mypy]\n", True),
        ("setup.cfg", "[mypy-foreign.*]\n", False),
        ("mypy.ini", "[mypy]\n", True),
    ],
)
def test_a_file_configures_mypy_by_its_section(name: str, text: str, *, configures: bool) -> None:
    assert MARKERS[name](text) is configures


TOML = """[tool.mypy]
files = ["src", "tests/**/*.py"]
exclude = ["^src/gen/", "_pb2"]
plugins = ["pydantic.mypy", "tool/p.py"]
"""
INI = """[mypy]
files = src, tests/**/*.py
exclude = (?x)(^src/gen/|_pb2)
plugins = pydantic.mypy,
    tool/p.py
[mypy-x.*]
ignore_errors = True
"""


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", TOML), ("mypy.ini", INI)])
def test_both_spellings_say_the_same(name: str, text: str) -> None:
    config = read_mypy_config(name, text)
    assert (config.files, config.plugins) == (("src", "tests/**/*.py"), ("pydantic.mypy", "tool/p.py"))
    covered = {
        "src/a.py": True,
        "src/deep/a.py": True,
        "tests/a.py": True,
        "tests/deep/a.py": True,
        "src/gen/a.py": False,
        "src/x_pb2.py": False,
        "srcs/a.py": False,
        "other.py": False,
    }
    assert {path: config.covers(path) for path in covered} == covered


@pytest.mark.parametrize(
    "text", ["", "[tool.mypy", "tool = 1", "[tool]\nmypy = 3\n", "[tool.mypy]\nfiles = 3\n"]
)
def test_what_cannot_be_read_states_nothing(text: str) -> None:
    assert read_mypy_config("pyproject.toml", text) == MypyConfig()
    assert read_mypy_config("mypy.ini", text) == MypyConfig()


def test_packages_and_modules_are_found_below_any_folder() -> None:
    config = MypyConfig(packages=("app.core",), modules=("tool",))
    paths = ("src/app/core/x.py", "app/core/__init__.py", "src/tool.py", "app/other.py", "tooling.py")
    assert [config.covers(path) for path in paths] == [True, True, True, False, False]


def test_a_pattern_that_is_none_excludes_nothing() -> None:
    assert MypyConfig(exclude=("(",)).covers("a.py")


@pytest.mark.parametrize(
    ("paths", "targets"),
    [
        (["src/a.py", "tests/t.py"], ("src",)),
        (["app/__init__.py", "lib/__init__.py", "tests/__init__.py", "docs/conf.py"], ("app", "lib")),
        (["a.py"], (".",)),
        (["tests/__init__.py"], (".",)),
    ],
)
def test_where_nothing_says_what_to_check_it_is_the_shipped_code(
    paths: list[str], targets: tuple[str, ...]
) -> None:
    assert usual_targets(paths) == targets


@pytest.mark.parametrize(
    ("plugin", "found"),
    [
        ("tool/p.py", "tool/p.py"),
        ("own.plugin", "src/own/plugin.py"),
        ("own.plugin:entry", "src/own/plugin.py"),
        ("pydantic.mypy", None),
    ],
)
def test_a_plugin_of_the_tree_is_told_from_an_installed_one(plugin: str, found: str | None) -> None:
    assert own_plugin(MypyConfig(plugins=(plugin,)), {"src/own/plugin.py", "tool/p.py"}) == found
