"""The commands beside `trex`, as somebody types them, in one process."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from codevetter_verify import __version__
from codevetter_verify.cli import main
from support.trex import widget

if TYPE_CHECKING:
    from pathlib import Path

    from support.repos import GitRepo


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CODEVETTER_HOME", str(tmp_path / "state"))
    return widget(tmp_path / "widget")


class Told:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def codevetter(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> Told:
        monkeypatch.setattr("sys.argv", ["codevetter", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfd.readouterr()
        return Told(int(ended.value.code or 0), captured.out, captured.err)

    return run


def test_enabling_showing_and_disabling_a_repository(codevetter: Any, repo: GitRepo) -> None:
    path = str(repo.path)
    given = codevetter(
        "verify", "enable", "--repo", path, "--ttl", "7d", "--preview-host", "*.A.example", "--json"
    ).json
    assert (given["enabled"], given["preview_hosts"]) == (True, ["*.a.example"])
    assert given["expires_at"] > given["changed_at"]
    assert codevetter("verify", "status", "--json").json["repositories"] == [given]
    assert codevetter("verify", "disable", "--repo", path, "--json").json["enabled"] is False
    told = codevetter("verify", "status", "--repo", path)
    assert "not enabled: disabled by" in told.out


def test_another_folder_of_the_repository_means_the_repository(codevetter: Any, repo: GitRepo) -> None:
    given = codevetter("verify", "enable", "--repo", str(repo.path), "--json").json
    inside = codevetter("verify", "status", "--repo", str(repo.path / "web"), "--json").json
    assert inside["repositories"][0]["repo_id"] == given["repo_id"]


@pytest.mark.parametrize("ttl", ["7", "0d", "d", "1w", "-1h", "1h 2m"])
def test_a_time_that_is_none_is_refused(codevetter: Any, repo: GitRepo, ttl: str) -> None:
    told = codevetter("verify", "enable", "--repo", str(repo.path), "--ttl", ttl, "--json")
    assert (told.code, told.json["error_class"], told.json["field"]) == (2, "invalid_input", "ttl")
    assert codevetter("verify", "status").out.strip() == "verification is enabled for no repository"


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("claude", '"mcpServers"'),
        ("codex", "[mcp_servers.codevetter-verify]"),
        ("cursor", '"mcpServers"'),
        ("vscode", '"servers"'),
    ],
)
def test_the_configuration_of_a_host_names_the_absolute_server_and_the_id(
    codevetter: Any, repo: GitRepo, host: str, words: str
) -> None:
    given = codevetter("verify", "enable", "--repo", str(repo.path), "--json").json
    told = codevetter("verify", "config", "--repo", str(repo.path), "--host", host)
    assert words in told.out
    assert given["repo_id"] in told.out
    assert "/codevetter-verify-mcp" in told.out


def test_there_is_no_configuration_for_a_repository_that_is_not_enabled(
    codevetter: Any, repo: GitRepo
) -> None:
    told = codevetter("verify", "config", "--repo", str(repo.path))
    assert told.code == 2
    assert "codevetter verify enable" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ("trex", "--preview", "https://a.example/"),
        ("trex", "--range", "a..b"),
        ("trex", "--range", "a..b", "--preview", "https://a.example/", "--screenshots", "never"),
    ],
)
def test_a_verification_needs_one_change_and_one_preview(
    codevetter: Any, repo: GitRepo, words: tuple[str, ...]
) -> None:
    told = codevetter(*words, "--repo", str(repo.path), "--json")
    assert (told.code, told.json["error_class"]) == (2, "invalid_input")


def test_the_help_offers_both_kinds_of_change(codevetter: Any) -> None:
    told = codevetter("trex", "--help")
    assert (told.code, "--pr N" in told.out, "--range A..B" in told.out) == (0, True, True)


def test_a_change_is_given_in_one_way_only(codevetter: Any, repo: GitRepo) -> None:
    told = codevetter(
        "trex", "--range", "a..b", "--pr", "4", "--preview", "https://a.example/", "--repo", str(repo.path)
    )
    assert told.code == 2
    assert "'--range' or '--pr', not both" in told.err


def test_a_number_needs_an_origin_on_github(codevetter: Any, repo: GitRepo) -> None:
    told = codevetter(
        "trex", "--pr", "4", "--preview", "https://a.example/", "--repo", str(repo.path), "--json"
    )
    assert (told.code, told.json["error_class"]) == (2, "invalid_input")
    assert "git remote add origin" in told.json["message"]
    assert codevetter("receipts", "list", "--json").json == {"receipts": []}


def test_wrong_usage_names_the_range_and_shows_no_json(codevetter: Any, repo: GitRepo) -> None:
    place = ("--preview", "https://a.example/", "--repo", str(repo.path))
    assert "'--range'" in codevetter("trex", *place).err
    refused = codevetter("trex", "--range", "main", *place)
    assert (refused.code, "--range" in refused.err, "{" in refused.err) == (2, True, False)


def test_the_version_is_asked_for_as_of_every_tool(codevetter: Any) -> None:
    assert codevetter("--version").out == f"codevetter, version {__version__}\n"


def test_a_second_enabling_keeps_the_limits_that_it_does_not_give(codevetter: Any, repo: GitRepo) -> None:
    """Else an owner who repeats the command would allow any host for ever, without a word."""
    enable = ("verify", "enable", "--repo", str(repo.path))
    first = codevetter(*enable, "--ttl", "7d", "--preview-host", "*.a.example", "--json").json
    again = codevetter(*enable, "--json").json
    limits = {"expires_at": first["expires_at"], "preview_hosts": ["*.a.example"]}
    assert {name: again[name] for name in limits} == limits
    assert again["previous"] == limits
    told = codevetter(*enable, "--preview-host", "b.example").out
    assert "previews    b.example" in told
    assert f"before      until {first['expires_at']}; previews on *.a.example" in told
    freed = codevetter(*enable, "--forget-limits", "--json").json
    assert ("expires_at" in freed, freed["preview_hosts"]) == (False, [])


def test_there_is_no_configuration_for_a_repository_that_was_disabled(codevetter: Any, repo: GitRepo) -> None:
    """The server it names would not start."""
    codevetter("verify", "enable", "--repo", str(repo.path))
    codevetter("verify", "disable", "--repo", str(repo.path))
    told = codevetter("verify", "config", "--repo", str(repo.path))
    assert (told.code, told.out) == (2, "")
    assert f"codevetter verify enable --repo {repo.path}" in told.err


def test_a_folder_outside_every_repository_is_named(codevetter: Any, repo: GitRepo, tmp_path: Path) -> None:
    del repo
    told = codevetter("verify", "enable", "--repo", str(tmp_path), "--json")
    assert (told.code, told.json["error_class"]) == (2, "scope_unavailable")
    assert str(tmp_path) in told.json["message"]


def test_an_unknown_receipt_is_not_found(codevetter: Any, repo: GitRepo) -> None:
    del repo
    told = codevetter("receipts", "show", "trex-preview-0", "--json")
    assert (told.code, told.json["error_class"]) == (2, "receipt_not_found")
    assert codevetter("receipts", "list").out.strip() == "no receipts are stored"


def test_receipts_are_listed_and_shown(codevetter: Any, repo: GitRepo) -> None:
    """A run against nobody needs no browser."""
    where = ("--repo", str(repo.path))
    ran = codevetter("trex", *where, "--range", "main..feature", "--preview", "http://127.0.0.1:9/", "--json")
    assert (ran.code, ran.json["verdict"]) == (2, "no_confidence")
    (line,) = codevetter("receipts", "list", *where, "--json").json["receipts"]
    assert line["run_id"] == ran.json["run_id"]
    shown = codevetter("receipts", "show", line["run_id"])
    assert shown.code == 0
    assert shown.out.startswith("no_confidence\n  no confidence: ")
    assert line["run_id"] in shown.out
    said = [part.strip(" -") for part in shown.out.splitlines() if "127.0.0.1:9 did not answer" in part]
    assert len(said) == 1, "the reason once, not again as a limit"


def test_part_of_a_run_id_names_a_receipt_and_nothing_the_newest_of_this_repository(
    codevetter: Any, run_id: str, repo: GitRepo, tmp_path: Path
) -> None:
    where = ("--repo", str(repo.path))
    second = codevetter("trex", *where, "--range", "main..feature", "--preview", NOBODY, "--json").json[
        "run_id"
    ]
    assert codevetter("receipts", "show", *where, "--json").json["run_id"] == second
    for part in (run_id[-6:], run_id.removeprefix("trex-preview-")):
        assert codevetter("receipts", "show", part, "--json").json["run_id"] == run_id
    assert codevetter("receipts", "export", second[-6:]).json["run_id"] == second
    page = codevetter("receipts", "open", *where, "--output", str(tmp_path / "page.html"))
    assert page.out.strip().endswith("page.html")
    several = codevetter("receipts", "show", "trex-preview-")
    assert (several.code, run_id in several.err, second in several.err) == (2, True, True)
    nobody = codevetter("receipts", "show", "_%")
    assert (nobody.code, "no receipt of run '_%' is stored" in nobody.err) == (2, True)


def test_the_newest_receipt_of_a_repository_without_one_is_not_found(codevetter: Any, repo: GitRepo) -> None:
    told = codevetter("receipts", "show", "--repo", str(repo.path), "--json")
    assert (told.code, told.json["error_class"]) == (2, "receipt_not_found")


def test_a_state_folder_inside_a_repository_is_refused(
    codevetter: Any, repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEVETTER_HOME", str(repo.path / "state"))
    told = codevetter("receipts", "list", "--json")
    assert (told.code, told.json["error_class"]) == (2, "storage_failed")
    assert not (repo.path / "state" / "codevetter.sqlite3").exists()


def test_the_doctor_says_what_is_missing_and_what_to_do(
    codevetter: Any, repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    del repo
    monkeypatch.setenv("CODEVETTER_BROWSER", "/nowhere/chromium")
    told = codevetter("doctor", "--json")
    assert (told.code, told.json["ok"]) == (2, False)
    assert "browser" not in told.json
    assert "playwright install chromium" in told.json["problems"][0]
    assert "missing" in codevetter("doctor").out


NOBODY = "http://127.0.0.1:9/"


@pytest.fixture
def run_id(codevetter: Any, repo: GitRepo) -> str:
    """The receipt of a run against nobody, which needs no browser."""
    ran = codevetter(
        "trex", "--repo", str(repo.path), "--range", "main..feature", "--preview", NOBODY, "--json"
    )
    return str(ran.json["run_id"])


def test_a_receipt_is_exported_as_the_bytes_that_its_digest_is_of(
    codevetter: Any, run_id: str, tmp_path: Path
) -> None:
    target = tmp_path / "receipt.json"
    told = codevetter("receipts", "export", run_id, "--output", str(target))
    assert told.out.strip() == str(target)
    statement = codevetter("receipts", "export", run_id, "--format", "intoto").json
    assert statement["predicate"]["configuration"][0]["digest"] == {
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest()
    }
    assert json.loads(target.read_bytes()) == codevetter("receipts", "show", run_id, "--json").json


def test_an_exported_page_is_one_document(codevetter: Any, run_id: str) -> None:
    told = codevetter("receipts", "export", run_id, "--format", "html")
    assert told.out.lower().startswith("<!doctype html>")
    assert run_id in told.out


def test_a_run_that_never_knew_its_commit_attests_nothing(codevetter: Any, repo: GitRepo) -> None:
    where = ("--repo", str(repo.path), "--preview", NOBODY)
    ran = codevetter("trex", "--range", "main..gone", *where, "--json").json
    told = codevetter("receipts", "export", ran["run_id"], "--format", "intoto")
    assert (told.code, told.out) == (2, "")
    assert "names no head commit" in told.err


def test_receipts_are_pruned_by_every_rule_that_is_given(codevetter: Any, repo: GitRepo, run_id: str) -> None:
    where = ("--repo", str(repo.path))
    kept = codevetter("trex", *where, "--range", "main..feature", "--preview", NOBODY, "--json").json[
        "run_id"
    ]
    assert codevetter(
        "receipts", "prune", *where, "--keep-last", "0", "--older-than", "1h", "--json"
    ).json == {
        "run_ids": [],
        "kept": 2,
        "dry_run": False,
    }
    assert codevetter("receipts", "prune", "--keep-last", "1", "--dry-run", "--json").json["run_ids"] == [
        run_id
    ]
    told = codevetter("receipts", "prune", "--keep-last", "1")
    assert told.out == f"{run_id}\n1 removed, 1 kept\n"
    assert [line["run_id"] for line in codevetter("receipts", "list", "--json").json["receipts"]] == [kept]


def test_pruning_without_a_rule_removes_nothing(codevetter: Any, run_id: str) -> None:
    told = codevetter("receipts", "prune")
    assert (told.code, "--keep-last" in told.err) == (2, True)
    assert codevetter("receipts", "show", run_id).code == 0


def test_a_tampered_receipt_is_said_to_be_one_and_can_be_removed(
    codevetter: Any, repo: GitRepo, run_id: str, tmp_path: Path
) -> None:
    other = codevetter(
        "trex", "--repo", str(repo.path), "--range", "main..feature", "--preview", NOBODY, "--json"
    ).json
    with contextlib.closing(sqlite3.connect(tmp_path / "state" / "codevetter.sqlite3")) as database:
        database.execute(
            "UPDATE receipts SET document = CAST(replace(document, 'no_confidence', 'failed') AS BLOB) WHERE run_id = ?",
            (run_id,),
        )
        database.commit()
    assert "UNREADABLE" in codevetter("receipts", "list").out
    for words in (("show", run_id), ("export", run_id), ("export", run_id, "--format", "intoto")):
        told = codevetter("receipts", *words)
        assert (told.code, told.out) == (2, "")
        assert "its digest does not match" in told.err
    assert codevetter("receipts", "show", other["run_id"]).code == 0
    assert codevetter("receipts", "prune", "--keep-last", "1", "--json").json["run_ids"] == [run_id]
