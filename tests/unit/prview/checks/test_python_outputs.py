"""What Python's tools print becomes findings, all of it, or an error. The texts were captured from the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.bandit import Bandit
from prview.checks.base import ToolOutputError, ToolUnavailableError
from prview.checks.jobs import Output, Reading
from prview.checks.mypy import Mypy
from prview.checks.pip_audit import read_answer
from prview.checks.pyright import Pyright
from prview.checks.python_pins import Pin
from prview.checks.ruff_format import RuffFormat
from prview.checks.ty import Ty
from support.captured_python import (
    BANDIT,
    CORE,
    MYPY,
    MYPY_LOG,
    MYPY_SYNTAX,
    PIP_AUDIT,
    PIP_AUDIT_NOTHING_KNOWN,
    PIP_AUDIT_OFFLINE,
    PYRIGHT,
    PYRIGHT_NOTHING,
    RUFF_FORMAT,
    TY,
    TY_LOG,
    TY_NOTHING,
)
from support.checking import job_at, said

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.external import ToolCheck

Row = tuple[str, int, int | None, str, str, str]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The project that the captured outputs are about."""
    (tmp_path / "src/pkg").mkdir(parents=True)
    (tmp_path / "src/pkg/core.py").write_text(CORE)
    (tmp_path / "src/pkg/bad.py").write_text("def broken(:\n")
    return tmp_path


def reading(check: ToolCheck, tree: Path, stdout: str, stderr: str = "", *, code: int = 0) -> Reading:
    return check.read(job_at(tree, check=check.id), said(stdout, stderr, code=code, tree=tree))


def rows(read: Reading) -> list[Row]:
    return [(f.path, f.line, f.column, f.rule, f.level.value, f.anchor) for f in read.findings]


def test_mypy(tree: Path) -> None:
    """Its JSON counts columns from 0."""
    read = reading(Mypy(), tree, MYPY, MYPY_LOG, code=1)
    assert rows(read) == [
        ("src/pkg/core.py", 5, 12, "name-defined", "error", "return nowhere"),
        ("src/pkg/core.py", 9, 17, "misc", "note", "reveal_type(cmd)"),
    ]
    assert read.examined == {"src/pkg/__init__.py", "src/pkg/core.py"}
    assert read.findings[0].message == 'Name "nowhere" is not defined'


def test_mypy_stopped_by_syntax(tree: Path) -> None:
    read = reading(Mypy(), tree, MYPY_SYNTAX, MYPY_LOG, code=2)
    assert rows(read) == [("src/pkg/bad.py", 1, 13, "syntax", "error", "def broken(:")]
    assert read.examined == {"src/pkg/bad.py"}
    assert read.unseen == "mypy stopped at what it cannot parse: src/pkg/bad.py"


def test_pyright(tree: Path) -> None:
    """It counts lines and columns from 0, and a syntax error has no rule."""
    read = reading(Pyright(), tree, PYRIGHT, code=1)
    assert rows(read) == [
        ("src/pkg/bad.py", 1, 11, "syntax", "error", "def broken(:"),
        ("src/pkg/core.py", 5, 12, "reportUndefinedVariable", "error", "return nowhere"),
        ("src/pkg/core.py", 9, 17, "information", "note", "reveal_type(cmd)"),
        ("tests/test_x.py", 2, 12, "reportArgumentType", "error", ""),
    ]
    assert "\n" not in read.findings[3].message
    assert "\N{NO-BREAK SPACE}" not in read.findings[3].message


def test_pyright_that_analyzed_nothing_examined_nothing(tree: Path) -> None:
    """It ends with 0, as if all were well."""
    assert reading(Pyright(), tree, PYRIGHT_NOTHING) == Reading()


def test_ty(tree: Path) -> None:
    read = reading(Ty(), tree, TY, TY_LOG, code=1)
    assert rows(read) == [
        ("src/pkg/bad.py", 1, 12, "invalid-syntax", "error", "def broken(:"),
        ("src/pkg/core.py", 5, 12, "unresolved-reference", "error", "return nowhere"),
        ("src/pkg/core.py", 9, 5, "undefined-reveal", "warning", "reveal_type(cmd)"),
        ("src/pkg/core.py", 9, 17, "revealed-type", "note", "reveal_type(cmd)"),
    ]
    assert read.findings[1].message == "Name `nowhere` used when not defined"
    assert read.examined == {"src/pkg/bad.py", "src/pkg/core.py"}


def test_ty_that_found_no_files_examined_nothing(tree: Path) -> None:
    assert reading(Ty(), tree, "[]", TY_NOTHING) == Reading()


