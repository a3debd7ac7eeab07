"""A branch is held to what its base says, and cannot change that for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.prview_project import CORE, own_tool, project, prview, review

if TYPE_CHECKING:
    from pathlib import Path

    from support.repos import GitRepo

UNUSED = "import os\n\n\n" + CORE


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project with a clean base and the branch `topic` checked out."""
    return project(tmp_path / "repo")


def on_main(repo: GitRepo, name: str, text: str) -> None:
    """Commit a file to main and begin the branch anew from there."""
    repo.checkout("main").write(name, text).commit(name)
    repo.branch("work")


@pytest.mark.parametrize(
    ("policy", "verdict", "code"),
    [
        ("version: 1\nmode: shadow\nchecks: {ruff: block}\n", "CONDITIONAL", 0),
        ("version: 1\nmode: warn\n", "CONDITIONAL", 0),
        ("version: 1\nmode: warn\nchecks: {ruff: block}\n", "BLOCK", 1),
        ("version: 1\nmode: warn\nrules: {ruff/F401: block}\n", "BLOCK", 1),
        ("version: 1\nmode: block\n", "BLOCK", 1),
        ("version: 1\nmode: block\nchecks: {ruff: ignore}\n", "PASS", 0),
        ("version: 1\nmode: block\nrules: {ruff/F*: ignore}\n", "PASS", 0),
        ("version: 1\nmode: block\ndefault_severity: ignore\n", "PASS", 0),
    ],
)
def test_mode_and_severity_decide_what_a_new_warning_does(
    repo: GitRepo, home: Path, policy: str, verdict: str, code: int
) -> None:
    on_main(repo, ".prview-policy.yml", policy)
    repo.write("src/pkg/core.py", UNUSED).commit()
    done = review(repo, "--quick", home=home)
    assert (done.json["verdict"], done.code) == (verdict, code)
    applied = done.stored("00_summary/MERGE_GATE.json")["policy"]
    assert f"mode: {applied['mode']}" in policy
    assert applied["source"].startswith(".prview-policy.yml of main (")


def test_a_branch_cannot_weaken_its_own_gate(repo: GitRepo, home: Path) -> None:
    on_main(repo, ".prview-policy.yml", "version: 1\nchecks: {ruff: block}\n")
    repo.write(".prview-policy.yml", "version: 1\nmode: shadow\nchecks: {ruff: ignore, policy: ignore}\n")
    repo.write("src/pkg/core.py", UNUSED).commit()
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "BLOCK"
    (finding,) = done.stored("20_quality/policy.result.json")["findings"]
    assert (finding["path"], finding["rule"], finding["level"]) == (
        ".prview-policy.yml",
        "policy/changed",
        "warning",
    )
    repo.write("src/pkg/core.py", CORE).commit()
    assert review(repo, "--quick", home=home).json["verdict"] == "CONDITIONAL"


def test_an_edit_of_the_policy_in_the_working_tree_changes_nothing(repo: GitRepo, home: Path) -> None:
    on_main(repo, ".prview-policy.yml", "version: 1\nchecks: {ruff: block}\n")
    repo.write("src/pkg/core.py", UNUSED).commit()
    repo.write(".prview-policy.yml", "version: 1\nmode: shadow\n")
    assert review(repo, "--quick", home=home).json["verdict"] == "BLOCK"


