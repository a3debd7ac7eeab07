"""The commands around a review: why, open, set up, and every way to leave a step or take it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
import yaml

from prview.commands.options import STEPS as OFFERED
from prview.domain.policy_reading import read_policy
from prview.domain.project import Project, read_project
from prview.service.selection import SIGNALS_STEP, STEPS
from support.prview_project import CORE, own_tool, project, prview, review
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

UNUSED = "import os\n\n\n" + CORE


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project with a clean base and the branch `topic` checked out."""
    return project(tmp_path / "repo")


# --- explain ------------------------------------------------------------------------------------------------


def test_what_blocks_is_explained_with_its_evidence_and_the_way_out(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n\n\ndef add(a, b):\n    return a + nowhere\n").commit()
    run_id = review(repo, "--quick", home=home).json["run_id"]
    said = prview("explain", "--json", home=home, repo=repo.path).json
    assert (said["run_id"], said["verdict"], said["allow_merge"]) == (run_id, "BLOCK", False)
    issue = said["issues"][0]
    assert (issue["check"], issue["effect"]) == ("ruff", "blocks")
    assert [item["rule"] for item in issue["evidence"]] == ["ruff/F821", "ruff/F401"]
    assert issue["files"][0] == "20_quality/ruff.result.json"
    assert "`ruff check src/pkg/core.py`" in issue["fix"][0]
    text = prview("explain", run_id[-7:], home=home, repo=repo.path).stdout
    assert "ruff blocks: 2 introduced, 0 preexisting\n  src/pkg/core.py:5  ruff/F821  " in text
    assert "  -> correct the places above" in text
    unknown = prview("findings", "nothing", home=home, repo=repo.path)
    assert (unknown.code, "`prview runs list --all`" in unknown.stderr) == (2, True)


def test_what_could_not_be_seen_is_explained(repo: GitRepo, home: Path) -> None:
    own_tool(repo, "ruff", "#!/bin/sh\necho 'ruff 1'\n")
    repo.write("src/pkg/core.py", CORE + "\n").write("tool.rb", "puts 1\n").commit()
    review(repo, "--quick", home=home)
    issues = prview("explain", "--json", home=home, repo=repo.path).json["issues"]
    effects = {issue["check"]: issue["effect"] for issue in issues}
    assert effects["ruff"] == "is unknown"
    assert effects["coverage"] == "is unknown"
    assert any("20_quality/ruff.log" in step for issue in issues for step in issue["fix"])


def test_a_pass_needs_no_explanation_and_says_so(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    review(repo, "--quick", home=home)
    said = prview("explain", "--json", home=home, repo=repo.path).json
    assert (said["verdict"], said["issues"]) == ("PASS", [])


def test_in_shadow_what_would_block_is_explained(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    policy = tmp_path / "shadow.yml"
    policy.write_text("version: 1\nmode: shadow\n")
    repo.write("src/pkg/core.py", UNUSED).commit()
    review(repo, "--quick", "--policy-file", str(policy), home=home)
    said = prview("explain", "--json", home=home, repo=repo.path).json
    assert [(issue["check"], issue["effect"]) for issue in said["issues"]] == [("ruff", "asks for a look")]


def test_a_run_that_is_not_there_cannot_be_explained(repo: GitRepo, home: Path) -> None:
    done = prview("explain", "--json", home=home, repo=repo.path)
    assert (done.code, done.json["error_class"]) == (2, "run_not_found")
    done = prview("explain", "20200101-000000-abcdef0", "--json", home=home, repo=repo.path)
    assert (done.code, done.json["error_class"]) == (2, "run_not_found")


# --- open ---------------------------------------------------------------------------------------------------


def test_the_dashboard_is_shown_by_the_users_browser(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    pack = review(repo, "--quick", home=home).pack
    shown = home / "shown"
    browser = home / "browser"
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{shown}'\n")
    browser.chmod(0o755)
    done = prview("open", home=home, repo=repo.path, env={"BROWSER": f"{browser} %s"})
    assert (done.code, done.stdout) == (0, f"{pack}/dashboard.html\n")
    assert shown.read_text().strip() == (pack / "dashboard.html").as_uri()
    shown.unlink()
    none = dict.fromkeys(("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"), "")
    assert prview("open", "--print", home=home, repo=repo.path, env={"BROWSER": f"{browser} %s"}).code == 0
    assert prview("open", "--json", home=home, repo=repo.path, env=none).json["opened"] is False
    assert not shown.exists()


def test_a_pack_for_agents_has_neither_dashboard_nor_archive(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    done = review(repo, "--quick", "--ai-only", home=home)
    names = {path.relative_to(done.pack).as_posix() for path in done.pack.rglob("*")}
    assert names.isdisjoint({"dashboard.html", "artifacts.zip"})
    assert {"AI_INDEX.md", "00_summary/SANITY.json", "30_context/INLINE_FINDINGS.sarif"} <= names
    assert "artifacts.zip" not in (done.pack / "AI_INDEX.md").read_text()
    assert prview("open", home=home, repo=repo.path).stdout == f"{done.pack}\n"


# --- init ---------------------------------------------------------------------------------------------------


def actions(repo: GitRepo, home: Path, *words: str) -> dict[str, str]:
    """What became of every file."""
    done = prview("init", *words, "--json", home=home, repo=repo.path)
    assert done.code == 0, done
    return {file["path"]: file["action"] for file in done.json["files"]}


def test_a_project_is_set_up_with_files_that_are_read(repo: GitRepo, home: Path) -> None:
    written = actions(repo, home, "policy", "settings", "pre-commit", "lefthook", "husky", "ci", "mcp")
    assert set(written.values()) == {"written"}
    policy = repo.file(".prview-policy.yml").read_text()
    assert read_policy(policy, path="p", source="s", checks=()).mode == "warn"
    commented = "\n".join(line.removeprefix("#") for line in policy.splitlines() if line.startswith("#  "))
    assert set(yaml.safe_load(commented)) == {"pytest", "signal_todo", "ruff/F401"}
    assert read_project(repo.file("prview.toml").read_text(), path="p") == Project()
    workflow = yaml.safe_load(repo.file(".github/workflows/prview.yml").read_text())
    checkout = workflow["jobs"]["gate"]["steps"][0]
    assert checkout["with"]["fetch-depth"] == 0
    assert "@" in workflow["jobs"]["gate"]["steps"][1]["uses"], "the action of the repository we come from"
    hook = yaml.safe_load(repo.file(".pre-commit-config.yaml").read_text())["repos"][0]["hooks"][0]
    assert (hook["entry"], hook["stages"]) == ("prview gate", ["pre-push"])
    assert yaml.safe_load(repo.file("lefthook.yml").read_text())["pre-push"]["commands"]["prview"]
    assert os.access(repo.file(".husky/pre-push"), os.X_OK)
    server = json.loads(repo.file(".mcp.json").read_text())["mcpServers"]["prview"]
    assert server == {"type": "stdio", "command": "prview", "args": ["mcp"]}, "nothing of this machine"
    assert set(actions(repo, home, "policy", "ci", "mcp").values()) == {"unchanged"}


def test_what_is_there_is_kept_unless_forced(repo: GitRepo, home: Path) -> None:
    repo.write(".prview-policy.yml", "version: 1\nmode: block\n").write(
        ".pre-commit-config.yaml", "repos: []\n"
    )
    before = snapshot(repo.path)
    done = prview("init", "policy", "hook", home=home, repo=repo.path)
    assert done.stdout.count("kept ") == 2
    assert "      - id: prview\n" in done.stdout
    assert snapshot(repo.path) == before
    assert actions(repo, home, "policy", "--force") == {".prview-policy.yml": "overwritten"}
    assert "mode: warn" in repo.file(".prview-policy.yml").read_text()


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ("README.md", ".pre-commit-config.yaml"),
        (".husky/pre-commit", ".husky/pre-push"),
        ("lefthook.yml", "lefthook.yml"),
    ],
)
def test_the_hook_is_that_of_the_manager_in_use(repo: GitRepo, home: Path, there: str, chosen: str) -> None:
    repo.write(there, "# something\n")
    assert list(actions(repo, home, "hook")) == [chosen]


def test_nothing_is_written_through_a_link_or_without_a_checkout(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    repo.symlink(".github", str(outside))
    done = prview("init", "ci", home=home, repo=repo.path)
    assert (done.code, list(outside.iterdir())) == (2, [])
    assert "is a link" in done.stderr
    bare = repo.clone(tmp_path / "bare.git", "--bare")
    assert prview("init", home=home, repo=bare.path).code == 2
    unknown = prview("init", "polcy", home=home, repo=repo.path)
    assert (unknown.code, "did you mean 'policy'?" in unknown.stderr) == (2, True)


def test_a_host_without_a_file_in_the_project_is_told_what_to_do(repo: GitRepo, home: Path) -> None:
    done = prview("init", "mcp", "--local", "--host", "codex", "--host", "vscode", home=home, repo=repo.path)
    assert "`prview mcp --register codex`" in done.stdout
    assert "kept" not in done.stdout
    entry = json.loads(repo.file(".vscode/mcp.json").read_text())["servers"]["prview"]
    assert entry["command"].startswith("/")
    assert "do not commit it" in done.stdout


# --- modes and steps ----------------------------------------------------------------------------------------


def test_every_step_can_be_taken_and_left(repo: GitRepo, home: Path) -> None:
    assert set(OFFERED) == {*STEPS, SIGNALS_STEP}
    repo.write("src/pkg/core.py", CORE.replace("a + b", "a - b")).commit()
    left = review(repo, "--quick", "--skip-lint", "--skip-signals", home=home)
    assert left.gate("ruff")["reason"] == "left out by --skip-lint"
    assert left.gate("signal_breaking")["reason"] == "left out by --skip-signals"
    assert left.json["verdict"] == "CONDITIONAL", "nobody read the Python file"
    assert review(repo, "--quick", home=home).gate("pytest")["status"] == "SKIPPED"
    taken = review(repo, "--quick", "--with-tests", home=home)
    assert (taken.gate("pytest")["status"], taken.json["verdict"]) == ("FAIL", "BLOCK")
    contradiction = prview("--quick", "--with-lint", "--skip-lint", home=home, repo=repo.path)
    assert contradiction.code in {0, 1}, "of two the last counts, as everywhere on a command line"


@pytest.mark.parametrize(
    "words",
    [
        ("--quick",),
        ("--deep",),
        ("--ci",),
        ("--ai-only",),
        ("--quick", "--with-tests", "--with-signals"),
        ("topic", "main"),
    ],
    ids=" ".join,
)
def test_a_clean_branch_passes_in_every_mode(repo: GitRepo, home: Path, words: tuple[str, ...]) -> None:
    repo.write("src/pkg/core.py", CORE.replace("a + b", "b + a")).commit("refactor: add the other way")
    done = review(repo, *words, home=home)
    assert (done.code, done.json["verdict"], done.json["allow_merge"]) == (0, "PASS", True), done.json[
        "caveats"
    ]


def test_quick_leaves_advice_out_unless_asked(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    done = review(repo, "--quick", home=home)
    assert done.gate("signal_hotspots")["policy_conclusion"] == "neutral"
    assert done.json["verdict"] == "PASS"
    assert review(repo, "--quick", "--with-signals", home=home).gate("signal_hotspots")["status"] == "PASS"


def test_a_review_is_kept_while_everything_is_the_same(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    first = review(repo, "--quick", home=home).json["run_id"]
    kept = review(repo, "--quick", "--update", home=home)
    assert kept.json["run_id"] == first
    assert kept.json["caveats"][0].startswith("kept the review of ")
    policy = tmp_path / "p.yml"
    policy.write_text("version: 1\nmode: shadow\n")
    changed: list[tuple[str, ...]] = [("--policy-file", str(policy)), ("--skip-signals",), ("--timeout", "9")]
    for words in changed:
        assert review(repo, "--quick", "--update", *words, home=home).json["run_id"] != first
    review(repo, "--quick", home=home)
    newest = review(repo, "--quick", "--update", home=home).json["run_id"]
    repo.write("untracked.txt", "x\n")
    assert review(repo, "--quick", "--update", home=home).json["run_id"] != newest
    repo.checkout("main").write("m.txt", "m\n").commit("base moved")
    repo.checkout("topic")
    newest = review(repo, "--quick", home=home).json["run_id"]
    assert review(repo, "--quick", "--update", home=home).json["run_id"] == newest
    repo.write("src/pkg/core.py", CORE + "\n\n").commit()
    assert review(repo, "--quick", "--update", home=home).json["run_id"] != newest


def test_a_review_that_lacked_something_is_made_again(repo: GitRepo, home: Path) -> None:
    repo.write("tool.rb", "puts 1\n").commit()
    first = review(repo, "--quick", home=home).json["run_id"]
    assert review(repo, "--quick", "--update", home=home).json["run_id"] != first


def test_in_ci_everything_is_looked_at_anew(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    review(repo, "--quick", home=home)
    assert review(repo, "--quick", home=home).gate("ruff")["cached"] is True
    assert review(repo, "--quick", "--ci", home=home).gate("ruff")["cached"] is False


def test_the_doctor_names_the_program_of_every_check_and_what_a_policy_can_name(
    repo: GitRepo, home: Path
) -> None:
    said = prview("doctor", "--json", home=home, repo=repo.path).json
    programs = {program["name"] for program in said["programs"]}
    assert {"git", "ruff", "mypy", "pytest", "bandit", "gh"} <= programs
    assert {"ruff", "pytest", "secrets", "policy", "signal_breaking"} <= set(said["checks"])
