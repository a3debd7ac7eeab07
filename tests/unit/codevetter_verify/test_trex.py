"""The one service, with a real repository, site and store, and a stand-in for the browser."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from codevetter_verify.domain.observation import ScriptError
from codevetter_verify.domain.records import Enablement
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.errors import (
    BrowserMissingError,
    InvalidInputError,
    RunInProgressError,
    ScopeUnavailableError,
    StorageFailedError,
)
from codevetter_verify.models import SourceSelector, VerifyChangePreviewRequest
from codevetter_verify.service.permit import EnabledRun
from codevetter_verify.service.run import Options
from codevetter_verify.service.scope import open_scope
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.trex import execute_trex_preview
from oskit.clock import now
from support import pulls
from support.fake_github import fake_github
from support.preview_site import Answer, PreviewSite, document
from support.trex import FACTS, Place, StandIn, observation, place, request_for

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import BrowserFacts, Visit
    from codevetter_verify.models import TrexPreviewReceipt
    from codevetter_verify.service.run import Visitor

pytestmark = pytest.mark.anyio


@pytest.fixture
async def where(tmp_path: Path) -> Place:
    return await place(tmp_path)


@pytest.fixture
def site(where: Place) -> Iterator[PreviewSite]:
    with PreviewSite(revision=where.repo.resolve("feature")) as running:
        yield running


async def trex(
    where: Place,
    preview: str,
    browser: Visitor | None = None,
    *,
    range_: str = "main..feature",
    options: Options | None = None,
) -> TrexPreviewReceipt:
    return await execute_trex_preview(
        request_for(preview, range_),
        scope=where.scope,
        store=where.store,
        browser=browser or StandIn(),
        options=options,
    )


async def test_a_verified_preview_whose_routes_pass_is_a_stored_pass(where: Place, site: PreviewSite) -> None:
    browser = StandIn(revision=where.repo.resolve("feature"))
    receipt = await trex(where, site.url, browser)
    assert (receipt.verdict, receipt.preview.status, receipt.causes) == ("passed_with_limits", "verified", ())
    assert [journey.route for journey in receipt.journeys] == ["/", "/about"]
    assert await where.store.receipt(receipt.run_id) == receipt
    assert [target.address for target in browser.orders[0].targets] == [site.url, site.url + "about"]


async def test_a_route_that_fails_fails_the_run(where: Place, site: PreviewSite) -> None:
    broken = StandIn(
        {"/about": lambda seen: observation(seen.route, state=None, interruption="navigation_failed")}
    )
    receipt = await trex(where, site.url, broken)
    assert (receipt.verdict, receipt.journeys[1].outcome) == ("failed", "failed")


async def test_a_preview_of_another_revision_never_starts_a_browser(where: Place, site: PreviewSite) -> None:
    site.revision = "9" * 40
    browser = StandIn()
    receipt = await trex(where, site.url, browser)
    assert (receipt.verdict, receipt.preview.status) == ("no_confidence", "mismatch")
    assert receipt.causes == ("revision_mismatch",)
    assert "9" * 40 in receipt.summary
    assert browser.orders == []


async def test_a_preview_without_revision_is_claimed(where: Place, site: PreviewSite) -> None:
    site.revision = None
    receipt = await trex(where, site.url)
    assert (receipt.verdict, receipt.preview.status) == ("passed_with_limits", "claimed")
    assert any("caller's claim" in limit for limit in receipt.limitations)


@pytest.mark.parametrize(
    ("path", "cause", "retryable"),
    [
        ("faults/status-401", RunCause.PREVIEW_WALL, None),
        ("faults/status-403", RunCause.PREVIEW_WALL, None),
        ("faults/status-429", RunCause.PREVIEW_SHIELD, True),
        ("faults/status-503", RunCause.PREVIEW_NOT_LIVE, True),
        ("faults/to-login", RunCause.PREVIEW_WALL, None),
        ("faults/loop", RunCause.PREVIEW_UNREACHABLE, True),
    ],
)
async def test_what_is_not_the_preview_is_a_stored_receipt_without_confidence(
    where: Place, site: PreviewSite, path: str, cause: RunCause, retryable: bool | None
) -> None:
    browser = StandIn()
    receipt = await trex(where, site.url + path, browser)
    assert (receipt.verdict, receipt.causes, receipt.retryable) == ("no_confidence", (cause,), retryable)
    assert browser.orders == []
    assert await where.store.receipt(receipt.run_id) == receipt


@pytest.mark.parametrize(
    ("range_", "cause"),
    [
        ("feature..main", RunCause.NOTHING_TO_VERIFY),
        ("main..gone", RunCause.SOURCE_UNRESOLVED),
    ],
)
async def test_a_range_without_a_change_is_a_receipt_and_asks_no_preview(
    where: Place, site: PreviewSite, range_: str, cause: RunCause
) -> None:
    receipt = await trex(where, site.url, range_=range_)
    assert (receipt.verdict, receipt.causes, receipt.preview.status) == (
        "no_confidence",
        (cause,),
        "unavailable",
    )
    assert site.log == []


async def test_a_revision_that_changes_during_the_run_takes_it_down(where: Place, site: PreviewSite) -> None:
    receipt = await trex(where, site.url, StandIn(revision="9" * 40))
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("revision_changed",))


async def test_a_head_that_moves_during_the_run_takes_it_down(where: Place, site: PreviewSite) -> None:
    async def force_push() -> None:
        where.repo.write("more.txt", "x").commit("more")

    receipt = await trex(where, site.url, StandIn(during=force_push))
    assert (receipt.verdict, receipt.causes, receipt.retryable) == ("no_confidence", ("head_moved",), True)


async def test_processes_that_survive_take_it_down(where: Place, site: PreviewSite) -> None:
    receipt = await trex(where, site.url, StandIn(facts=replace(FACTS, cleaned_up=False)))
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("cleanup_failed",))


class Raising:
    def __init__(self, error: Exception) -> None:
        self.error = error

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        raise self.error


async def test_no_browser_is_a_receipt_that_says_how_to_get_one(where: Place, site: PreviewSite) -> None:
    receipt = await trex(
        where, site.url, Raising(BrowserMissingError("no Chromium; run `apt install chromium`"))
    )
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("browser_missing",))
    assert "apt install chromium" in receipt.summary


async def test_a_defect_of_ours_is_a_receipt_too(
    where: Place, site: PreviewSite, caplog: pytest.LogCaptureFixture
) -> None:
    receipt = await trex(where, site.url, Raising(RuntimeError("a bug")))
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("internal_error",))
    assert "a bug" in caplog.text


class Waiting:
    """Visits `/`, then never comes back."""

    def __init__(self) -> None:
        self.waiting = anyio.Event()
        self.ended = anyio.Event()

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        del started
        try:
            await observed(observation(visit.targets[0].route))
            self.waiting.set()
            await anyio.sleep_forever()
        finally:
            self.ended.set()
        raise AssertionError


async def test_a_run_over_its_deadline_reports_what_it_saw(where: Place, site: PreviewSite) -> None:
    browser = Waiting()
    receipt = await trex(where, site.url, browser, options=Options(run_deadline_s=2))
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("run_deadline",))
    assert [journey.route for journey in receipt.journeys] == ["/"]
    assert "not judged: /about" in receipt.limitations
    assert browser.ended.is_set()


async def test_a_cancelled_run_stores_what_it_saw_and_frees_the_repository(
    where: Place, site: PreviewSite
) -> None:
    browser = Waiting()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(trex, where, site.url, browser)
        with anyio.fail_after(20):
            await browser.waiting.wait()
        with closing(sqlite3.connect(where.store.home / FILE_NAME)) as connection:
            (left,) = connection.execute("SELECT face, stage, routes FROM active_runs").fetchall()
        tasks.cancel_scope.cancel()
    # what a receipt could be made of, had the process been killed
    assert left[:2] == ("command", "visiting the routes")
    noted = [(note["route"], note["outcome"]) for note in json.loads(left[2])]
    assert noted == [("/", "passed"), ("/about", None)]
    (stored,) = await where.store.receipts()
    receipt = await where.store.receipt(stored.run_id)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("cancelled",))
    assert [journey.route for journey in receipt.journeys] == ["/"]
    assert (await trex(where, site.url)).verdict == "passed_with_limits"


async def test_a_second_run_of_a_repository_is_told_which_one_is_under_way(
    where: Place, site: PreviewSite
) -> None:
    browser = Waiting()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(trex, where, site.url, browser)
        with anyio.fail_after(20):
            await browser.waiting.wait()
        with pytest.raises(RunInProgressError):
            await trex(where, site.url)
        tasks.cancel_scope.cancel()
    assert len(await where.store.receipts()) == 1


async def disabled(where: Place) -> None:
    await where.store.disable(where.scope.repo_id, at=now(), by="ada")


async def out_of_time(where: Place) -> None:
    given = await where.store.enablement(where.scope.repo_id)
    assert given is not None
    await where.store.enable(replace(given, expires_at=now()))


async def moved(where: Place) -> None:
    where.repo.path.rename(where.repo.path.with_name("moved"))


async def replaced(where: Place) -> None:
    """A copy is not the folder that was there: what else is in it, nobody has looked at yet."""
    shutil.copytree(where.repo.path, where.repo.path.with_name("copy"))
    await moved(where)
    where.repo.path.with_name("copy").rename(where.repo.path)


async def planted(where: Place) -> None:
    """What is in a database that others can write is nobody's permission."""
    (where.store.home / FILE_NAME).chmod(0o666)