def test_the_policy_of_the_bases_tip_counts_not_that_of_the_merge_base(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", UNUSED).commit()
    repo.checkout("main").write(".prview-policy.yml", "version: 1\nmode: block\n").commit("stricter")
    repo.checkout("topic")
    assert review(repo, "--quick", home=home).json["verdict"] == "BLOCK"


def test_a_policy_that_the_branch_breaks_is_an_error_at_its_line(repo: GitRepo, home: Path) -> None:
    repo.write(".prview-policy.yml", "version: 1\nchecks:\n  rufff: block\n").commit()
    done = review(repo, "--quick", home=home)
    (finding,) = done.stored("20_quality/policy.result.json")["findings"]
    assert (finding["rule"], finding["line"], done.json["verdict"]) == ("policy/invalid", 3, "BLOCK")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (".prview-policy.yml", "version: 1\nchecks:\n  pip_adit: block\n", "did you mean 'pip_audit'?"),
        (".prview-policy.yml", "version: 1\nmod: block\n", "did you mean 'mode'?"),
        (".prview-policy.yml", b"version: 1\n# caf\xe9\n", "is not UTF-8"),
        (".prview-policy.yml", "#" * 300_000, "larger than 256 KiB"),
        (".prview-policy.yaml", "version: 1\n", "call it .prview-policy.yml"),
        ("prview.toml", "[gate]\nbreaking_escalate = true\n", "did you mean 'breaking_escalation'?"),
    ],
    ids=["check", "key", "bytes", "size", "name", "settings"],
)
def test_rules_without_effect_are_refused_with_file_line_and_suggestion(
    repo: GitRepo, home: Path, name: str, text: str, words: str
) -> None:
    on_main(repo, name, text)
    repo.write("a.txt", "a\n").commit()
    done = prview("review", "--quick", home=home, repo=repo.path)
    assert (done.code, done.stdout) == (2, "")
    assert f"{name} of main (" in done.stderr
    assert words in done.stderr
    assert prview("gate", home=home, repo=repo.path).code == 3


