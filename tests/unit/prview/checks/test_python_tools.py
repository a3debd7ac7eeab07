"""Python's tools on real repositories: ruff is real, the others are stand-ins that print captured output.

A stand-in says what the tree it is started in holds in `said.out` and `said.err`; how the real ones are started
is kept beside it. Pyright, ty, bandit and pip-audit themselves were tried by hand (see captured_python).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from prview.checks.bandit import Bandit
from prview.checks.base import Profile
from prview.checks.pip_audit import PipAudit
from prview.checks.pyright import Pyright
from prview.checks.ruff import Ruff
from prview.checks.ruff_format import RuffFormat
from prview.checks.ty import Ty
from prview.domain.checks import State
from prview.store.cache import ResultCache
from support.captured_python import (
    BANDIT,
    BANDIT_CLEAN,
    CORE,
    PIP_AUDIT,
    PYRIGHT,
    PYRIGHT_CLEAN,
    PYRIGHT_NOTHING,
    TY,
    TY_LOG,
)
from support.checking import Checker, origins, own_programs
from support.prview_project import own_tool
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.checks import CheckResult

pytestmark = pytest.mark.anyio

STAND_IN = """#!/bin/sh
case $1 in --version) echo "$(basename "$0") 9.9"; exit 0;; esac
echo "$@" >>"$0.started"
sed "s|@TREE@|$PWD|g" said.out
test -e said.err && sed "s|@TREE@|$PWD|g" said.err >&2
exit 1
"""
FILES = {"src/pkg/__init__.py": "", "src/pkg/core.py": CORE, "src/pkg/bad.py": "def broken(:\n"}


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\n")
    repo.write("src/pkg/core.py", "X = 1\n").commit("base")
    repo.branch("topic")
    own_programs(repo, "ruff", "python")
    return Checker(repo, tmp_path / "scratch", cache=ResultCache(tmp_path / "cache"))


def stand_in(repo: GitRepo, name: str) -> None:
    """Make `name` a program of the project that says what its tree says."""
    own_tool(repo, name, STAND_IN)


def started(repo: GitRepo, name: str) -> list[str]:
    """The arguments of every start, one text each."""
    return repo.file(f".venv/bin/{name}.started").read_text().splitlines()


def rules(result: CheckResult) -> set[tuple[str, str]]:
    """Rule and origin of what was found."""
    assert result.state is State.EXECUTED, (result.reason, result.log)
    return {(item.finding.rule, item.provenance.value) for item in result.judged}


# --- ruff ---------------------------------------------------------------------------------------------------


async def test_ruff_tells_new_from_old(checker: Checker) -> None:
    """An import that became unused, a name without its import, an error that moved, one in a renamed file."""
    old = {
        "moved.py": "import old_one\n",
        "renamed.py": "import sys\n\n\ndef f():\n    return 1\n",
        "uses.py": "import os\nimport re\n\nprint(os.name, re.I)\n",
        "sub/main.py": "import json\n",
        "main.py": "",
    }
    checker.repo.checkout("main").write_many(old).commit("old")
    checker.repo.branch("later").write("moved.py", "# down\n\nimport old_one\n").rename("renamed.py", "r2.py")
    checker.repo.write("uses.py", "import re\n\nprint(os.name)\n").write("main.py", "import json\n").commit()
    assert origins(await checker.one(Ruff())) == [
        ("main.py", 1, "F401", "introduced"),
        ("moved.py", 3, "F401", "preexisting"),
        ("r2.py", 1, "F401", "preexisting"),
        ("sub/main.py", 1, "F401", "preexisting"),
        ("uses.py", 1, "F401", "introduced"),
        ("uses.py", 3, "F821", "introduced"),
    ]


async def test_ruff_reads_each_project_under_the_nearest_configuration(checker: Checker) -> None:
    checker.repo.write_many(
        {"a/ruff.toml": '[lint]\nselect = ["D100"]\n', "a/x.py": "import os\n", "b/x.py": "import os\n"}
    )
    checker.repo.commit()
    assert origins(await checker.one(Ruff())) == [
        ("a/x.py", 1, "D100", "introduced"),
        ("b/x.py", 1, "F401", "introduced"),
    ]


async def test_ruff_heeds_no_configuration_of_whoever_runs_it(checker: Checker, home: Path) -> None:
    config = home / ".config/ruff/ruff.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[lint]\nselect = ["ALL"]\n')
    (checker.scratch.parent / "ruff.toml").write_text('[lint]\nselect = ["ALL"]\n')
    checker.repo.write("src/pkg/core.py", "def f():\n    return 1\n").commit()
    assert rules(await checker.one(Ruff())) == set()


async def test_ruff_without_configuration_is_what_a_user_sees_and_the_log_shows_it(checker: Checker) -> None:
    checker.repo.write("src/pkg/core.py", "import os, sys\n\n\ndef f(x):\n    return x == None\n").commit()
    plain = await anyio.run_process(
        [
            str(checker.repo.file(".venv/bin/ruff")),
            "check",
            "--isolated",
            "--output-format=concise",
            "src/pkg/core.py",
        ],
        cwd=checker.repo.path,
        check=False,
    )
    seen = [line for line in plain.stdout.decode().splitlines() if line.startswith("src/pkg/core.py:")]
    result = await checker.one(Ruff())
    assert any(not line.split()[1].startswith("F") for line in seen)
    assert sorted(item.finding.rule for item in result.judged) == sorted(line.split()[1] for line in seen)
    for item in result.judged:
        where = f"src/pkg/core.py:{item.finding.line}:{item.finding.column}: {item.finding.rule} "
        assert f"\n{where}{item.finding.message}\n" in result.log


async def test_ruff_that_is_told_to_leave_a_file_out_did_not_look_at_it(checker: Checker) -> None:
    for profile in (Profile.QUICK, Profile.STANDARD):
        checker.profile = profile
        checker.repo.write("ruff.toml", 'exclude = ["gen"]\n').commit("configured")
        checker.repo.write("gen/x.py", f"import os  # {profile}\n").commit("generated")
        result = await checker.one(Ruff(), base="HEAD~1")
        assert (result.state, result.examined) == (State.SKIPPED, frozenset())


async def test_a_changed_configuration_of_ruff_is_never_answered_from_the_cache(checker: Checker) -> None:
    checker.repo.write("src/pkg/core.py", "import os\n").commit()
    assert rules(await checker.one(Ruff())) == {("F401", "introduced")}
    checker.repo.write("src/ruff.toml", '[lint]\nignore = ["F401"]\n').commit()
    assert rules(await checker.one(Ruff())) == set()
    checker.repo.write("src/ruff.toml", 'extend = "../shared.toml"\n').write("shared.toml", "").commit()
    assert rules(await checker.one(Ruff())) == {("F401", "introduced")}
    checker.repo.write("shared.toml", '[lint]\nignore = ["F401"]\n').commit()
    assert rules(await checker.one(Ruff())) == set()


async def test_layout_is_noted_where_the_project_uses_the_formatter(checker: Checker) -> None:
    checker.repo.write("src/pkg/core.py", "X  = 1\n").write("fresh.py", "Y  = 1\n").commit()
    assert (await checker.one(RuffFormat())).reason == "the project does not configure ruff's formatter"
    checker.repo.checkout("main").write("pyproject.toml", "[tool.ruff.format]\n").write(
        "src/pkg/core.py", "X   = 1\n"
    ).commit()
    checker.repo.branch("later").write("src/pkg/core.py", "X  = 1\n").write("fresh.py", "Y  = 1\n").commit()
    result = await checker.one(RuffFormat())
    assert origins(result) == [
        ("fresh.py", 1, "unformatted", "introduced"),
        ("src/pkg/core.py", 1, "unformatted", "preexisting"),
    ]
    assert result.worst_introduced == "note"


# --- stand-ins ----------------------------------------------------------------------------------------------


async def test_pyright_is_compared_with_what_it_said_before(checker: Checker) -> None:
    stand_in(checker.repo, "pyright")
    before = PYRIGHT.replace("nowhere", "somewhere").replace("Undefined", "Unbound")
    checker.repo.checkout("main").write("pyrightconfig.json", '{"include": ["src"]} // all\n')
    checker.repo.write_many(FILES).write("tests/test_x.py").write("said.out", before).commit("old")
    checker.repo.branch("later").write("said.out", PYRIGHT).write("src/pkg/core.py", CORE + "\n").commit()
    result = await checker.one(Pyright())
    assert rules(result) == {
        ("syntax", "preexisting"),
        ("reportUndefinedVariable", "introduced"),
        ("information", "preexisting"),
        ("reportArgumentType", "preexisting"),
    }
    assert result.examined == {"src/pkg/core.py"}
    (first, _) = started(checker.repo, "pyright")
    assert first == f"--outputjson --pythonpath {checker.repo.path}/.venv/bin/python"


async def test_pyright_that_analyzed_no_file_did_not_pass(checker: Checker) -> None:
    stand_in(checker.repo, "pyright")
    checker.repo.write("pyproject.toml", "[tool.pyright]\n").write("said.out", PYRIGHT_NOTHING).write_many(
        FILES
    )
    checker.repo.commit()
    assert (await checker.one(Pyright())).state is State.SKIPPED


async def test_pyright_is_only_asked_about_files_that_the_project_includes(checker: Checker) -> None:
    stand_in(checker.repo, "pyright")
    checker.repo.checkout("main").write("pyproject.toml", '[tool.pyright]\ninclude = ["src"]\n').commit()
    checker.repo.branch("later").write_many(FILES).write("tools/x.py", "").write(
        "said.out", PYRIGHT_CLEAN
    ).commit()
    checker.profile = Profile.QUICK
    result = await checker.one(Pyright())
    assert result.examined == {"src/pkg/__init__.py", "src/pkg/bad.py", "src/pkg/core.py"}
    assert "tools/x.py" not in started(checker.repo, "pyright")[0]


async def test_a_project_of_basedpyright_is_checked_by_it(checker: Checker) -> None:
    stand_in(checker.repo, "pyright")
    stand_in(checker.repo, "basedpyright")
    checker.repo.write("pyproject.toml", "[tool.basedpyright]\n").write("said.out", PYRIGHT_CLEAN).commit()
    result = await checker.one(Pyright())
    assert result.tool == "basedpyright 9.9 (.venv/bin)"


async def test_pyright_says_when_the_checkout_answers_for_the_commit(checker: Checker) -> None:
    stand_in(checker.repo, "pyright")
    packages = checker.repo.path / ".venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    (packages / "_a.pth").write_text(f"{checker.repo.path}/src\n{checker.repo.path}/lib/a\n")
    checker.repo.write("pyproject.toml", "[tool.pyright]\n").write("said.out", PYRIGHT_CLEAN).write(
        "a.py"
    ).commit()
    result = await checker.one(Pyright())
    assert result.unseen == "modules of lib/a are looked up in the checkout, where they are installed from"


async def test_ty_says_itself_what_it_checked(checker: Checker) -> None:
    stand_in(checker.repo, "ty")
    checker.repo.write("ty.toml").write("said.out", TY).write("said.err", TY_LOG).write_many(FILES).commit()
    result = await checker.one(Ty())
    assert ("unresolved-reference", "introduced") in rules(result)
    assert result.examined == {"src/pkg/core.py", "src/pkg/bad.py"}
    assert started(checker.repo, "ty")[0].startswith(
        "check --output-format=gitlab --color=never -vv --python="
    )


async def test_without_a_configuration_no_type_checker_runs(checker: Checker) -> None:
    for name in ("pyright", "ty"):
        stand_in(checker.repo, name)
    checker.repo.write_many(FILES).commit()
    for result in await checker.run(Pyright(), Ty()):
        assert (result.state, result.neutral) == (State.SKIPPED, True)


async def test_a_configured_checker_that_is_missing_is_unavailable(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    checker.repo.write_many(
        {"ty.toml": "", "pyrightconfig.json": "{}", ".bandit": "[bandit]\n", **FILES}
    ).commit()
    results = await checker.run(Pyright(), Ty(), Bandit())
    assert {result.id: result.state for result in results} == dict.fromkeys(
        ("pyright", "ty", "bandit"), State.UNAVAILABLE
    )


async def test_bandit_reads_changed_files_and_blocks_nothing_alone(checker: Checker) -> None:
    stand_in(checker.repo, "bandit")
    checker.repo.checkout("main").write("said.out", BANDIT_CLEAN).commit()
    checker.repo.branch("later").write("said.out", BANDIT).write_many(FILES).commit()
    result = await checker.one(Bandit())
    assert rules(result) == {("B404", "introduced"), ("B602", "introduced")}
    assert result.worst_introduced == "warning"
    assert result.examined == {"src/pkg/core.py"}
    assert result.unseen == "Bandit could not read src/pkg/bad.py"
    assert started(checker.repo, "bandit")[0] == (
        "-f json -q -r src/pkg/__init__.py src/pkg/bad.py src/pkg/core.py"
    )


async def test_bandit_on_somebodys_path_is_no_word_of_the_project(
    checker: Checker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own_tool(checker.repo, "bandit", STAND_IN)
    programs = checker.repo.file(".venv/bin/bandit").rename(tmp_path / "bandit").parent
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    checker.repo.write("README.md", "run bandit-like tools\n").write_many(FILES).commit()
    result = await checker.one(Bandit())
    assert (result.neutral, result.reason) == (True, "the project does not use bandit")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[dependency-groups]\ndev = ["bandit[toml]>=1.8"]\n'),
        ("requirements-dev.txt", "Bandit==1.9.4\n"),
        (".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: bandit\n"),
    ],
)
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "removed by the branch"])
async def test_a_project_that_asks_for_bandit_misses_it(
    checker: Checker, monkeypatch: pytest.MonkeyPatch, path: str, text: str, *, kept: bool
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    checker.repo.checkout("main").write(path, text).commit()
    checker.repo.branch("later").write_many(FILES)
    if not kept:
        checker.repo.write(path, "")
    checker.repo.commit()
    assert (await checker.one(Bandit())).state is State.UNAVAILABLE


# --- pip-audit ----------------------------------------------------------------------------------------------


async def test_advisories_are_asked_for_changed_pins_in_the_deep_profile_alone(checker: Checker) -> None:
    stand_in(checker.repo, "pip-audit")
    checker.repo.write("requirements.txt", "local==1\npip==24.0\nFlask==0.5  # old\nloose>=1\n")
    checker.repo.write("said.out", PIP_AUDIT).commit()
    assert (await checker.one(PipAudit())).reason == "left out by the standard profile"
    checker.profile = Profile.DEEP
    result = await checker.one(PipAudit())
    assert origins(result) == [("requirements.txt", 3, "PYSEC-2019-179", "introduced")]
    assert result.unseen == "the advisory service does not know local (requirements.txt)"
    assert (await checker.one(PipAudit())).cached is False
    assert "--no-deps --disable-pip" in started(checker.repo, "pip-audit")[0]


async def test_a_vulnerability_that_was_there_before_is_preexisting(checker: Checker) -> None:
    stand_in(checker.repo, "pip-audit")
    checker.profile = Profile.DEEP
    checker.repo.checkout("main").write("requirements.txt", "flask==0.5\n").write(
        "said.out", PIP_AUDIT
    ).commit()
    checker.repo.branch("later").write("requirements.txt", "pip==24.0\nflask==0.5\n").commit()
    assert origins(await checker.one(PipAudit())) == [
        ("requirements.txt", 2, "PYSEC-2019-179", "preexisting")
    ]
