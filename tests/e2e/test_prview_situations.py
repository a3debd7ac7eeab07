"""Situations that break tools for reviewing branches, each on a repository built here.

Every row of the list of reported situations, and the test that stands for it. Tests of this file unless a
module is named (`review` is test_prview_review, `policy` test_prview_policy, `targets` test_prview_targets,
`interrupted` test_prview_interrupted).

    detached HEAD                   review: a_detached_head_is_reviewed_and_found_again
    shallow, no merge base          review: a_shallow_clone_without_the_merge_base_is_refused
    shallow range, count            a_shallow_clone_that_reaches_the_merge_base_counts_every_commit
    no origin/HEAD                  without_a_declared_default_branch_one_is_guessed_and_said
    base moved ahead                review: a_base_that_moved_on_is_not_part_of_the_change
    base merged into the branch     work_of_the_base_that_was_merged_in_is_not_the_branchs
    linked worktree                 review: a_linked_worktree_shares_runs_with_its_repository
    bare repository                 review: a_bare_repository_is_reviewed_without_running_its_code
    LFS pointer                     a_pointer_of_git_lfs_is_named_with_its_sizes_and_not_linted
    huge diff                       a_large_diff_lists_every_file
    rename with edits               a_rename_with_edits_is_one_entry_and_its_importers_are_ghosts
    non-ASCII path                  names_that_git_quotes_are_whole_everywhere
    newline, quote, `[id]`, …       names_that_git_quotes_are_whole_everywhere
    mode-only change                a_change_of_mode_alone_is_listed_with_both_modes
    generated, vendored, minified   policy: generated_and_vendored_files_are_tagged_and_outside
    monorepo                        nested_projects_are_checked_as_each_of_them_wants
    tool missing                    review: a_missing_tool_is_unavailable_and_never_a_pass
    tool hangs and forks            review: a_tool_that_cannot_be_understood_gives_no_verdict_to_trust[hang]
    flaky test                      review: a_failure_that_passes_when_run_again_is_flaky_and_named
    base already red                review: a_test_that_failed_before_is_not_held_against_the_change
    unrelated histories             review: unrelated_histories_are_refused
    safe.directory                  a_repository_of_another_user_is_refused_with_gits_own_fix
    leaked GIT_DIR, GIT_INDEX_FILE  variables_of_a_hook_reach_neither_git_nor_tools
    spaces in the path              review: the fixture `repo`
    read-only checkout              a_checkout_that_cannot_be_written_is_reviewed
    branch weakens its policy       policy: a_branch_cannot_weaken_its_own_gate

Further ones: submodules, partial clones, hooks and filters of the repository, and that nothing of it is written.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from support.prview_project import CORE, PROGRAMS, own_tool, project, prview, review
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

WEIRD = (
    "new\nline.txt",
    'quo"te.txt',
    "tab\there.txt",
    "a b/ b/c.txt",
    "[id].txt",
    ":(top)x.txt",
    "-dash.txt",
    "back\\slash.txt",
    "ümläut-日本.txt",
    " leading and trailing ",
    "a/b => c/{d => e}.txt",
    "`tick` $HOME *.txt",
)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project with a clean base and the branch `topic` checked out."""
    return project(tmp_path / "repo")


# --- history ------------------------------------------------------------------------------------------------