@pytest.mark.parametrize(
    ("withdraw", "cause"),
    [
        (disabled, "revoked"),
        (out_of_time, "revoked"),
        (moved, "revoked"),
        (replaced, "revoked"),
        (planted, "persistence_failed"),
    ],
    ids=["disabled", "time over", "moved", "replaced", "database open to others"],
)
async def test_withdrawing_the_permission_ends_a_running_run_within_two_seconds(
    where: Place, site: PreviewSite, withdraw: Callable[[Place], Awaitable[None]], cause: str
) -> None:
    given = Enablement(where.scope.repo_id, where.scope.key, where.scope.path, "enabled", now(), "ada")
    await where.store.enable(given)
    browser, found = Waiting(), []

    async def run() -> None:
        permit = EnabledRun(where.store, where.scope)
        request = request_for(site.url)
        found.append(
            await execute_trex_preview(
                request, scope=where.scope, store=where.store, browser=browser, permit=permit
            )
        )

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        with anyio.fail_after(20):
            await browser.waiting.wait()
        await withdraw(where)
        with anyio.fail_after(2):
            await browser.ended.wait()
    assert (found[0].verdict, found[0].causes[0]) == ("no_confidence", cause)


async def test_a_receipt_that_cannot_be_stored_is_returned_and_says_so(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> str:
        raise StorageFailedError("the disk is full")

    monkeypatch.setattr(where.store, "finish_run", full)
    receipt = await trex(where, site.url)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("persistence_failed",))
    assert "the disk is full" in receipt.summary
    assert [journey.outcome for journey in receipt.journeys] == ["passed", "passed"]
    assert await where.store.receipts() == []


