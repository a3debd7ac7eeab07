"""What a reviewer would notice about a branch, through a whole review: located, new things only, in the pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.prview_project import PYPROJECT, Outcome, project, review

if TYPE_CHECKING:
    from pathlib import Path

    from support.repos import GitRepo

SHELL = "\n\ndef run(command):\n    # TODO: quote it\n    subprocess.run(command, shell=True)\n"
HELPER = "import subprocess\n\n\ndef call(command):\n    subprocess.run(command, shell=True)\n\n\ndef twice(x):\n    return 2 * x\n"

BASE = {
    "src/pkg/helper.py": HELPER,
    "src/pkg/use.py": "from pkg.helper import twice\n\n\ndef use():\n    return twice(1)\n",
    "db/migrations/0001_first.sql": "drop table before;\n",
    "locales/en.json": '{"a": 1}\n',
    "locales/de.json": '{"a": 1}\n',
    ".github/CODEOWNERS": "*.py @org/python\n",
    "docs/use.md": "See `src/pkg/helper.py`.\n",
}


@pytest.fixture
def planted(tmp_path: Path) -> GitRepo:
    """A branch with one of everything; what the base has of each kind stays where it is."""
    repo = project(tmp_path / "repo")
    repo.checkout("main").write_many(BASE).commit("feat: helpers")
    repo.branch("later").rename("src/pkg/helper.py", "src/pkg/helpers.py")
    repo.write("src/pkg/helpers.py", HELPER + SHELL)
    repo.write(
        "pyproject.toml", PYPROJECT.replace('version = "0"\n', 'version = "0"\ndependencies = ["httpx"]\n')
    )
    repo.write("db/migrations/0002_second.sql", "create table a (b int);\ndrop table c;\n")
    repo.write("locales/en.json", '{"a": 1, "b": 2}\n')
    repo.write("src/pkg/first.py", "from pkg import second\n").write(
        "src/pkg/second.py", "from pkg import first  # noqa: F401\n"
    )
    repo.commit("feat!: shells")
    return repo


def _findings(done: Outcome) -> set[tuple[str, str, int, str]]:
    return {
        (finding["rule"], finding["path"], finding["line"], finding["provenance"])
        for check in done.stored("report.json")["checks"]
        for finding in check["findings"]
        if finding["rule"].startswith("signal_")
    }


def test_everything_that_was_planted_is_located_and_nothing_old_is_called_new(
    planted: GitRepo, home: Path
) -> None:
    done = review(planted, home=home)
    found = _findings(done)
    assert {
        ("signal_ghosts/stale-import", "src/pkg/use.py", 1, "introduced"),
        ("signal_ghosts/stale-mention", "docs/use.md", 1, "introduced"),
        ("signal_unsafe/shell-command", "src/pkg/helpers.py", 14, "introduced"),
        ("signal_todo/todo", "src/pkg/helpers.py", 13, "introduced"),
        ("signal_dependencies/added", "pyproject.toml", 4, "introduced"),
        ("signal_schema/drop-table", "db/migrations/0002_second.sql", 2, "introduced"),
        ("signal_i18n/missing-key", "locales/de.json", 1, "introduced"),
        ("signal_coverage/untested", "src/pkg/helpers.py", 10, "introduced"),
        ("signal_cycles/import-cycle", "src/pkg/first.py", 1, "introduced"),
        ("signal_suppressions/lint", "src/pkg/second.py", 1, "introduced"),
    } <= found
    assert ("signal_unsafe/shell-command", "src/pkg/helpers.py", 5, "introduced") not in found
    assert not [item for item in found if item[1].endswith("0001_first.sql")]
    assert done.json["verdict"] == "BLOCK"
    assert any("src/pkg/use.py:1 stale-import" in issue for issue in done.json["blocking_issues"])
    written = {
        "00_summary/RISK_HOTSPOTS.md",
        "20_quality/DEPENDENCIES.md",
        "20_quality/SCHEMA_CHANGES.txt",
        "20_quality/coverage-delta.txt",
        "20_quality/import-cycles.txt",
        "20_quality/missing-translations.txt",
        "20_quality/suppressions.txt",
        "20_quality/unsafe-constructs.txt",
        "30_context/OWNERS.md",
        "30_context/commit-themes.txt",
        "30_context/ghost-references.txt",
        "30_context/todos.txt",
    }
    assert {name for name in written if not (done.pack / name).is_file()} == set()
    assert "it is pkg.helpers now" in (done.pack / "30_context/ghost-references.txt").read_text()


def test_a_small_clean_change_is_not_talked_about(tmp_path: Path, home: Path) -> None:
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "def add(a, b):\n    return b + a\n").commit("fix: add the other way")
    done = review(repo, "--quick", home=home)
    assert _findings(done) == set()
    signals = {
        check["id"]: (check["status"], check["confidence_impact"])
        for check in done.stored("00_summary/MERGE_GATE.json")["checks"]
        if check["id"].startswith("signal_")
    }
    assert len(signals) >= 15
    assert set(signals.values()) == {("PASS", "none"), ("SKIPPED", "none")}
