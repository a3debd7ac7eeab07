"""T-Rex with a real Chromium, real git and a real site: what it says, what reaches the site, what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from codevetter_verify.browser.chromium import ChromiumVisitor
from codevetter_verify.browser.endpoint import parse_endpoint
from codevetter_verify.browser.session import hold_session
from codevetter_verify.domain.judge import Judgement, judge
from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.domain.visit import RouteVisit, Visit
from codevetter_verify.errors import BrowserFailedError
from codevetter_verify.service.network import HostGate
from support import lookalikes
from support.browser_servers import cdp_browser, playwright_server
from support.certificates import certificate
from support.codevetter import Bench, bench
from support.preview_site import Answer, Logged, PreviewSite, document, script
from support.processes import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import BrowserFacts

pytestmark = pytest.mark.browser

OUTCOMES = {
    "/": ("passed", ""),
    "/about": ("passed", ""),
    "/login": ("passed", ""),
    "/faults/uncaught": ("failed", "TypeError: widget is undefined"),
    "/faults/rejection": ("failed", "Error: no widget"),
    "/faults/console-error": ("failed", "widget broke {code: 7}"),
    "/faults/blank": ("failed", "blank"),
    "/faults/status-500": ("failed", "status 500"),
    "/faults/script-404": ("failed", "missing.js: status 404"),
    "/faults/fetch-500": ("failed", "/api/broken: status 500"),
    "/faults/image-404": ("passed", "missing.png"),
    "/faults/slow-script": ("failed", "never.js: did not arrive"),
    "/faults/next-not-found": ("failed", "not-found page"),
    "/faults/soft-404": ("failed", "Page not found"),
    "/faults/spinner": ("passed", "waiting"),
    "/faults/overlay": ("failed", "overlay"),
    "/faults/late": ("passed", ""),
    "/faults/components": ("passed", ""),
    "/faults/invisible": ("failed", "blank"),
    "/faults/dialogs": ("passed", "dialogs"),
    "/faults/blocked-write": ("passed", "T-Rex's own blocking"),
    "/faults/loop": ("failed", "ERR_TOO_MANY_REDIRECTS"),
    "/faults/to-login": ("inconclusive", "needs a session"),
    "/faults/to-metadata": ("inconclusive", "link-local"),
    "/faults/to-slash": ("passed", ""),
    "/faults/download": ("failed", "download"),
    "/faults/status-401": ("inconclusive", "status 401"),
    "/faults/hang": ("inconclusive", "not observed within"),
    "/faults/busy-loop": ("inconclusive", "not observed within"),
    "/faults/off-site": ("inconclusive", "another site: other.invalid"),
    "/faults/off-site-address": ("inconclusive", "127.0.0.2 is a loopback address"),
    "/faults/redirect-off-site": ("inconclusive", "another site: other.invalid"),
    "/faults/endless": ("passed", "had not finished loading"),
    "/faults/endless-download": ("failed", "download"),
    "/faults/hydration": ("failed", "hydration error: Error: Minified React error #418"),
    "/faults/hydration-warning": ("failed", "hydration error: [Vue warn]: Hydration node mismatch"),
    "/faults/slow-hydration": ("failed", "TypeError: hydrated too late"),
    "/faults/vite-overlay": ("failed", "error overlay is shown: Failed to resolve import"),
    "/faults/next-error": ("failed", "Next.js error page"),
    "/faults/style-404": ("failed", "missing.css: status 404"),
    "/faults/polling": ("passed", ""),
    "/faults/huge": ("passed", "MB were transferred, more than 20.0 MB"),
    "/faults/many-lines": ("failed", "line 0"),
    "/faults/worker-error": ("failed", "worker is broken"),
    "/faults/permissions": ("passed", ""),
    "/faults/tabs": ("passed", "popups"),
    "/faults/third-party": ("passed", "third-party"),
    "/faults/hostile-api": ("passed", "withheld from the page"),
    **lookalikes.OUTCOMES,
}


HANGING = ["/faults/hang", "/faults/busy-loop"]
"""Never observed: visited apart, with a deadline of their own. The others get all the time they may need."""


async def visit(
    site: PreviewSite,
    routes: list[str],
    visitor: ChromiumVisitor | None = None,
    deadline_s: float = 90,
) -> Mapping[str, Observation]:
    """Every route in one session, as a run would visit them."""
    base, seen = parse_preview_url(site.url), {}

    async def started(_identity: str) -> None:
        """Nobody needs to know."""

    async def observed(found: Observation) -> None:
        seen[found.route] = found

    order = Visit(
        tuple(RouteVisit(route, base.for_route(route).address) for route in routes),
        (base.host,),
        HostGate(base),
        lambda _: True,
        route_deadline_s=deadline_s,
        concurrent=4,
    )
    await (visitor or ChromiumVisitor()).visit(order, started=started, observed=observed)
    return seen


@pytest.fixture(scope="module")
def seen() -> Iterator[Mapping[str, Observation]]:
    """What a visit of every fault sees."""
    with PreviewSite() as site:
        site.page("/faults/off-site-address", script(f"location.href = 'http://127.0.0.2:{site.port}/'"))
        site.page("/faults/third-party", "<h1>Page</h1><script src='http://tracker.invalid/t.js'></script>")
        site.page(
            "/faults/hostile-api",
            script(
                "new WebSocket(`ws://${location.host}/ws`); open('/popup'); navigator.sendBeacon('/b', 'x')"
            ),
        )
        lookalikes.add_lookalikes(site)
        others = [route for route in OUTCOMES if route not in HANGING]
        yield {**anyio.run(visit, site, others), **anyio.run(visit, site, HANGING, None, 4)}


@pytest.mark.parametrize("route", OUTCOMES)
def test_a_situation_is_judged_as_what_it_is(seen: Mapping[str, Observation], route: str) -> None:
    outcome, words = OUTCOMES[route]
    found = judge(seen[route], requested_path=route)
    assert found.outcome in outcome.split(" or "), found
    assert words in " ".join((*found.failures, found.reason, *found.limitations)), found


def test_a_flawless_page_has_no_limits(seen: Mapping[str, Observation]) -> None:
    assert judge(seen["/"], requested_path="/") == Judgement("passed")
    assert 100 < (seen["/"].transferred_bytes or 0) < 2000, "its few lines and their headers"


def test_the_picture_is_a_jpeg_of_the_window(seen: Mapping[str, Observation]) -> None:
    picture = seen["/"].screenshot
    assert picture is not None
    assert picture.startswith(b"\xff\xd8\xff")
    assert len(picture) > 2000


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_page_that_tries_every_way_to_write_changes_nothing(scheme: str, tmp_path: Path) -> None:
    """Also not while the browser is being ended, and where no proxy can read what is sent."""
    made = certificate(tmp_path)
    visitor = ChromiumVisitor(flags=(made.flag,))
    with PreviewSite(tls=made.context() if scheme == "https" else None) as site:
        seen = anyio.run(visit, site, ["/faults/mutator"], visitor)["/faults/mutator"]
        assert_nothing_was_written(site)
    contained = seen.contained
    assert contained.requests > 5
    assert contained.sockets == 2
    assert contained.addresses >= 1
    assert contained.dialogs >= 1
    assert contained.popups >= 1
    assert contained.apis >= (7 if scheme == "http" else 9), "over TLS both workers are withheld, too"


def assert_nothing_was_written(site: PreviewSite) -> None:
    assert site.writes() == []
    vias = {request.query.partition("via=")[2] for request in site.log if "via=" in request.query}
    assert vias == set()
    assert "/faults/mutator" in site.paths()


@pytest.mark.parametrize("server", [playwright_server, cdp_browser])
def test_a_browser_that_others_started_is_as_read_only(
    server: Callable[[Path], AbstractContextManager[str]], tmp_path: Path
) -> None:
    """None of our launch flags, and our own proxy only because it runs on this machine."""
    with server(tmp_path) as address, PreviewSite() as site:
        visitor = ChromiumVisitor(endpoint=parse_endpoint(address))
        seen = anyio.run(visit, site, ["/", "/faults/uncaught", "/faults/mutator"], visitor)
        assert_nothing_was_written(site)
    assert judge(seen["/"], requested_path="/") == Judgement("passed")
    assert judge(seen["/faults/uncaught"], requested_path="/faults/uncaught").outcome == "failed"


class ElsewhereVisitor(ChromiumVisitor):
    """Takes its browser for one of another machine, which our proxy is no way out of."""

    async def visit(self, visit: Visit, **callbacks: Any) -> BrowserFacts:
        assert self.endpoint is not None
        elsewhere = replace(self.endpoint, host="browsers.invalid")
        return await hold_session(elsewhere, visit, flags=(), **callbacks)


def test_a_browser_elsewhere_is_as_read_only_without_our_proxy(tmp_path: Path) -> None:
    with cdp_browser(tmp_path) as address, PreviewSite() as site:
        visitor = ElsewhereVisitor(endpoint=parse_endpoint(address))
        seen = anyio.run(visit, site, ["/", "/faults/mutator", "/faults/to-metadata"], visitor)
        assert_nothing_was_written(site)
    assert judge(seen["/"], requested_path="/") == Judgement("passed")
    assert "link-local" in judge(seen["/faults/to-metadata"], requested_path="/").reason


def test_a_browser_elsewhere_is_not_sent_to_a_preview_of_this_machine() -> None:
    visitor = ChromiumVisitor(endpoint=parse_endpoint("ws://browsers.invalid:3000/"))
    with PreviewSite() as site, pytest.raises(BrowserFailedError, match="preview of this machine"):
        anyio.run(visit, site, ["/"], visitor)


# --- the command -----------------------------------------------------------------------------------------------


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Bench]:
    """A bench on which no browser may be left, whatever the test did."""
    made = bench(tmp_path)
    yield made
    made.assert_no_browser()


@pytest.fixture
def site(machine: Bench) -> Iterator[PreviewSite]:
    with PreviewSite(revision=machine.repo.resolve("feature")) as running:
        yield running


def test_a_good_preview_passes_and_leaves_only_its_receipt(machine: Bench, site: PreviewSite) -> None:
    done = machine.run(*machine.trex(site.url, "--json", "--screenshots", "always")[1:])
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)
    assert (receipt["verdict"], receipt["preview"]["status"]) == ("passed_with_limits", "verified")
    assert [journey["route"] for journey in receipt["journeys"]] == ["/", "/about"]
    assert all((machine.folder / "home" / j["screenshot_path"]).is_file() for j in receipt["journeys"])
    assert "visiting the routes" in done.stderr
    assert {request.method for request in site.log} == {"GET"}
    assert machine.json("receipts", "show", receipt["run_id"]) == receipt
    assert list(machine.temporary.iterdir()) == []
    assert machine.repo.ask("status", "--porcelain").strip() == ""


def test_every_route_shows_what_the_preview_gave_for_its_bypass(machine: Bench, site: PreviewSite) -> None:
    entered = {"location": "/", "set-cookie": "pass=granted; Path=/; HttpOnly; SameSite=Lax"}
    site.answer("/enter", Answer(status=307, headers=entered))
    done = machine.run(*machine.trex(f"{site.url}enter?bypass=s3cretvalue", "--json")[1:])
    visits = [request for request in site.log if request.headers["user-agent"].startswith("Mozilla")]
    assert [request for request in visits if request.query] == []
    about = [request for request in visits if request.path == "/enter/about"]
    assert [request.headers.get("cookie") for request in about] == ["pass=granted"]
    assert "s3cretvalue" not in done.stdout + done.stderr
    assert "granted" not in done.stdout + done.stderr


def test_a_failing_route_fails_the_change_with_a_picture(machine: Bench, site: PreviewSite) -> None:
    site.page("/about", script("throw new Error('about is broken')"))
    done = machine.run(*machine.trex(site.url, "--json")[1:])
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["verdict"]) == (1, "failed")
    home, about = receipt["journeys"]
    assert (home["pass"], "screenshot_path" in home) == (True, False)
    assert "Error: about is broken" in about["error"]
    assert (machine.folder / "home" / about["screenshot_path"]).read_bytes().startswith(b"\xff\xd8\xff")


def test_without_a_browser_the_receipt_says_how_to_get_one(machine: Bench, site: PreviewSite) -> None:
    done = machine.run(*machine.trex(site.url)[1:], CODEVETTER_BROWSER="/nowhere/chromium")
    assert done.returncode == 2
    assert "apt install chromium-headless-shell" in done.stdout
    (line,) = machine.json("receipts", "list")["receipts"]
    assert (line["verdict"], line["run_id"] in done.stdout) == ("no_confidence", True)


def test_an_endpoint_that_is_none_is_a_receipt(machine: Bench, site: PreviewSite) -> None:
    done = machine.run(*machine.trex(site.url, "--json")[1:], CODEVETTER_BROWSER_ENDPOINT="chromium")
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["causes"]) == (2, ["browser_failed"])
    assert "no address of a browser" in receipt["summary"]


def test_a_browser_that_does_not_start_is_a_receipt(machine: Bench, site: PreviewSite) -> None:
    broken = machine.folder / "broken-chromium"
    broken.write_text("#!/bin/sh\necho 'error while loading shared libraries: libnss3.so' >&2\nexit 127\n")
    broken.chmod(0o755)
    done = machine.run(*machine.trex(site.url, "--json", "--browser-path", str(broken))[1:])
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["causes"]) == (2, ["browser_failed"])
    assert "libnss3.so" in receipt["summary"]


SHELL = (
    "<div id=root></div><script>const pages = {'/': 'Home of the widget', '/about': 'Who makes the widget'};"
    "root.innerHTML = `<h1>${pages[location.pathname] ?? 'Nothing here'}</h1>`</script>"
)


def test_an_application_that_routes_in_the_browser_is_told_from_its_shell(
    machine: Bench, site: PreviewSite
) -> None:
    site.answer("/about", Answer(document(SHELL)))
    site.fallback = Answer(document(SHELL))
    receipt = json.loads(machine.run(*machine.trex(site.url, "--json")[1:]).stdout)
    assert receipt["verdict"] == "passed_with_limits"
    assert [journey["route"] for journey in receipt["journeys"]] == ["/", "/about"]


def test_a_route_that_looks_like_a_path_that_does_not_exist_is_no_pass(
    machine: Bench, site: PreviewSite
) -> None:
    """The same shell for everything: whether the page is there cannot be told."""
    unknown = SHELL.replace("'/about'", "'/elsewhere'")
    site.answer("/about", Answer(document(unknown)))
    site.fallback = Answer(document(unknown))
    done = machine.run(*machine.trex(site.url, "--json")[1:])
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["causes"]) == (2, ["indistinguishable_from_missing"])
    assert [journey["outcome"] for journey in receipt["journeys"]] == ["passed", "inconclusive"]


def waits_for_browser(site: PreviewSite) -> None:
    """Make `/about` hang for a browser, so that the run is under way for as long as the test needs."""
    site.answer("/about", Answer(hangs=True))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_browser_and_keeps_what_was_seen(
    machine: Bench, site: PreviewSite, number: signal.Signals, code: int
) -> None:
    waits_for_browser(site)
    process = machine.start(machine.trex(site.url))
    site.wait_for("/about")
    assert machine.browsers()
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == code
    machine.assert_no_browser()
    assert list(machine.temporary.iterdir()) == []
    (line,) = machine.json("receipts", "list")["receipts"]
    assert machine.json("receipts", "show", line["run_id"])["causes"] == ["cancelled"]


def test_a_signal_while_the_browser_starts_leaves_none(machine: Bench, site: PreviewSite) -> None:
    """The moments in which a process exists that nobody knows yet."""
    process = machine.start(machine.trex(site.url))
    site.wait_for("/")  # the probe: what follows is the start of the browser
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=40)
    assert process.returncode == 143
    machine.assert_no_browser()
    assert list(machine.temporary.iterdir()) == []


def test_a_browser_that_outlives_a_killed_process_is_ended_by_the_next_run(
    machine: Bench, site: PreviewSite
) -> None:
    waits_for_browser(site)
    process = machine.start(machine.trex(site.url))
    site.wait_for("/about")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=20)
    site.page("/about", "<h1>About</h1>")
    done = machine.run(*machine.trex(site.url, "--json")[1:])
    assert json.loads(done.stdout)["verdict"] == "passed_with_limits"
    machine.assert_no_browser()
    assert list(machine.temporary.iterdir()) == []


def test_a_browser_that_is_killed_during_the_visit_is_no_verdict(machine: Bench, site: PreviewSite) -> None:
    waits_for_browser(site)
    process = machine.start(machine.trex(site.url, "--json"))
    site.wait_for("/about")
    for pid in machine.browsers():
        with_suppressed_kill(pid)
    out, _ = process.communicate(timeout=60)
    receipt = json.loads(out)
    assert (process.returncode, receipt["verdict"]) == (2, "no_confidence")
    assert "browser_failed" in receipt["causes"]


def with_suppressed_kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # went with its parent


def test_a_deploy_during_the_run_is_no_verdict(machine: Bench, site: PreviewSite) -> None:
    stale = partial(_stale, site)
    site.answer("/about", stale)
    done = machine.run(*machine.trex(site.url, "--json")[1:])
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["causes"]) == (2, ["revision_changed"])


def _stale(site: PreviewSite, _request: Logged) -> Answer:
    return Answer(document("<h1>About</h1>"), headers={site.header: "9" * 40})


def test_concurrent_runs_of_one_repository_are_one_run_and_one_refusal(
    machine: Bench, site: PreviewSite
) -> None:
    waits_for_browser(site)
    process = machine.start(machine.trex(site.url))
    site.wait_for("/about")
    refused = machine.run(*machine.trex(site.url, "--json")[1:])
    assert refused.returncode == 2
    body = json.loads(refused.stdout)
    assert (body["error_class"], body["active_run_id"][:13]) == ("run_in_progress", "trex-preview-")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    wait_until(lambda: machine.browsers() == [])