def test_a_policy_file_on_disk_goes_before_the_bases(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    on_main(repo, ".prview-policy.yml", "version: 1\nmode: block\n")
    repo.write("src/pkg/core.py", UNUSED).commit()
    policy = tmp_path / "mine.yml"
    policy.write_text("version: 1\nmode: shadow\n")
    done = review(repo, "--quick", "--policy-file", str(policy), home=home)
    assert done.json["verdict"] == "CONDITIONAL"
    assert done.stored("00_summary/MERGE_GATE.json")["policy"]["source"] == str(policy)
    missing = prview("review", "--policy-file", str(tmp_path / "no.yml"), home=home, repo=repo.path)
    assert (missing.code, "no.yml" in missing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("said", "verdict"), [(None, "CONDITIONAL"), ('"none"', "PASS"), ('"block"', "BLOCK")]
)
def test_a_breaking_change_is_escalated_as_the_project_says(
    repo: GitRepo, home: Path, said: str | None, verdict: str
) -> None:
    repo.checkout("main").write(".prview-policy.yml", "version: 1\ndefault_severity: ignore\n"
                                "rules: {signal_breaking/*: ignore}\n")  # fmt: skip
    if said:
        repo.write("prview.toml", f"[gate]\nbreaking_escalation = {said}\n")
    repo.commit("rules")
    repo.branch("work").write("src/pkg/core.py", "def plus(a, b):\n    return a + b\n")
    repo.write(
        "tests/test_core.py", "from pkg.core import plus\n\n\ndef test_plus():\n    assert plus(1, 2) == 3\n"
    )
    repo.commit()
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == verdict


# --- the ledger ---------------------------------------------------------------------------------------------


def test_every_changed_file_is_in_the_ledger_with_who_looked_at_it(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").write("notes.txt", "x\n").write("tool.rb", "puts 1\n").commit()
    files = review(repo, "--quick", home=home).stored("00_summary/MERGE_GATE.json")["files"]
    looked = {entry["path"]: set(entry["checks"]) for entry in files["coverage"]}
    assert set(looked) == {"src/pkg/core.py", "notes.txt", "tool.rb"}
    assert {"ruff", "conflict_markers"} <= looked["src/pkg/core.py"]
    assert "ruff" not in looked["notes.txt"]
    assert files["unexamined"] == ["tool.rb"]


def test_generated_and_vendored_files_are_tagged_and_outside(repo: GitRepo, home: Path) -> None:
    on_main(repo, ".gitattributes", "made/* linguist-generated\nsrc/pkg/theirs.py linguist-vendored=true\n")
    bad = "import os\n"
    for name in ("made/x.py", "src/pkg/theirs.py", "vendor/lib/y.py", "src/pkg/gen_pb2.py", "app.min.js"):
        repo.write(name, bad)
    repo.write("src/pkg/auto.py", "# @generated by a program\n" + bad).write("src/pkg/ours.py", bad).commit()
    done = review(repo, "--quick", home=home)
    coverage = done.stored("00_summary/MERGE_GATE.json")["files"]["coverage"]
    assert {entry["path"]: entry["outside"] for entry in coverage} == {
        "app.min.js": "generated",
        "made/x.py": "generated",
        "src/pkg/auto.py": "generated",
        "src/pkg/gen_pb2.py": "generated",
        "src/pkg/ours.py": None,
        "src/pkg/theirs.py": "vendored",
        "vendor/lib/y.py": "vendored",
    }
    found = done.stored("20_quality/ruff.result.json")["findings"]
    assert [finding["path"] for finding in found] == ["src/pkg/ours.py"]


def test_a_file_that_the_base_has_does_not_become_generated_by_the_branch(repo: GitRepo, home: Path) -> None:
    repo.write(".gitattributes", "*.py linguist-generated\n")
    repo.write("src/pkg/core.py", "# @generated\n" + UNUSED).commit()
    done = review(repo, "--quick", home=home)
    assert done.stored("20_quality/ruff.result.json")["findings"] != []
    coverage = done.stored("00_summary/MERGE_GATE.json")["files"]["coverage"]
    assert {entry["path"]: entry["outside"] for entry in coverage}["src/pkg/core.py"] is None


def test_a_conflict_in_a_generated_file_is_still_a_conflict(repo: GitRepo, home: Path) -> None:
    repo.write("vendor/x.txt", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> topic\n").commit()
    assert review(repo, "--quick", home=home).json["verdict"] == "BLOCK"


def test_what_the_project_ignores_is_nobodys_business(repo: GitRepo, home: Path) -> None:
    on_main(repo, "prview.toml", 'ignores = ["scratch/"]\n')
    repo.write("scratch/a.py", UNUSED).write("scratch/tool.rb", "puts 1\n").commit()
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "PASS"
    coverage = done.stored("00_summary/MERGE_GATE.json")["files"]["coverage"]
    assert {entry["outside"] for entry in coverage} == {"ignored"}


def test_a_branch_that_declares_its_new_files_generated_is_looked_at(repo: GitRepo, home: Path) -> None:
    repo.write(".gitattributes", "evil.py linguist-generated\n").write("evil.py", "import os\n").commit()
    done = review(repo, "--quick", home=home)
    (finding,) = done.stored("20_quality/policy.result.json")["findings"]
    assert (finding["path"], finding["rule"]) == (".gitattributes", "policy/attributes")
    assert done.json["verdict"] == "CONDITIONAL"
    assert "1 changed file left outside: evil.py (generated)" in done.json["caveats"]


def test_an_ignored_check_that_fails_does_not_take_the_trust_from_the_gate(repo: GitRepo, home: Path) -> None:
    on_main(repo, ".prview-policy.yml", "version: 1\nchecks: {ruff: ignore}\n")
    own_tool(repo, "ruff", "#!/bin/sh\necho 'ruff 1'\n")
    repo.write("notes.txt", "x\n").write("src/pkg/core.py", CORE + "\n").commit()
    done = prview("gate", "--json", home=home, repo=repo.path)
    assert {gate["id"]: gate["status"] for gate in done.json["gates"]}["ruff"] == "ERROR"
    assert done.code == 0
    assert prview("gate", "--strict", home=home, repo=repo.path).code == 2, "nobody read the Python file"