@pytest.mark.parametrize(
    ("preview", "range_"),
    [
        ("ftp://preview.example/", "main..feature"),
        ("https://user:pass@preview.example/", "main..feature"),
        ("https://preview.example/", "main"),
        ("https://preview.example/", "--output=x..feature"),
    ],
)
async def test_invalid_input_is_an_error_and_leaves_nothing(where: Place, preview: str, range_: str) -> None:
    with pytest.raises(InvalidInputError):
        await trex(where, preview, range_=range_)
    assert await where.store.receipts() == []


async def test_a_host_that_the_owner_did_not_allow_is_refused_before_any_request(
    where: Place, site: PreviewSite
) -> None:
    options = Options(allowed_hosts=("*.widget.example",))
    with pytest.raises(InvalidInputError, match=r"127\.0\.0\.1"):
        await execute_trex_preview(
            request_for(site.url), scope=where.scope, store=where.store, browser=StandIn(), options=options
        )
    assert site.log == []


async def test_a_repository_that_is_gone_is_an_error(where: Place, site: PreviewSite, tmp_path: Path) -> None:
    where.repo.path.rename(tmp_path / "elsewhere")
    with pytest.raises(ScopeUnavailableError):
        await trex(where, site.url)


async def test_the_bypass_is_spent_on_the_preview_and_kept_nowhere(where: Place, site: PreviewSite) -> None:
    """Its routes are given what the preview gave for it: a cookie."""
    site.answer("/", Answer("<h1>x</h1>", headers={"set-cookie": "pass=granted-value; Path=/; HttpOnly"}))
    browser = StandIn()
    receipt = await trex(where, site.url + "?x-bypass=s3cretvalue", browser)
    (order,) = browser.orders
    assert [target.address for target in order.targets] == [site.url, f"{site.url}about"]
    assert order.cookies == (("pass", "granted-value"),)
    others = [request for request in site.log if request.path != "/"]
    assert [(request.query, request.headers.get("cookie")) for request in others] == [
        ("", "pass=granted-value")
    ]
    assert site.log[0].query == "x-bypass=s3cretvalue"
    assert "granted-value" not in receipt.model_dump_json()
    assert "s3cretvalue" not in receipt.model_dump_json()
    assert b"s3cretvalue" not in (where.store.home / "codevetter.sqlite3").read_bytes()


