"""Packs from outside: equal reviews give equal bytes, secrets stay out, old packs go on request."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

import pytest

from support.prview_client import kept_runs
from support.prview_project import CORE, project, prview, review
from support.prview_review import timeless
from support.sarif import check_sarif
from support.secret_samples import PRIVATE_KEY, SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from support.repos import GitRepo

TOKEN = SAMPLES["github-token"]


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project with a clean base and the branch `topic` checked out."""
    return project(tmp_path / "repo")


def contents(pack: Path) -> dict[str, bytes]:
    """Every file of a pack."""
    return {
        path.relative_to(pack).as_posix(): path.read_bytes() for path in pack.rglob("*") if path.is_file()
    }


def test_two_homes_get_the_same_bytes_but_for_moments_and_durations(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n" + CORE + "\n\ndef gone():\n    return nowhere\n").commit(
        "One"
    )
    repo.write("big.txt", "line\n" * 90).commit("Two")
    packs = []
    for name in ("one", "two"):
        (home / name).mkdir()
        packs.append(contents(review(repo, "--quick", home=home / name).pack))
    one, two = packs
    assert one.keys() == two.keys()
    hashes = {"00_summary/MANIFEST.json", "00_summary/SANITY.json", "artifacts.zip"}
    for name in one.keys() - hashes:
        lines = [sorted(timeless(content).splitlines()) for content in (one[name], two[name])]
        # checks end in any order: only the log of the run shows it
        same = lines[0] == lines[1] if name == "run.log" else timeless(one[name]) == timeless(two[name])
        assert same, name
    blank = re.compile(rb"[0-9a-f]{64}|\d+")
    for name in hashes - {"artifacts.zip"}:
        assert blank.sub(b"", one[name]) == blank.sub(b"", two[name])


def test_a_secret_blocks_and_is_in_no_file_of_the_pack(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/settings.py", f'import os; TOKEN = "{TOKEN}"\n').write("key.pem", PRIVATE_KEY)
    repo.commit(f"Use {TOKEN}")
    review(repo, "--quick", home=home)
    assert any("cache" in file.parts for file in home.rglob("*") if file.is_file())
    repo.write(f"notes/{TOKEN}/a.py", "import os\n").commit("Name it")
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "BLOCK"
    assert done.gate("secrets")["reason"] == "3 introduced, 0 preexisting"
    secrets = [TOKEN.encode(), *(line.encode() for line in PRIVATE_KEY.split("\n")[1:-1])]
    for name, content in contents(done.pack).items():
        assert not any(secret in content for secret in secrets), name
    with zipfile.ZipFile(done.pack / "artifacts.zip") as archive:
        for name in archive.namelist():
            assert not any(secret in archive.read(name) for secret in secrets), name
    for file in (file for file in home.rglob("*") if file.is_file()):  # what later runs use, too
        assert not any(secret in file.read_bytes() for secret in secrets), file
        assert TOKEN not in str(file)
    sarif = (done.pack / "30_context/INLINE_FINDINGS.sarif").read_text()
    assert "notes/%5Bmasked%3Agithub-token%5D/a.py" in sarif
    masked = [entry["path"] for entry in done.stored("00_summary/MANIFEST.json")["files"] if entry["masked"]]
    assert masked == done.stored("00_summary/MERGE_GATE.json")["files"]["masked"]
    assert "10_diff/full.patch" in masked
    assert any("secrets are masked" in caveat for caveat in done.json["caveats"])
    assert TOKEN not in done.stdout + done.stderr


def test_a_secret_that_the_change_removes_is_masked_and_no_finding(repo: GitRepo, home: Path) -> None:
    repo.checkout("main").write("a.txt", f"token {TOKEN}\nkept\n").commit("leak")
    repo.branch("cleanup").write("a.txt", "kept\n").commit("Remove it")
    done = review(repo, "--quick", home=home)
    assert done.json["verdict"] == "PASS"
    assert b"-token [masked:github-token]\n" in (done.pack / "10_diff/full.patch").read_bytes()


def test_the_sarif_file_of_a_real_review_is_valid(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/größe #1.py", f'import os\nT = "{TOKEN}"\nprint(nowhere)\n').commit()
    run = check_sarif(
        (review(repo, "--quick", home=home).pack / "30_context/INLINE_FINDINGS.sarif").read_bytes()
    )
    assert {"secrets/github-token", "ruff/F401", "ruff/F821"} <= {
        result["ruleId"] for result in run["results"]
    }


def test_old_runs_go_on_request_and_the_newest_stays(repo: GitRepo, home: Path) -> None:
    repo.write("a.txt", "a\n").commit()
    made = [review(repo, "--quick", home=home).json["run_id"] for _ in range(3)]
    assert prview("runs", "prune", home=home, repo=repo.path).code == 2
    tried = prview("runs", "prune", "--keep", "1", "--dry-run", "--json", home=home, repo=repo.path).json
    assert [run["run_id"] for run in tried["removed"]] == made[1::-1]
    assert len(kept_runs(home)) == 3
    done = prview("runs", "prune", "--keep", "0", "--all", "--json", home=home, repo=repo.path).json
    assert [run["run_id"] for run in done["removed"]] == made[1::-1]
    assert done["freed_bytes"] > 10_000
    assert kept_runs(home) == made[2:]
    assert (
        prview("state", "--json", home=home, repo=repo.path).json["latest_run_for_head"]["run_id"] == made[2]
    )


def test_the_second_run_shows_the_first_in_its_trend(repo: GitRepo, home: Path) -> None:
    repo.write("src/pkg/core.py", "import os\n" + CORE).commit()
    review(repo, "--quick", home=home)
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    page = (review(repo, "--quick", home=home).pack / "dashboard.html").read_text()
    assert "New findings of the last 2 runs, the oldest first: CONDITIONAL with" in page