def test_bandit(tree: Path) -> None:
    """What is serious and likely is a warning; a file that it could not parse was not examined."""
    read = reading(Bandit(), tree, BANDIT, code=1)
    assert rows(read) == [
        ("src/pkg/core.py", 1, 1, "B404", "note", "import subprocess"),
        ("src/pkg/core.py", 10, 5, "B602", "warning", "subprocess.call(cmd, shell=True)"),
    ]
    assert read.examined == {"src/pkg/core.py"}
    assert read.findings[1].message.endswith("(severity high, confidence high; found by pattern)")


def test_ruff_format(tree: Path) -> None:
    """One note a file, whatever its lines; syntax errors are the linter's."""
    read = reading(RuffFormat(), tree, RUFF_FORMAT, code=2)
    assert rows(read) == [("src/pkg/core.py", 1, None, "unformatted", "note", "")]


def test_a_ruff_that_cannot_say_it_in_json_is_unavailable(tree: Path) -> None:
    words = "error: unexpected argument '--output-format' found\n"
    with pytest.raises(ToolUnavailableError, match="does not write JSON"):
        reading(RuffFormat(), tree, "", words, code=2)


FLASK = (Pin("flask", "0.5", 3),)


def test_pip_audit(tree: Path) -> None:
    """What the service does not know was not audited, although pip-audit ends well."""
    read = read_answer(job_at(tree, check="pip_audit"), said(PIP_AUDIT, code=1), "r.txt", FLASK)
    assert rows(read) == [("r.txt", 3, None, "PYSEC-2019-179", "warning", "flask PYSEC-2019-179")]
    assert read.findings[0].message == (
        "flask 0.5 has a known vulnerability (PYSEC-2019-179, CVE-2019-1010083; fixed in 1.0): "
        "The Pallets Project Flask before 1.0 is affected by unexpected memory usage."
    )
    assert read.unseen == "the advisory service does not know local (r.txt)"


def test_pip_audit_that_knows_none_is_unavailable(tree: Path) -> None:
    answer = said(PIP_AUDIT_NOTHING_KNOWN, "No known vulnerabilities found\n")
    with pytest.raises(ToolUnavailableError, match="knows none of the packages"):
        read_answer(job_at(tree, check="pip_audit"), answer, "r.txt", FLASK)


def test_pip_audit_without_a_network_is_unavailable(tree: Path) -> None:
    with pytest.raises(ToolUnavailableError, match="cannot be reached"):
        read_answer(job_at(tree, check="pip_audit"), said("", PIP_AUDIT_OFFLINE, code=1), "r.txt", FLASK)


@pytest.mark.parametrize("text", ["", "null", "[1]", '{"x": 1}', "All good!\n", PYRIGHT[:200]])
@pytest.mark.parametrize("check", [Pyright(), Ty(), Bandit(), RuffFormat()], ids=lambda check: check.id)
def test_anything_else_is_an_error_and_never_no_findings(tree: Path, check: ToolCheck, text: str) -> None:
    with pytest.raises(ToolOutputError):
        reading(check, tree, text)


@pytest.mark.parametrize("text", ["null", "[1]", '{"x": 1}', "Success: no issues found\n", MYPY[:100]])
def test_lines_that_are_not_mypys_are_an_error(tree: Path, text: str) -> None:
    with pytest.raises(ToolOutputError):
        reading(Mypy(), tree, text)


@pytest.mark.parametrize(
    ("check", "text"),
    [(Mypy(), MYPY), (Pyright(), PYRIGHT), (Ty(), TY), (Bandit(), BANDIT), (RuffFormat(), RUFF_FORMAT)],
    ids=["mypy", "pyright", "ty", "bandit", "ruff_format"],
)
def test_a_file_outside_of_the_tree_is_an_error(tree: Path, check: ToolCheck, text: str) -> None:
    """It would be somebody else's code, or the checkout's."""
    elsewhere = (
        text.replace("@TREE@/src", "/elsewhere/src")
        .replace('"./src', '"/elsewhere/src')
        .replace('"src', '"/elsewhere/src')
    )
    with pytest.raises(ToolOutputError, match="not in the tree"):
        reading(check, tree, elsewhere)


@pytest.mark.parametrize("answer", [said("", "Traceback\nZeroDivisionError", code=1), said("{}", code=0)])
def test_an_answer_that_is_none_is_an_error(tree: Path, answer: Output) -> None:
    with pytest.raises(ToolOutputError):
        read_answer(job_at(tree, check="pip_audit"), answer, "r.txt", FLASK)