async def test_the_path_of_the_preview_is_the_base_of_every_route(where: Place, site: PreviewSite) -> None:
    site.answer("/base/", Answer("<h1>x</h1>"))
    browser = StandIn()
    await trex(where, site.url + "base/", browser)
    assert [target.address for target in browser.orders[0].targets] == [
        site.url + "base/",
        site.url + "base/about",
    ]


async def test_a_preview_that_comes_up_while_it_is_waited_for_is_visited(
    where: Place, site: PreviewSite
) -> None:
    """Not live, then the revision before, then the head: what a deployment looks like from outside."""
    head = where.repo.resolve("feature")

    def deploying(_: object) -> Answer:
        asked = sum(request.path == "/" for request in site.log)
        if asked == 1:
            return Answer("DEPLOYMENT_NOT_FOUND", 404)
        return Answer(document("<h1>Widget</h1>"), headers={"x-git-sha": "9" * 40 if asked == 2 else head})

    site.revision = None
    site.answer("/", deploying)
    receipt = await trex(where, site.url, options=Options(wait_s=60))
    assert (receipt.verdict, receipt.preview.status) == ("passed_with_limits", "verified")


async def test_a_wait_has_an_end(where: Place, site: PreviewSite) -> None:
    site.page("/", "<h1>503</h1>", status=503)
    receipt = await trex(where, site.url, options=Options(wait_s=0.5))
    assert (receipt.verdict, receipt.causes, receipt.retryable) == (
        "no_confidence",
        ("preview_not_live",),
        True,
    )
    assert len(site.log) >= 2


async def test_a_wall_is_not_waited_for(where: Place, site: PreviewSite) -> None:
    site.page("/", "<h1>Sign in</h1>", status=401)
    receipt = await trex(where, site.url, options=Options(wait_s=60))
    assert receipt.causes == (RunCause.PREVIEW_WALL,)
    assert len(site.log) == 1


