"""A pull request, verified as a user does it: by its number, through `gh` or through the API, in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from support import pulls, site_trees
from support.codevetter import Bench
from support.fake_github import fake_github
from support.preview_site import PreviewSite
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIGNED_OUT = {"GH_TOKEN": "", "GITHUB_TOKEN": "", "GH_HOST": ""}


@pytest.fixture
def machine(tmp_path: Path) -> Bench:
    """A shop whose feature branch changes what two pages import, and what only a dynamic one does."""
    repo = GitRepo.create(tmp_path / "shop").write_many(site_trees.NEXT_APP)
    repo.commit()
    repo.branch("feature").write("src/lib/money.ts", "export const money = 1")
    repo.write("src/lib/posts.ts", "export const read = 1").commit("change")
    repo.git("remote", "add", "origin", pulls.ORIGIN.lower())
    (tmp_path / "tmp").mkdir()
    return Bench(repo, tmp_path)


@pytest.fixture
def site(machine: Bench) -> Iterator[PreviewSite]:
    with PreviewSite(revision=machine.repo.resolve("feature")) as running:
        running.page("/cart", "<h1>Cart</h1><p>Nothing in it.</p>")
        yield running


def test_a_pull_request_is_visited_where_its_imports_lead(machine: Bench, site: PreviewSite) -> None:
    before = snapshot(machine.repo.path)
    gh = pulls.stand_in_gh(machine.folder / "bin", pulls.answers(machine.repo))
    place = ("--repo", str(machine.repo.path), "--preview", site.url, "--json")
    ran = machine.run("trex", "--pr", "42", *place, PATH=pulls.on_path(gh), **SIGNED_OUT)
    receipt = json.loads(ran.stdout)
    assert (ran.returncode, receipt["verdict"], receipt["source"]["input"]) == (
        0,
        "passed_with_limits",
        pulls.PULL,
    ), receipt["summary"]
    assert [journey["route"] for journey in receipt["journeys"]] == ["/", "/cart"]
    assert receipt["ledger"] == [
        {
            "path": "src/lib/money.ts",
            "outcome": "exercised",
            "route": "/cart",
            "reason": "src/lib/money.ts changed: src/app/(shop)/cart/page.tsx imports it "
            "through src/components/index.ts, src/components/Total.tsx",
        },
        {
            "path": "src/lib/posts.ts",
            "outcome": "dynamic",
            "reason": "only dynamic pages show it; src/app/blog/[slug]/page.tsx: "
            "the value of [slug] in /blog/[slug] is not guessed",
        },
    ]
    assert snapshot(machine.repo.path) == before


def test_without_gh_the_api_is_asked_and_a_dead_preview_is_a_receipt(machine: Bench) -> None:
    with fake_github() as github:
        pulls.serve(github, pulls.answers(machine.repo))
        place = ("--repo", str(machine.repo.path), "--preview", "http://127.0.0.1:9/", "--json")
        api = {**SIGNED_OUT, "CODEVETTER_GITHUB_API": github.url}
        ran = machine.run("trex", "--pr", pulls.PULL, *place, **api)
    receipt = json.loads(ran.stdout)
    assert (ran.returncode, receipt["causes"], receipt["retryable"]) == (2, ["preview_unreachable"], True)
    assert machine.json("receipts", "show", receipt["run_id"]) == receipt
    assert {token for _, token in github.asked} == {None}
