"""The review from outside: real git, ruff and pytest on repositories built here."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest

from oskit.locks import FileLock
from support.prview_client import kept_runs
from support.prview_project import CORE, FAST_PYTEST, TEST, git_alone, own_tool, project, prview, review
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = CORE.replace("a + b", "a - b")


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project with a clean base and the branch `topic` checked out."""
    return project(tmp_path / "répo with spaces")


# --- verdicts -----------------------------------------------------------------------------------------------


def test_a_clean_change_passes_in_every_profile(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n\ndef double(a):\n    return add(a, a)\n").commit()
    for profile in ("--quick", "--profile=standard"):
        done = review(repo, profile, home=home)
        assert (done.code, done.json["verdict"], done.json["allow_merge"]) == (0, "PASS", True)
        decision = done.stored("00_summary/MERGE_GATE.json")["decision"]
        assert (decision["analysis_status"], decision["merge_recommendation"]) == ("complete", "approve")
    strict = prview("gate", "--strict", home=home, repo=repo.path)
    assert strict.code == 0
    assert "not run: pytest (left out by the quick profile); run `prview` for it" in strict.stdout
    without = review(repo, "--skip-tests", home=home)
    told = "not run: pytest (left out by --skip-tests); run `prview` for it"
    assert told in without.json["caveats"]
    decision = without.stored("00_summary/MERGE_GATE.json")["decision"]
    assert decision["decision_reason"].endswith(told)
    assert told in (without.pack / "PR_REVIEW.md").read_text(encoding="utf-8").replace("\\", "")


def test_a_quick_review_does_not_hide_what_a_wider_one_of_the_commit_found(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", BROKEN).commit()
    wider = review(repo, home=home).json["run_id"]
    quick = prview("gate", "--strict", "--json", home=home, repo=repo.path)
    assert (quick.code, quick.json["verdict"]) == (2, "CONDITIONAL")
    caveat = f"run {wider} (standard) of this commit said BLOCK: pytest failed, and this run left that out"
    assert caveat in quick.json["caveats"]
    listed = prview("runs", "list", home=home, repo=repo.path).stdout
    assert [line.split()[1:3] for line in listed.splitlines()] == [
        ["quick", "CONDITIONAL"],
        ["standard", "BLOCK"],
    ]
    unasserting = FAST_PYTEST.replace("exec", "PYTHONOPTIMIZE=1 exec").replace('"$@"', '--assert=plain "$@"')
    own_tool(repo, "pytest", unasserting)  # the same commit passes now
    assert review(repo, home=home).json["verdict"] == "PASS"
    assert prview("gate", "--strict", home=home, repo=repo.path).code == 0


def test_a_test_that_the_change_breaks_blocks(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", BROKEN).commit()
    done = review(repo, home=home)
    assert (done.code, done.json["verdict"]) == (1, "BLOCK")
    assert done.json["blocking_issues"] == ["pytest: 1 introduced finding: tests/test_core.py:5 failed"]
    assert done.json["allow_merge"] is False


def test_a_test_that_failed_before_is_not_held_against_the_change(repo: GitRepo, home: Path) -> None:
    """Ids are compared, not exit codes, and a renamed file keeps its history."""
    repo.checkout("main").write("src/pkg/core.py", BROKEN).commit("red base")
    repo.branch("later").rename("tests/test_core.py", "tests/test_moved.py").commit()
    done = review(repo, home=home)
    assert done.gate("pytest")["outcome"] == "preexisting"
    assert done.json["verdict"] == "PASS"
    decision = done.stored("00_summary/MERGE_GATE.json")["decision"]
    assert "pytest" in decision["preexisting_quality_failures"]
    assert (decision["introduced_quality_failures"], decision["quality_pass"]) == ([], True)


def test_a_failure_that_passes_when_run_again_is_flaky_and_named(repo: GitRepo, home: Path) -> None:
    mark = home / "was-here"
    flaky = f"import pathlib\n\n\ndef test_once():\n    mark = pathlib.Path({str(mark)!r})\n"
    flaky += "    seen = mark.exists()\n    mark.touch()\n    assert seen\n"
    repo.write("tests/test_flaky.py", flaky).commit()
    done = review(repo, home=home)
    assert done.gate("pytest")["outcome"] == "flaky"
    assert done.json["blocking_issues"] == []
    assert any("flaky" in caveat and "test_once" in caveat for caveat in done.json["caveats"])


def test_every_finding_of_ruff_is_compared_and_only_new_ones_count(repo: GitRepo, home: Path) -> None:
    """An old finding that sorts first must not hide a new one behind it."""
    old = "import os\n\n\ndef f():\n    return 1\n"
    repo.checkout("main").write("src/pkg/old.py", old).commit("inherited")
    repo.branch("later").write(
        "src/pkg/old.py", "# moved down\n" + old + "\n\ndef g():\n    return nowhere\n"
    ).commit()
    done = review(repo, "--quick", home=home)
    findings = {
        (item["rule"], item["provenance"]) for item in done.stored("20_quality/ruff.result.json")["findings"]
    }
    assert findings == {("ruff/F401", "preexisting"), ("ruff/F821", "introduced")}
    assert done.json["verdict"] == "BLOCK"


def test_a_removed_import_is_introduced_on_a_line_that_did_not_change(repo: GitRepo, home: Path) -> None:
    used = "import os\n\n\ndef f():\n    return os.name\n"
    repo.checkout("main").write("src/pkg/uses.py", used).commit("base two")
    repo.branch("later").write("src/pkg/uses.py", used.removeprefix("import os\n")).commit()
    done = review(repo, "--quick", home=home)
    (finding,) = done.stored("20_quality/ruff.result.json")["findings"]
    assert (finding["rule"], finding["provenance"], finding["on_added_line"]) == (
        "ruff/F821",
        "introduced",
        False,
    )


def test_an_introduced_warning_asks_for_a_review(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    done = review(repo, "--quick", home=home)
    assert (done.code, done.json["verdict"], done.json["merge_recommendation"]) == (
        0,
        "CONDITIONAL",
        "review_required",
    )
    assert prview("gate", home=home, repo=repo.path).code == 0
    assert prview("gate", "--strict", home=home, repo=repo.path).code == 2


def test_conflict_markers_block_and_an_underlined_heading_does_not(repo: GitRepo, home: Path) -> None:
    repo.write("README.rst", "Title\n=======\n").commit()
    assert review(repo, "--quick", home=home).json["verdict"] == "PASS"
    repo.write("README.rst", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> topic\n").commit()
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "BLOCK"
    assert prview("gate", home=home, repo=repo.path).code == 1


# --- what was not seen --------------------------------------------------------------------------------------


def test_a_missing_tool_is_unavailable_and_never_a_pass(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    done = review(repo, "--quick", home=home, path=git_alone(tmp_path / "bin"))
    assert done.gate("ruff")["status"] == "UNAVAILABLE"
    assert done.json["verdict"] == "CONDITIONAL"
    assert done.stored("00_summary/MERGE_GATE.json")["decision"]["analysis_status"] == "degraded"
    assert any(caveat.startswith("ruff is unavailable: ") for caveat in done.json["caveats"])


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("#!/bin/sh\necho 'ruff 1'\n", "ERROR"),
        ("#!/bin/sh\necho '[{\"code\": 1}]'\n", "ERROR"),
        ("#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) exit 2;; esac\n", "ERROR"),
        ("#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) sleep 60 & wait;; esac\n", "TIMEOUT"),
    ],
    ids=["words", "other-json", "failure", "hang"],
)
def test_a_tool_that_cannot_be_understood_gives_no_verdict_to_trust(
    repo: GitRepo, home: Path, script: str, status: str
) -> None:
    own_tool(repo, "ruff", script)
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    done = review(repo, "--quick", "--timeout", "1", home=home)
    assert done.gate("ruff")["status"] == status
    assert done.stored("00_summary/MERGE_GATE.json")["decision"]["analysis_status"] == "incomplete"
    assert done.json["verdict"] == "CONDITIONAL"


def test_the_gate_does_not_call_an_unreadable_check_a_pass(repo: GitRepo, home: Path) -> None:
    own_tool(repo, "ruff", "#!/bin/sh\necho 'ruff 1'\n")
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    assert prview("gate", home=home, repo=repo.path).code == 3


def test_tests_that_cannot_be_collected_before_and_after_are_no_evidence(repo: GitRepo, home: Path) -> None:
    repo.checkout("main").write("tests/test_lost.py", "import nothing_of_that_name\n").commit("lost")
    repo.branch("later").write("src/pkg/core.py", CORE + "\n").commit()
    done = review(repo, home=home)
    assert done.json["verdict"] == "CONDITIONAL"
    assert any("tests/test_lost.py" in caveat for caveat in done.json["caveats"])


def test_files_whose_content_no_check_reads_are_named(repo: GitRepo, home: Path) -> None:
    repo.write("logo.bin", b"\0\1\2" * 50)
    repo.write("big.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
    repo.stage().stage_entry("160000", "1" * 40, "vendored").commit(stage=False)
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "CONDITIONAL"
    assert done.stored("00_summary/MERGE_GATE.json")["files"]["unexamined"] == [
        "big.txt",
        "logo.bin",
        "vendored",
    ]


def test_tests_that_import_the_checkout_instead_of_the_commit_are_an_error(repo: GitRepo, home: Path) -> None:
    """The checkout's uncommitted module would answer for the reviewed commit."""
    imports = f"import sys\nsys.path.insert(0, {str(repo.path)!r})\nimport only_here\n\n\ndef test_it():\n    pass\n"
    repo.write("tests/test_checkout.py", imports).commit()
    repo.write("only_here.py", "")
    done = review(repo, home=home)
    assert done.gate("pytest")["status"] == "ERROR"
    assert "only_here" in done.gate("pytest")["reason"]


def test_an_editable_install_of_the_checkout_is_turned_to_the_commit(repo: GitRepo, home: Path) -> None:
    """The usual virtual environment: a path file that names the checkout's `src`."""
    script = f"#!/bin/sh\nPYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONPATH=$PYTHONPATH:'{repo.path}/src' exec pytest \"$@\"\n"
    own_tool(repo, "pytest", script.replace("exec pytest", f"exec '{_real_pytest()}'"))
    repo.write("pyproject.toml", '[project]\nname = "pkg"\nversion = "0"\n').commit("no pythonpath")
    repo.write("src/pkg/core.py", BROKEN)  # in the working tree only
    done = review(repo, home=home)
    assert (done.gate("pytest")["status"], done.gate("pytest")["outcome"]) == ("PASS", "clean")


def _real_pytest() -> str:
    from support.prview_project import PROGRAMS

    return str(PROGRAMS / "pytest")


# --- whose code runs ----------------------------------------------------------------------------------------


def test_code_of_another_branch_only_runs_when_allowed(repo: GitRepo, home: Path) -> None:
    mark = home / "was-run"
    repo.write(
        "tests/test_mark.py", f"open({str(mark)!r}, 'w').close()\n\n\ndef test_it():\n    pass\n"
    ).commit()
    repo.checkout("main")
    done = review(repo, "topic", home=home)
    assert not mark.exists()
    assert done.gate("pytest")["status"] == "SKIPPED"
    assert done.json["verdict"] == "CONDITIONAL"
    assert review(repo, "topic", "--allow-code", home=home).gate("pytest")["status"] == "PASS"
    assert mark.exists()


def test_the_working_tree_is_named_and_not_reviewed(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    repo.write("src/pkg/core.py", "def broken(:\n").write("new.txt", "")
    done = review(repo, home=home)
    assert done.json["verdict"] == "PASS"
    assert any("2 uncommitted paths" in caveat for caveat in done.json["caveats"])
    run = done.stored("00_summary/RUN.json")
    assert run["dirty"] is True
    assert run["dirty_tree"] == _tree_of(repo)


def _tree_of(repo: GitRepo) -> str:
    repo.stage()
    return repo.ask("write-tree")


def test_nothing_is_written_to_the_reviewed_repository(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", BROKEN).commit()
    repo.write("untracked.txt", "x")
    before = snapshot(repo.path)
    review(repo, home=home)
    assert prview("state", home=home, repo=repo.path).code == 0
    assert snapshot(repo.path) == before


def test_temporary_folders_are_gone_afterwards(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    repo.write("src/pkg/core.py", BROKEN).commit()
    temporary = tmp_path / "t"
    temporary.mkdir()
    review(repo, home=home, env={"TMPDIR": str(temporary)})
    assert list(temporary.iterdir()) == []


# --- the pack -----------------------------------------------------------------------------------------------


def test_the_pack_is_complete_and_its_manifest_true(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n" + BROKEN).write("ümlaut \n`x`.txt", "a\n").commit(
        "quote `me` | <b>"
    )
    done = review(repo, home=home)
    manifest = done.stored("00_summary/MANIFEST.json")
    found = {path.relative_to(done.pack).as_posix() for path in done.pack.rglob("*") if path.is_file()}
    listed = {entry["path"] for entry in manifest["files"]}
    assert found - listed == {"00_summary/MANIFEST.json", "00_summary/SANITY.json", "run.stderr.log"}
    for entry in manifest["files"]:
        content = (done.pack / entry["path"]).read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (entry["sha256"], entry["size"])
    sealed = hashlib.sha256((done.pack / "00_summary/MANIFEST.json").read_bytes()).hexdigest()
    assert done.stored("00_summary/SANITY.json")["manifest_sha256"] == sealed
    assert (done.pack.parent / "latest").resolve() == done.pack


def test_the_patch_is_the_change_to_the_byte(repo: GitRepo, home: Path) -> None:
    base = repo.resolve("main")
    repo.write("latin.txt", b"caf\xe9\r\n").write("bin.dat", bytes(range(256))).chmod(
        "src/pkg/core.py", 0o755
    )
    repo.rename("tests/test_core.py", "tests/tëst_core.py").commit()
    done = review(repo, "--quick", home=home)
    patch = (done.pack / "10_diff/full.patch").read_bytes()
    assert repo.tree_after(base, patch) == repo.tree()


def test_the_patch_carries_everything_that_git_can_change(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    """Renames, binary files, a submodule, links, line ends, modes and names of any bytes, from a whole review."""
    inner = GitRepo.create(tmp_path / "inner").write("x", "1")
    first = inner.commit("one")
    second = inner.write("x", "2").commit("two")
    lines = "".join(f"line {number}\n" for number in range(30))
    repo.checkout("main").write_many(
        {
            "old name.txt": lines,
            "crlf.txt": "a\r\nb\r\n",
            "lf.txt": "a\nb\n",
            "image.png": bytes(range(256)) * 8,
            "gone.bin": b"\0gone",
            "script.sh": "#!/bin/sh\n",
            "becomes-link": "text\n",
            "no-end.txt": "no line end",
            'quo"te\t\n.txt': "1\n",
            "diff --git a/x b/x": "1\n",
        }
    )
    repo.write(b"caf\xe9.txt", b"caf\xe9\n").symlink("becomes-file", "script.sh").stage()
    base = repo.stage_entry("160000", first, "lib").commit("base", stage=False)
    repo.branch("everything").rename("old name.txt", "sub/neuer näme.txt")
    repo.write("sub/neuer näme.txt", lines.replace("line 7\n", "seven\n"))
    repo.write_many(
        {
            "crlf.txt": "a\nb\r\n",
            "lf.txt": "a\r\nb\n",
            "image.png": bytes(reversed(range(256))) * 8,
            "no-end.txt": "still none",
            'quo"te\t\n.txt': "2\n",
            "diff --git a/x b/x": "2\n",
            "empty": "",
        }
    )
    repo.write(b"caf\xe9.txt", b"caf\xe9\xe9\n").write(b"\xff\xfe", b"\0").remove("gone.bin")
    repo.remove("becomes-link").symlink("becomes-link", "script.sh")
    repo.remove("becomes-file").write("becomes-file", "text\n").chmod("script.sh", 0o755).stage()
    repo.stage_entry("160000", second, "lib").commit("everything", stage=False)
    done = review(repo, "--quick", home=home)
    patch = (done.pack / "10_diff/full.patch").read_bytes()
    assert repo.tree_after(base, patch) == repo.tree()
    assert len(done.stored("report.json")["files"]) == 15


def test_the_index_has_the_header_that_agents_read(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    text = (review(repo, "--quick", home=home).pack / "AI_INDEX.md").read_text()
    for bullet in ("Generated", "PR", "Base", "Head", "Commits", "Files changed", "Reviewed range"):
        assert f"\n- {bullet}: " in text
    for section in (
        "Recommended reading order (agent-friendly)",
        "Layout",
        "If you need deeper context",
        "Packs",
    ):
        assert f"\n## {section}\n" in text


def test_the_sarif_file_tells_new_from_old(repo: GitRepo, home: Path) -> None:
    repo.checkout("main").write("ruff.toml", 'lint.select = ["F"]\n')
    repo.write("src/pkg/old one.py", "import os\n").commit()
    repo.branch("later").write("src/pkg/old one.py", "import os\nimport sys\n").commit()
    done = review(repo, "--quick", home=home)
    (run,) = done.stored("30_context/INLINE_FINDINGS.sarif")["runs"]
    states = {(result["message"]["text"], result["baselineState"]) for result in run["results"]}
    assert states == {("`os` imported but unused", "unchanged"), ("`sys` imported but unused", "new")}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["ruff/F401"]
    for result in run["results"]:
        assert result["partialFingerprints"]
        location = result["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == "src/pkg/old%20one.py"


def test_the_same_review_gives_the_same_bytes_but_for_times(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n" + CORE).commit()
    packs = [review(repo, "--quick", home=home).pack for _ in range(2)]
    assert packs[0] != packs[1]
    for name in (
        "10_diff/full.patch",
        "30_context/INLINE_FINDINGS.sarif",
        "20_quality/ruff.result.json",
        "PR_REVIEW.md",
    ):
        assert (packs[0] / name).read_bytes() == (packs[1] / name).read_bytes(), name


# --- ranges -------------------------------------------------------------------------------------------------


def test_a_base_that_moved_on_is_not_part_of_the_change(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    repo.checkout("main").write("b.txt", "b\n").commit("ahead")
    repo.checkout("topic")
    done = review(repo, "--quick", home=home)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["a.txt"]


def test_a_detached_head_is_reviewed_and_found_again(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    repo.checkout(repo.head)
    run_id = review(repo, "--quick", home=home).json["run_id"]
    state = prview("state", "--json", home=home, repo=repo.path).json
    assert (state["branch"], state["latest_run_for_head"]["run_id"]) == (None, run_id)


def test_a_linked_worktree_shares_runs_with_its_repository(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    linked = repo.worktree(tmp_path / "linked", "side")
    linked.write("a.txt", "a\n").commit()
    inside = review(linked, "--quick", home=home).pack
    outside = review(repo, "side", "--quick", home=home).pack
    assert inside.parent == outside.parent


def test_a_remote_branch_and_a_remote_base_are_enough(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    repo.checkout("main")
    clone = repo.clone(tmp_path / "clone")
    done = review(clone, "topic", "--quick", home=home)
    assert (done.json["base_used"], done.json["base_fallback"]) == (["origin/main"], False)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["a.txt"]


def test_several_bases_on_one_line_are_reviewed_against_the_nearest(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    repo.branch("stacked").write("b.txt", "b\n").commit()
    done = review(repo, "stacked", "main", "topic", "--quick", home=home)
    assert done.json["base_used"] == ["main", "topic"]
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["b.txt"]


def test_a_branch_without_changes_is_no_pass(repo: GitRepo, home: Path) -> None:
    done = review(repo, home=home)
    assert done.json["verdict"] == "CONDITIONAL"
    assert "topic changes nothing since main" in done.json["caveats"]


def test_a_bare_repository_is_reviewed_without_running_its_code(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    repo.write("src/pkg/core.py", BROKEN).commit()
    bare = repo.clone(tmp_path / "bare.git", "--bare")
    done = review(bare, "topic", "main", home=home)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["src/pkg/core.py"]
    assert done.gate("pytest")["status"] == "SKIPPED"


def test_a_sha256_repository_is_reviewed(home: Path, tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", object_format="sha256").write("a.txt", "a\n")
    base = repo.commit()
    repo.branch("topic").write("a.txt", "b\n").commit()
    run = review(repo, "--quick", home=home).stored("00_summary/RUN.json")
    assert (run["merge_base"], run["commit"]) == (base, repo.head)


# --- refusals -----------------------------------------------------------------------------------------------


def refused(repo: Path, home: Path, *words: str) -> str:
    """What is said when there is no review; both commands must refuse, and nothing may be stored."""
    done = prview(*words, "--quick", home=home, repo=repo)
    assert (done.code, done.stdout) == (2, "")
    assert prview("gate", *words, home=home, repo=repo).code == 3
    assert not list((home / "prview").rglob("RUN.json"))
    return done.stderr


def test_a_folder_that_is_no_repository_is_refused(home: Path, tmp_path: Path) -> None:
    assert "hint: " in refused(tmp_path, home)


def test_an_unborn_branch_is_refused(home: Path, tmp_path: Path) -> None:
    assert "has no commits yet" in refused(GitRepo.create(tmp_path / "r").path, home)


def test_a_repository_without_a_base_is_refused(home: Path, tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r", branch="only").write("a", "")
    repo.commit()
    assert "no base to compare with" in refused(repo.path, home)


def test_an_unknown_base_or_target_is_refused(repo: GitRepo, home: Path) -> None:
    assert "'nowhere' names no commit" in refused(repo.path, home, "topic", "nowhere")
    assert "nowhere" in refused(repo.path, home, "nowhere")


def test_unrelated_histories_are_refused(repo: GitRepo, home: Path) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("other root")
    assert "hint: " in refused(repo.path, home)


def test_a_shallow_clone_without_the_merge_base_is_refused(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    clone = repo.clone(tmp_path / "clone", "--depth=1", "--no-single-branch")
    assert "shallow" in refused(clone.path, home, "origin/topic", "origin/main")


def test_runs_are_never_kept_inside_of_the_work_tree(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    done = prview("--quick", home=repo.path, repo=repo.path)
    assert done.code == 2
    assert "never written" in done.stderr
    assert not (repo.path / "prview").exists()


def test_a_variable_of_an_outer_git_process_changes_nothing(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    other = GitRepo.create(tmp_path / "other").write("a", "")
    other.commit()
    repo.write("a.txt", "a\n").commit()
    leaked = {"GIT_DIR": str(other.path / ".git"), "GIT_INDEX_FILE": str(other.path / ".git/index")}
    done = review(repo, "--quick", home=home, env=leaked)
    assert [file["path"] for file in done.stored("report.json")["files"]] == ["a.txt"]


# --- edges of the command -----------------------------------------------------------------------------------


def test_progress_goes_to_stderr_and_the_result_to_stdout(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    done = prview("--quick", home=home, repo=repo.path)
    assert done.stdout.startswith("PASS  ")
    assert re.search(r"^prview: (\d+)/\1: ", done.stderr, re.MULTILINE), done.stderr
    quiet = prview("--quick", "--quiet", home=home, repo=repo.path)
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_a_repository_is_found_from_a_folder_in_it(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    assert prview("--quick", home=home, cwd=repo.path / "src").code == 0


def test_a_refusal_under_json_is_one_document(home: Path, tmp_path: Path) -> None:
    done = prview("--json", "--quiet", home=home, repo=tmp_path / "nothing")
    assert done.code == 2
    assert json.loads(done.stdout)["error_class"] == "repo_not_found"
    assert done.stderr == ""


def test_a_typo_in_the_gate_is_not_a_verdict(repo: GitRepo, home: Path) -> None:
    assert prview("gate", "--stict", home=home, repo=repo.path).code == 3


def test_the_doctor_says_where_each_program_was_found(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    done = prview("doctor", "--json", home=home, repo=repo.path)
    programs = {program["name"]: program for program in done.json["programs"]}
    assert programs["pytest"]["path"] == str(repo.path / ".venv/bin/pytest")
    assert programs["ruff"]["origin"] == "PATH"
    bare = prview("doctor", "--json", home=home, repo=repo.path, path=git_alone(tmp_path / "bin"))
    assert {p["name"]: p["path"] for p in bare.json["programs"]}["ruff"] is None


def test_runs_are_listed_the_newest_first(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + TEST).commit()
    made = [review(repo, "--quick", home=home).json["run_id"] for _ in range(2)]
    listed = prview("runs", "list", "--json", home=home, repo=repo.path).json["runs"]
    assert [run["run_id"] for run in listed] == made[::-1]
    assert {run["status"] for run in listed} == {"completed"}


def test_a_taken_branch_is_refused_and_the_refused_run_leaves_nothing(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    first = review(repo, "--quick", home=home)
    with FileLock(first.pack.parent / ".lock").acquire({"run_id": "20200101-000000-abcdef0"}):
        done = prview("--quick", "--json", "--quiet", home=home, repo=repo.path)
        assert (done.code, done.json["error_class"]) == (2, "storage_locked")
        assert done.json["active_run_id"] == "20200101-000000-abcdef0"
        assert prview("gate", home=home, repo=repo.path).code == 3
    assert kept_runs(home) == [first.json["run_id"]]
