"""Promises of the tree itself: what git holds, and what it must not."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MEMBERS = sorted(
    path.parent for path in ROOT.glob("*/*/pyproject.toml") if path.parts[-3] in {"packages", "shared"}
)
PYTHON_SOURCES = ("packages", "shared")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that git holds or would take, relative to the root."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return tuple(path for name in listed.split("\0") if name and (ROOT / (path := Path(name))).is_file())


def lines_matching(pattern: str, *, under: tuple[str, ...] = ()) -> list[str]:
    """`file:line: text` of every text line that matches."""
    found = []
    for path in tracked():
        if under and path.parts[0] not in under:
            continue
        text = (ROOT / path).read_bytes().decode(errors="replace")
        lines = enumerate(text.splitlines(), start=1)
        found += [f"{path}:{number}: {line[:120]}" for number, line in lines if re.search(pattern, line)]
    return found


def test_no_file_names_the_host_of_a_package_registry() -> None:
    """Sources come from whatever index the user's own tools are set up for."""
    hosts = "|".join(("py" + "pi", "python" + "hosted", "registry.npm" + "js", "deb." + "debian"))
    assert lines_matching(rf"(?:{hosts})\.(?:org|com)\b") == []


def test_no_file_carries_the_path_of_this_checkout() -> None:
    """What works here only works here."""
    assert len(ROOT.parts) > 2, "a checkout at the root of the file system cannot be told from a plain path"
    assert lines_matching(rf"(?<![\w.]){re.escape(str(ROOT))}\b|/\.pyenv/versions/|/tmp/des" + r"ign/") == []


def test_no_source_promises_what_it_does_not_do() -> None:
    """A stub reads like a feature."""
    stubs = "|".join(("NotImplemented" + "Error", "TO" + "DO:", "FIX" + "ME:", "not implemented " + "yet"))
    assert lines_matching(rf"raise (?:{stubs})|# (?:{stubs})", under=PYTHON_SOURCES) == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    """A test that is left out proves nothing, and looks as if it did. Programs that tests write are their own."""
    tests = [path for path in tracked() if path.parts[0] == "tests" and path.suffix == ".py"]
    found = [f"{path}:{line}" for path in tests for line in _left_out(ast.parse((ROOT / path).read_text()))]
    assert found == []


def _left_out(tree: ast.Module) -> list[int]:
    """Lines that skip a test, expect it to fail, or assert a constant."""
    names = {"pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail", "pytest.skip", "pytest.xfail"}
    marks = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in names
    ]
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    return marks + [
        node.lineno for node in asserts if isinstance(node.test, ast.Constant) and node.test.value
    ]


def test_what_leaves_a_test_out_is_recognised() -> None:
    """The search above finds what it is there for."""
    source = "@pytest.mark.skip\ndef test():\n    pytest.skip('no')\n    assert True\n"
    assert sorted(_left_out(ast.parse(source))) == [1, 3, 4]


@pytest.mark.parametrize(
    "name", ["uv.lock", ".venv/x", "dist/x.whl", "docs/_build/x", "benchmarks/results/x.json"]
)
def test_what_is_made_here_stays_out_of_git(name: str) -> None:
    """uv.lock records download addresses; the others are built."""
    done = subprocess.run(["git", "-C", str(ROOT), "check-ignore", "-q", name], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("member", MEMBERS, ids=lambda path: path.name)
def test_each_package_brings_the_licence_and_its_types(member: Path) -> None:
    """A wheel is all that most users ever see."""
    assert (member / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert list(member.glob("src/*/py.typed"))


def test_the_versions_that_were_tested_are_pinned() -> None:
    """Without a lock file in git, the constraints are what makes two clones alike."""
    manifest = (ROOT / "pyproject.toml").read_text()
    pins = re.findall(r'^  "([A-Za-z0-9._-]+)==[^"]+",$', manifest, re.MULTILINE)
    assert {"mcp", "pydantic", "pydantic-core", "anyio", "click", "playwright", "sqlalchemy", "ruff"} <= set(
        pins
    )
    assert sorted(pins) == pins, "kept in order by `uv run nox -s pin`"


def test_every_python_file_of_a_package_is_small_enough_to_read() -> None:
    """One thing a file; past 400 lines it is two."""
    sources = [path for path in tracked() if path.suffix == ".py" and path.parts[0] in PYTHON_SOURCES]
    assert sources
    sizes = {str(path): len((ROOT / path).read_text().splitlines()) for path in sources}
    assert {path: size for path, size in sizes.items() if size > 400} == {}