def test_a_shallow_clone_that_reaches_the_merge_base_counts_every_commit(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    repo.checkout("main")
    for number in range(3):
        repo.write("old.txt", f"{number}\n").commit(f"old {number}")
    repo.branch("late")
    for number in range(4):
        repo.write("a.txt", f"{number}\n").commit(f"new {number}")
    enough = repo.clone(tmp_path / "enough", "--depth=6", "--no-single-branch")
    done = review(enough, "origin/late", "origin/main", "--quick", home=home)
    assert len(done.stored("report.json")["commits"]) == 4
    cut = repo.clone(tmp_path / "cut", "--depth=3", "--no-single-branch")
    refused = prview("review", "origin/late", "origin/main", home=home, repo=cut.path)
    assert (refused.code, "shallow" in refused.stderr) == (2, True)
    assert "git fetch --unshallow" in refused.stderr


def test_without_a_declared_default_branch_one_is_guessed_and_said(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    done = review(repo, "--quick", home=home)
    assert (done.json["base_used"], done.json["base_fallback"]) == (["main"], True)
    assert any("No remote says what its default branch is" in caveat for caveat in done.json["caveats"])


def test_work_of_the_base_that_was_merged_in_is_not_the_branchs(repo: GitRepo, home: Path) -> None:
    repo.write("mine.txt", "1\n").commit("mine")
    repo.checkout("main").write("theirs.txt", "1\n").commit("theirs")
    repo.checkout("topic").merge("main")
    repo.write("mine.txt", "2\n").commit("mine again")
    done = review(repo, "--quick", home=home)
    report = done.stored("report.json")
    assert [file["path"] for file in report["files"]] == ["mine.txt"]
    assert "theirs" not in [commit["subject"] for commit in report["commits"]]
    for patch in (done.pack / "10_diff").rglob("*.patch"):
        assert b"theirs.txt" not in patch.read_bytes(), patch.name


# --- files --------------------------------------------------------------------------------------------------


def pointer(size: int) -> str:
    """What git has of a file that Git LFS keeps."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{size:064x}\nsize {size}\n"


def test_a_pointer_of_git_lfs_is_named_with_its_sizes_and_not_linted(repo: GitRepo, home: Path) -> None:
    repo.checkout("main").write("model.py", pointer(1200)).write("gone.bin", pointer(5)).commit("lfs")
    repo.branch("later").write("model.py", pointer(1300)).remove("gone.bin").commit("lfs")
    own_tool(repo, "bandit", f"#!/bin/sh\nexec '{PROGRAMS}/bandit' \"$@\"\n")  # the real one
    done = review(repo, "--quick", home=home)
    files = done.stored("00_summary/MERGE_GATE.json")["files"]
    assert {entry["path"]: entry["lfs"] for entry in files["coverage"]} == {
        "gone.bin": "5 -> none bytes",
        "model.py": "1200 -> 1300 bytes",
    }
    assert "model.py" in files["unexamined"]
    assert done.stored("20_quality/ruff.result.json")["findings"] == []
    assert "model.py\tlfs 1200 -> 1300 bytes\n" in (done.pack / "00_summary/file-status.txt").read_text()


def test_a_large_diff_lists_every_file(repo: GitRepo, home: Path) -> None:
    lines = "".join(f"line {number} of a large file\n" for number in range(40_000))
    for number in range(20):
        repo.write(f"data/{number}.txt", f"{number}\n{lines}")
    repo.commit("20 MB")
    done = review(repo, "--quick", home=home)
    assert len(done.stored("report.json")["files"]) == 20
    assert (done.pack / "10_diff/full.patch").stat().st_size > 20_000_000
    assert done.stored("00_summary/MERGE_GATE.json")["files"]["unexamined"] == []


def test_a_rename_with_edits_is_one_entry_and_its_importers_are_ghosts(repo: GitRepo, home: Path) -> None:
    body = CORE + "".join(f"\n\ndef f{number}(x):\n    return x + {number}\n" for number in range(9))
    repo.checkout("main").write("src/pkg/util.py", body)
    repo.write("src/pkg/user.py", "from pkg.util import f1\n\nprint(f1(1))\n").commit("util")
    repo.branch("later").remove("src/pkg/util.py").write("src/pkg/helpers.py", body + "\n# moved\n").commit(
        "move"
    )
    done = review(repo, "--quick", home=home)
    (file,) = done.stored("report.json")["files"]
    assert (file["status"], file["old_path"], file["path"], file["added"]) == (
        "R", "src/pkg/util.py", "src/pkg/helpers.py", 2,
    )  # fmt: skip
    ghosts = done.stored("20_quality/signal_ghosts.result.json")["findings"]
    assert ("src/pkg/user.py", 1) in {(finding["path"], finding["line"]) for finding in ghosts}


def test_names_that_git_quotes_are_whole_everywhere(repo: GitRepo, home: Path) -> None:
    base = repo.resolve("main")
    for name in WEIRD:
        repo.write(name, f"<<{name}>>\n" * 90)
    repo.write(b"latin-\xe9.txt", "x\n").commit()
    done = review(repo, "--quick", home=home)
    report = done.stored("report.json")
    assert {file["path"] for file in report["files"]} == {*WEIRD, "latin-\\xe9.txt"}
    own = list((done.pack / "10_diff/per-file-diffs").iterdir())
    assert len(own) == len(WEIRD)
    for path in own:
        assert path.read_bytes().count(b"diff --git ") == 1
    assert repo.tree_after(base, (done.pack / "10_diff/full.patch").read_bytes()) == repo.tree()
    assert repo.tree_after(base, *(path.read_bytes() for path in own)) != repo.tree(base)


def test_a_change_of_mode_alone_is_listed_with_both_modes(repo: GitRepo, home: Path) -> None:
    base = repo.resolve("main")
    repo.chmod("src/pkg/core.py", 0o755).commit("executable")
    done = review(repo, "--quick", home=home)
    (file,) = done.stored("report.json")["files"]
    assert (file["status"], file["old_mode"], file["new_mode"]) == ("M", "100644", "100755")
    assert (file["added"], file["deleted"]) == (0, 0)
    assert repo.tree_after(base, (done.pack / "10_diff/full.patch").read_bytes()) == repo.tree()
    assert done.json["blocking_issues"] == []  # ruff may say that an executable without `#!` is odd


def test_a_change_of_line_ends_alone_is_a_change(repo: GitRepo, home: Path) -> None:
    base = repo.resolve("main")
    repo.write("src/pkg/core.py", CORE.replace("\n", "\r\n")).commit("crlf")
    done = review(repo, "--quick", home=home)
    (file,) = done.stored("report.json")["files"]
    assert (file["added"], file["deleted"]) == (2, 2)
    assert repo.tree_after(base, (done.pack / "10_diff/full.patch").read_bytes()) == repo.tree()


def test_a_submodule_that_moves_is_listed_and_nobody_looked_into_it(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    inner = GitRepo.create(tmp_path / "inner").write("x.py", "import os\n")
    first = inner.commit("one")
    second = inner.write("x.py", "import sys\n").commit("two")
    repo.checkout("main").stage_entry("160000", first, "lib").commit("lib", stage=False)
    repo.branch("later").stage_entry("160000", second, "lib").commit("lib moves", stage=False)
    done = review(repo, "--quick", home=home)
    (file,) = done.stored("report.json")["files"]
    assert (file["path"], file["new_mode"], done.json["verdict"]) == ("lib", "160000", "CONDITIONAL")
    assert done.stored("00_summary/MERGE_GATE.json")["files"]["unexamined"] == ["lib"]


def test_a_file_that_becomes_a_link_is_no_way_out_of_the_repository(repo: GitRepo, home: Path) -> None:
    secret = home / "secret.py"
    secret.write_text("import os\nSECRET = 1\n")
    repo.remove("src/pkg/core.py").symlink("src/pkg/core.py", str(secret)).commit("link")
    done = review(repo, "--quick", home=home)
    (file,) = done.stored("report.json")["files"]
    assert (file["status"], file["new_mode"]) == ("T", "120000")
    for path in done.pack.rglob("*"):
        assert not path.is_file() or b"SECRET = 1" not in path.read_bytes(), path


def test_nested_projects_are_checked_as_each_of_them_wants(repo: GitRepo, home: Path) -> None:
    repo.checkout("main").remove("pyproject.toml").remove("src").remove("tests")
    for name, ignored in (("one", "F401"), ("two", "E501")):
        repo.write(f"services/{name}/pyproject.toml", f'[tool.ruff.lint]\nignore = ["{ignored}"]\n')
    repo.commit("monorepo")
    repo.branch("later").write("services/one/a.py", "import os\n").write("services/two/a.py", "import os\n")
    repo.commit()
    done = review(repo, "--quick", home=home)
    found = done.stored("20_quality/ruff.result.json")["findings"]
    assert [finding["path"] for finding in found] == ["services/two/a.py"]


# --- the machine --------------------------------------------------------------------------------------------


def test_a_repository_of_another_user_is_refused_with_gits_own_fix(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    repo.write("a.txt", "a\n").commit()
    git = tmp_path / "bin/git"
    git.parent.mkdir()
    real = shutil.which("git")
    git.write_text(f"#!/bin/sh\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec '{real}' \"$@\"\n")
    git.chmod(0o755)
    done = prview("--quick", home=home, repo=repo.path, path=str(git.parent))
    assert (done.code, done.stdout) == (2, "")
    assert f"git config --global --add safe.directory {repo.path}" in done.stderr
    assert prview("gate", home=home, repo=repo.path, path=str(git.parent)).code == 3


def test_variables_of_a_hook_reach_neither_git_nor_tools(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    other = GitRepo.create(tmp_path / "other").write("a", "")
    other.commit()
    seen = home / "seen"
    own_tool(repo, "ruff", f"#!/bin/sh\nenv > '{seen}'\nexec '{PROGRAMS}/ruff' \"$@\"\n")
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    leaked = {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": str(other.path / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git/objects"),
        "GIT_PREFIX": "x/",
        "PYTHONPATH": os.environ.get("PYTHONPATH", "") or str(home),
        "RUFF_CONFIG": "/nonexistent",
    }
    before = snapshot(other.path)
    done = review(repo, "--quick", home=home, env=leaked)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["src/pkg/core.py"]
    assert snapshot(other.path) == before
    names = {line.partition("=")[0] for line in seen.read_text().splitlines()}
    assert not {name for name in names if name.startswith(("GIT_", "PYTHONPATH", "RUFF_"))}


def test_hooks_filters_and_programs_of_the_repository_do_not_run(repo: GitRepo, home: Path) -> None:
    mark = home / "ran"
    run = f"sh -c 'echo $0 >> \"{mark}\"; cat'"
    hook = repo.path / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    hook.chmod(0o755)
    repo.write("a.txt", "a\n").commit()
    for key in ("core.fsmonitor", "diff.evil.textconv", "diff.external", "filter.evil.clean",
                "filter.evil.smudge", "core.pager", "uploadpack.packObjectsHook"):  # fmt: skip
        repo.config(key, run)
    attributes = repo.file(".git/info/attributes")
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* diff=evil filter=evil\n")
    mark.unlink(missing_ok=True)
    repo.write("a.txt", "uncommitted\n")
    done = review(repo, "--quick", home=home)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["a.txt"]
    assert not mark.exists()


def test_a_partial_clone_that_lacks_a_file_is_refused_and_fetches_nothing(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    repo.config("uploadpack.allowFilter", "true").config("uploadpack.allowAnySHA1InWant", "true")
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout", "--branch", "topic")
    before = snapshot(clone.path)
    done = prview("review", "origin/topic", "origin/main", "--quick", home=home, repo=clone.path)
    assert (done.code, done.stdout) == (2, "")
    assert "does not hold intact" in done.stderr
    assert snapshot(clone.path) == before


@pytest.mark.parametrize("words", [("review", "--quick"), ("review",), ("gate",), ("state",)], ids=" ".join)
def test_nothing_of_the_reviewed_repository_is_written(
    repo: GitRepo, home: Path, words: tuple[str, ...]
) -> None:
    """Every byte, mode and time of `.git` and of the tree, with tests that would leave caches."""
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    repo.write("untracked.txt", "x\n").write("src/pkg/core.py", "edited = 1\n")
    repo.git("update-index", "--no-split-index")
    os.utime(repo.file("tests/test_core.py"), (1, 1))  # git would like to refresh its index
    before = snapshot(repo.path)
    done = prview(*words, home=home, repo=repo.path)
    assert done.code == 0, done
    assert snapshot(repo.path) == before


def test_a_checkout_that_cannot_be_written_is_reviewed(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    folders = [repo.path, *(path for path in repo.path.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o555)
    try:
        assert review(repo, home=home).json["verdict"] == "PASS"
    finally:
        for path in folders:
            path.chmod(0o755)
