"""One branch with one of every mistake, beside old ones of the same kinds: each is caught, located, and new or old.

The real ruff, mypy, pytest and bandit run, as the project's own programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.checking import own_programs
from support.prview_project import Outcome, project, review
from support.repos import GitRepo, snapshot
from support.secret_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = """\
[project]
name = "pkg"
version = "0"
dependencies = [
{}]

[tool.bandit]
exclude_dirs = ["tests"]

[tool.mypy]
files = ["src"]

[tool.ruff.lint]
select = ["F"]

[tool.pytest.ini_options]
pythonpath = ["src"]
"""
SHOP = '''\
"""What others import."""


def price(count: int) -> int:
    return 2 * count


def discount(count: int) -> int:
    return count
'''
STAY = (
    "import json\nimport subprocess\n\nCOUNT: int = 'many'\nsubprocess.run(input(), shell=True)\nKEY = '{}'\n"
)
USES = "import os\n\n\ndef name() -> str:\n    return os.name\n"
PRICE_TEST = "from pkg.shop import price\n\n\ndef test_price():\n    assert price(2) == 4\n"
RED_TEST = "def test_red():\n    assert 1 == 2\n"


@pytest.fixture
def planted(tmp_path: Path) -> GitRepo:
    """Old mistakes on main; the branch adds its own, shifts the old ones and breaks a test."""
    repo = project(tmp_path / "r")
    repo.checkout("main").write_many(
        {
            "pyproject.toml": SETTINGS.format('  "click",\n'),
            "src/pkg/shop.py": SHOP,
            "src/pkg/stay.py": STAY.format(SAMPLES["gitlab-token"]),
            "src/pkg/uses.py": USES,
            "src/pkg/old_name.py": "def helper() -> int:\n    return 1\n",
            "src/pkg/importer.py": "from pkg.old_name import helper\n\nprint(helper())\n",
            "tests/test_shop.py": PRICE_TEST,
            "tests/test_red.py": RED_TEST,
        }
    )
    repo.commit("base")
    repo.branch("planted").rename("src/pkg/old_name.py", "src/pkg/new_name.py")
    repo.write("pyproject.toml", SETTINGS.format('  "click",\n  "left-pad",\n'))
    repo.write("src/pkg/stay.py", "# one line more\n" + STAY.format(SAMPLES["gitlab-token"]))
    repo.write("src/pkg/uses.py", USES.removeprefix("import os\n"))
    shop = SHOP.replace("return 2 * count", "return 3 * count")
    repo.write("src/pkg/shop.py", "import sys\n" + shop[: shop.index("\n\ndef discount")])
    repo.write(
        "src/pkg/fresh.py",
        "import subprocess\n\n\ndef call(words: str) -> None:\n    subprocess.run(words, shell=True)\n\n\n"
        f'TOKEN = "{SAMPLES["github-token"]}"\n',
    )
    repo.write("tests/test_red.py", "\n" + RED_TEST).commit("planted")
    own_programs(repo, "ruff", "mypy", "bandit", "python")
    return repo


def findings(done: Outcome) -> dict[tuple[str, str, int], set[str]]:
    """Rule, path and line of everything that is no note, and where it comes from."""
    found: dict[tuple[str, str, int], set[str]] = {}
    for check in done.stored("report.json")["checks"]:
        for item in check["findings"]:
            if item["level"] != "note":
                place = (item["rule"], item["path"], item["line"])
                found.setdefault(place, set()).add(item["provenance"])
    return found


def test_each_mistake_is_caught_where_it_is_and_nothing_old_is_called_new(
    planted: GitRepo, home: Path
) -> None:
    before = snapshot(planted.path)
    done = review(planted, home=home)
    assert snapshot(planted.path) == before
    found = findings(done)
    new = {place for place, provenance in found.items() if provenance == {"introduced"}}
    assert new == {
        ("ruff/F401", "src/pkg/shop.py", 1),
        ("ruff/F821", "src/pkg/uses.py", 4),
        ("mypy/name-defined", "src/pkg/uses.py", 4),
        ("mypy/import-not-found", "src/pkg/importer.py", 1),
        ("pytest/failed", "tests/test_shop.py", 5),
        ("bandit/B602", "src/pkg/fresh.py", 5),
        ("secrets/github-token", "src/pkg/fresh.py", 8),
        ("signal_breaking/removed", "src/pkg/shop.py", 6),
        ("signal_breaking/module-renamed", "src/pkg/new_name.py", 1),
        ("signal_ghosts/stale-import", "src/pkg/importer.py", 1),
        ("signal_unsafe/shell-command", "src/pkg/fresh.py", 5),
    }
    old = {place for place, provenance in found.items() if provenance == {"preexisting"}}
    assert old | new == set(found)
    assert old >= {
        ("ruff/F401", "src/pkg/stay.py", 2),
        ("mypy/assignment", "src/pkg/stay.py", 5),
        ("bandit/B602", "src/pkg/stay.py", 6),
        ("pytest/failed", "tests/test_red.py", 3),
    }


def test_what_only_deserves_a_look_is_a_note_with_its_place(planted: GitRepo, home: Path) -> None:
    done = review(planted, "--quick", home=home)
    notes = {
        (item["rule"], item["path"], item["line"])
        for check in done.stored("report.json")["checks"]
        for item in check["findings"]
        if item["level"] == "note" and item["rule"].startswith("signal_")
    }
    assert notes >= {
        ("signal_dependencies/added", "pyproject.toml", 6),
        ("signal_coverage/untested", "src/pkg/fresh.py", 1),
    }
    assert done.json["verdict"] == "BLOCK"
    blocked = "\n".join(done.json["blocking_issues"])
    for place in (
        "src/pkg/fresh.py:8 github-token",
        "src/pkg/uses.py:4 F821",
        "src/pkg/importer.py:1 stale-import",
    ):
        assert place in blocked
