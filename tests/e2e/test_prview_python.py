"""A planted branch of a typed Python project, reviewed by the command with the real ruff, mypy and pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.checking import own_programs
from support.prview_project import CORE, project, review
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = '[project]\nname = "pkg"\nversion = "0"\n\n[tool.mypy]\nfiles = ["src"]\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n'
OLD = "import old_one\n\nCOUNT: int = 'many'\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """Old mistakes on main; on the branch, new ones beside them, and the old ones moved and renamed."""
    repo = project(tmp_path / "r")
    repo.checkout("main").write("pyproject.toml", CONFIG).write("src/pkg/stay.py", OLD)
    repo.write("src/pkg/moved.py", OLD.replace("old_one", "json")).write(
        "src/pkg/uses.py", "import os\n\nprint(os.name)\n"
    )
    repo.commit("typed")
    repo.branch("planted").rename("src/pkg/moved.py", "src/pkg/elsewhere.py")
    repo.write("src/pkg/stay.py", f"# one line more\n{OLD}").write("src/pkg/uses.py", "\nprint(os.name)\n")
    repo.write("src/pkg/core.py", f"import sys\n\n\n{CORE}\n\nTOTAL: int = 'all'\n").commit("planted")
    own_programs(repo, "ruff", "mypy", "python")
    return repo


def test_each_planted_mistake_is_found_and_nothing_old_is_new(repo: GitRepo, home: Path) -> None:
    before = snapshot(repo.path)
    done = review(repo, home=home)
    found = {
        (item["path"], item["line"], item["rule"]): item["provenance"]
        for check in ("ruff", "mypy")
        for item in done.stored(f"20_quality/{check}.result.json")["findings"]
        if item["level"] != "note"
    }
    new = {place for place, provenance in found.items() if provenance == "introduced"}
    assert new == {
        ("src/pkg/core.py", 1, "ruff/F401"),
        ("src/pkg/core.py", 8, "mypy/assignment"),
        ("src/pkg/uses.py", 2, "ruff/F821"),
        ("src/pkg/uses.py", 2, "mypy/name-defined"),
    }
    assert found.keys() - new >= {
        ("src/pkg/stay.py", 2, "ruff/F401"),
        ("src/pkg/stay.py", 4, "mypy/assignment"),
        ("src/pkg/elsewhere.py", 1, "ruff/F401"),
        ("src/pkg/elsewhere.py", 3, "mypy/assignment"),
    }
    assert done.json["verdict"] == "BLOCK"
    assert snapshot(repo.path) == before


def test_a_verdict_says_which_run_its_evidence_comes_from(repo: GitRepo, home: Path) -> None:
    first = review(repo, "--quick", home=home).json["run_id"]
    again = review(repo, "--quick", home=home)
    for check in ("ruff", "mypy"):
        entry = again.gate(check)
        assert entry["cached"] is True
        assert entry["reason"].endswith(f"; reused from run {first}")
    repo.write("src/pkg/core.py", CORE + "\n").commit("repaired")
    repaired = review(repo, "--quick", home=home)
    assert repaired.gate("mypy")["cached"] is False
    assert not any(
        item["path"] == "src/pkg/core.py"
        for item in repaired.stored("20_quality/mypy.result.json")["findings"]
    )