class Pulled:
    """The repository of `where` as one on GitHub, with pull request 42 of its branch."""

    def __init__(self, where: Place, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
        self.where = where
        where.repo.git("remote", "add", "origin", pulls.ORIGIN)
        monkeypatch.setenv("CODEVETTER_GITHUB_API", url)
        monkeypatch.delenv("GH_HOST", raising=False)

    async def trex(self, preview: str, browser: Visitor | None = None) -> TrexPreviewReceipt:
        source = SourceSelector(kind="pull_request", value=pulls.PULL)
        return await execute_trex_preview(
            VerifyChangePreviewRequest(source=source, preview_url=preview),
            scope=self.where.scope,
            store=self.where.store,
            browser=browser or StandIn(),
        )


async def test_a_pull_request_is_verified_like_a_range(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_github() as github:
        pulls.serve(github, pulls.answers(where.repo))
        receipt = await Pulled(where, monkeypatch, github.url).trex(site.url)
    assert (receipt.verdict, receipt.preview.status) == ("passed_with_limits", "verified")
    assert (receipt.source.kind, receipt.source.input) == ("pull_request", pulls.PULL)
    assert [route.route for route in receipt.routes] == ["/", "/about"]


async def test_a_pull_request_that_is_pushed_to_during_the_run_takes_it_down(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_github() as github:
        pulls.serve(github, pulls.answers(where.repo))

        async def push() -> None:
            github.answers["/repos/acme/widget/pulls/42"][1]["head"]["sha"] = "9" * 40  # type: ignore[index]

        receipt = await Pulled(where, monkeypatch, github.url).trex(site.url, StandIn(during=push))
    assert (receipt.verdict, receipt.causes, receipt.retryable) == ("no_confidence", ("head_moved",), True)


async def test_a_preview_of_the_trial_merge_is_named_as_one(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `actions/checkout` builds by default is neither head nor base."""
    site.revision = "e" * 40
    with fake_github() as github:
        pulls.serve(github, pulls.answers(where.repo))
        receipt = await Pulled(where, monkeypatch, github.url).trex(site.url)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("revision_mismatch",))
    assert "GitHub's trial merge of the pull request" in receipt.summary


async def test_a_fork_whose_head_was_never_fetched_is_planned_from_its_names(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = pulls.answers(where.repo)
    bare = where.repo.clone(tmp_path / "mine", "--single-branch", "--branch", "main")
    bare.git("remote", "set-url", "origin", pulls.ORIGIN)
    elsewhere = Place(bare, where.store, await open_scope(bare.path))
    bare.git("remote", "remove", "origin")
    with fake_github() as github:
        pulls.serve(github, found)
        receipt = await Pulled(elsewhere, monkeypatch, github.url).trex(site.url)
    assert [route.route for route in receipt.routes] == ["/", "/about"]
    assert any("imports were not searched" in limit for limit in receipt.limitations)


async def test_an_unknown_pull_request_is_a_receipt_that_asks_no_preview(
    where: Place, site: PreviewSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_github() as github:
        receipt = await Pulled(where, monkeypatch, github.url).trex(site.url)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", (RunCause.SOURCE_UNRESOLVED,))
    assert site.log == []


async def test_the_owner_names_the_base_path_and_known_console_lines(where: Place, site: PreviewSite) -> None:
    where.repo.write(
        ".codevetter.toml", 'base_path = "/docs"\n[[ignore_console]]\npattern = "known"\n'
    ).commit()
    site.revision = where.repo.resolve("feature")
    noisy = StandIn({"/about": lambda seen: replace(seen, console_errors=(ScriptError("a known line"),))})
    receipt = await trex(where, site.url, noisy)
    assert [target.address for target in noisy.orders[0].targets] == [
        site.url + "docs",
        site.url + "docs/about",
    ]
    assert receipt.verdict == "passed_with_limits"
    assert any("1 console error ignored" in limit for limit in receipt.limitations)
