"""From what a visit saw to passed, failed or inconclusive.

No model, no score: a list of rules, each with its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codevetter_verify.domain import placeholders, signs
from codevetter_verify.domain.counting import counted, sized
from codevetter_verify.domain.observation import MOST_NAVIGATIONS, keeps_loading

if TYPE_CHECKING:
    from codevetter_verify.domain.observation import NetworkProblem, Observation, PageState, ScriptError
    from codevetter_verify.models import RouteOutcome

CRITICAL = frozenset({"document", "script", "stylesheet", "fetch", "xhr"})
"""Kinds of first-party requests whose failure fails the route; a broken image is a limitation."""

_OURS = re.compile(r"blocked by T-Rex|ERR_BLOCKED_BY_CLIENT", re.IGNORECASE)
_NETWORK_WORDS = re.compile(
    r"failed to fetch|network ?error|load failed|axioserror|fetch failed", re.IGNORECASE
)
_SOCKET_WORDS = re.compile(r"web ?socket|event ?source", re.IGNORECASE)


BLANK = "the page is blank"
HEAVY_BYTES = 20_000_000
"""What one page may transfer without a word; more does not fail it, but its visitors wait."""


class RouteCause(StrEnum):
    """Why a route could not be judged."""

    WALL = "preview_wall"
    NEEDS_SESSION = "needs_session"
    DEADLINE = "route_deadline"
    CRASHED = "browser_crashed"
    ADDRESS = "address_refused"
    NOT_OBSERVED = "route_not_observed"
    GUARD = "guard_interfered"
    INDISTINGUISHABLE = "indistinguishable_from_missing"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome with its reasons: `failures` fail the route, `cause` is set when it is inconclusive."""

    outcome: RouteOutcome
    failures: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    cause: RouteCause | None = None
    reason: str = ""


def judge(seen: Observation, *, requested_path: str, requested_host: str | None = None) -> Judgement:
    """Judge one observation of the route whose address has the path `requested_path`.

    Without a `requested_host` whatever host answered is taken for it.
    """
    obstacle = _obstacle(seen, requested_path, requested_host)
    if obstacle is not None:
        return obstacle
    own, attributed = _split_guard_errors(seen)
    failures = (*_document_failures(seen, requested_path), *own, *_network_failures(seen))
    limitations = (*attributed, *_limitations(seen, requested_path, requested_host))
    if attributed and failures and all(failure.startswith(BLANK) for failure in failures):
        reason = "the page is blank after a request or an API that T-Rex withholds"
        return Judgement("inconclusive", (), limitations, RouteCause.GUARD, reason)
    return Judgement("failed" if failures else "passed", failures, limitations)


def _obstacle(seen: Observation, requested_path: str, requested_host: str | None) -> Judgement | None:
    """What kept the visit from seeing the page that was asked for."""
    if seen.interruption is not None:
        return _interrupted(seen)
    if seen.navigation is None or seen.state is None:
        return _inconclusive(RouteCause.NOT_OBSERVED, seen.detail or "the page was not observed")
    status = seen.navigation.status
    if status in signs.WALL_STATUSES:
        return _inconclusive(RouteCause.WALL, f"status {status}: a wall, not the preview")
    if signs.is_protection_page(seen.state.title, seen.state.text):
        return _inconclusive(
            RouteCause.WALL, f"a protection page titled {seen.state.title!r}, not the preview"
        )
    final = urlsplit(seen.navigation.final_url)
    host = final.hostname or ""
    if requested_host not in (None, host) and signs.is_sign_in_host(host):
        return _inconclusive(RouteCause.NEEDS_SESSION, f"redirected to {host}: the page needs a session")
    return _session_needed(seen.state, final.path, requested_path)


def _session_needed(state: PageState, final_path: str, requested_path: str) -> Judgement | None:
    """A way to sign in, by its address or by its form, where another page was asked for."""
    if final_path.rstrip("/") != requested_path.rstrip("/") and signs.is_sign_in_path(final_path):
        return _inconclusive(
            RouteCause.NEEDS_SESSION, f"redirected to {final_path}: the page needs a session"
        )
    asks = state.password_field or (state.sign_in_field and len(state.text) < signs.SHORT_PAGE)
    if (
        asks
        and signs.is_sign_in_form(state.title, state.heading)
        and not signs.is_sign_in_path(requested_path)
    ):
        return _inconclusive(
            RouteCause.NEEDS_SESSION, "a sign-in form answered under the route's address: it needs a session"
        )
    return None


def _interrupted(seen: Observation) -> Judgement:
    detail = seen.detail
    if seen.interruption == "deadline":
        return _inconclusive(
            RouteCause.DEADLINE, detail or "the page was not observed within the route's deadline"
        )
    if seen.interruption == "crashed":
        return _inconclusive(RouteCause.CRASHED, detail or "the page crashed the browser")
    if seen.interruption == "refused_address":
        return _inconclusive(RouteCause.ADDRESS, detail)
    if seen.interruption == "off_site":
        return _inconclusive(RouteCause.WALL, detail)
    if seen.interruption == "withheld":
        return _inconclusive(RouteCause.GUARD, detail)
    return Judgement("failed", (f"the navigation failed: {detail}",))


def _inconclusive(cause: RouteCause, reason: str) -> Judgement:
    return Judgement("inconclusive", cause=cause, reason=reason)


def _document_failures(seen: Observation, requested_path: str) -> list[str]:
    status = seen.navigation.status if seen.navigation else 0
    state = seen.state
    failures = [] if 200 <= status < 400 else [f"the page answered with status {status}"]  # noqa: PLR2004 - HTTP
    if seen.navigations > MOST_NAVIGATIONS:
        failures.append(keeps_loading(seen.navigations))
    if state is None:
        return failures
    if state.overlay:
        failures.append(f"an error overlay is shown: {state.overlay}")
    elif (error := signs.error_page(state.title, state.heading, state.text)) and not failures:
        failures.append(f"an error page is shown: {error!r}")
    if not signs.is_page_type(state.content_type) and not failures:
        failures.append(f"the route answered with {state.content_type[:80]} instead of a page")
    if state.not_found_marker and not failures:
        failures.append("the framework's own not-found page was answered as a success")
    if (words := _placeholder(state, requested_path)) and not failures:
        failures.append(words)
    if (words := _nothing_to_see(state)) is not None:
        failures.append(words)
    return failures


def _placeholder(state: PageState, requested_path: str) -> str | None:
    """What stands where the page should be, answered as a success."""
    said = (state.title, state.heading, state.text)
    if shown := placeholders.server_page(*said):
        return f"the web server's own page is shown: {shown!r}"
    if shown := placeholders.not_found_page(*said, requested_path=requested_path):
        return f"the page says nothing but that it is not there: {shown!r}"
    if placeholders.is_data(*said):
        return f"the route answered with data instead of a page: {state.text[:80]!r}"
    return None


def _nothing_to_see(state: PageState) -> str | None:
    if state.blank:
        return BLANK
    if state.one_colour:
        return f"{BLANK}: it holds words or pictures, but all of it is shown in one colour"
    if state.only_banner:
        return f"{BLANK} but for a question about cookies"
    return None


def _split_guard_errors(seen: Observation) -> tuple[list[str], list[str]]:
    """First-party script errors, and those of them that our own guard provoked."""
    own: list[str] = []
    attributed: list[str] = []
    for words, errors in (("uncaught exception", seen.page_errors), ("console error", seen.console_errors)):
        for error in errors:
            if not error.first_party:
                continue
            target = attributed if _is_guards(error, seen) else own
            named = "hydration error" if signs.is_hydration_error(error.text) else words
            target.append(f"{named}: {error.text}{error.place}")
    return own, [f"provoked by T-Rex's own blocking: {text}" for text in attributed]


def _is_guards(error: ScriptError, seen: Observation) -> bool:
    """Ours by its words, or a network error while we blocked something and nothing of the page's failed."""
    if _OURS.search(error.text) or (seen.contained.sockets and _SOCKET_WORDS.search(error.text)):
        return True
    blocked = (
        seen.contained.requests + seen.contained.addresses + seen.contained.apis + seen.contained.sockets
    )
    return bool(blocked and _NETWORK_WORDS.search(error.text) and not _network_failures(seen))


def _network_failures(seen: Observation) -> list[str]:
    return [_words(p) for p in seen.network if p.first_party and p.resource in CRITICAL]


def _words(problem: NetworkProblem) -> str:
    return f"{problem.resource} {problem.url}: {problem.detail}"


def third_party_problems(seen: Observation) -> list[str]:
    """What other sites' requests and scripts did wrong: noted, never failed on."""
    scripts = [f"{e.text}{e.place}" for e in (*seen.page_errors, *seen.console_errors) if not e.first_party]
    return [_words(p) for p in seen.network if not p.first_party] + scripts


def minor_problems(seen: Observation) -> list[str]:
    """First-party images, fonts and media that did not arrive."""
    return [_words(p) for p in seen.network if p.first_party and p.resource not in CRITICAL]


def _limitations(seen: Observation, requested_path: str, requested_host: str | None) -> list[str]:
    found: list[str] = []
    if third := third_party_problems(seen):
        found.append(f"{counted(len(third), 'third-party problem')}, the first: {third[0]}")
    if minor := minor_problems(seen):
        found.append(f"first-party images, fonts or media missing: {len(minor)}, the first: {minor[0]}")
    if contained := _contained_words(seen):
        found.append(f"withheld from the page: {contained}")
    transferred = seen.transferred_bytes or 0
    if transferred > HEAVY_BYTES:
        found.append(f"{sized(transferred)} were transferred, more than {sized(HEAVY_BYTES)} for one page")
    if not seen.loaded:
        found.append("the page had not finished loading when it was judged")
    return found + _doubts(seen) + _elsewhere(seen, requested_path, requested_host)


def _contained_words(seen: Observation) -> str:
    counts = seen.contained.model_dump()
    names = {
        "apis": "state-changing API call",
        "addresses": "refused-address request",
        "requests": "state-changing request",
    }
    return ", ".join(
        counted(count, names.get(kind, kind.removesuffix("s"))) for kind, count in counts.items() if count
    )


def _doubts(seen: Observation) -> list[str]:
    """Signs that the page may not be what a visitor should see; words alone do not fail a route."""
    state, navigation = seen.state, seen.navigation
    if state is None or navigation is None:
        return []
    found: list[str] = []
    if not state.not_found_marker and signs.says_not_found(state.title, state.heading, state.text):
        said = (state.heading or state.title or state.text)[:80]
        found.append(f"status {navigation.status}, but the page says {said!r}")
    if signs.says_trouble(state.heading, state.text):
        found.append(f"status {navigation.status}, but the page says {(state.heading or state.text)[:80]!r}")
    if signs.says_trouble(state.alert, ""):
        found.append(f"status {navigation.status}, but the page warns {state.alert[:80]!r}")
    if placeholders.is_unrendered(state.heading, state.text):
        found.append(f"what should be filled in is shown as {(state.heading or state.text)[:80]!r}")
    if placeholders.is_starter(state.text):
        found.append("the page is what the framework's generator wrote; nobody has changed it yet")
    if state.content_type == "text/plain":
        found.append("the route answered with plain text instead of a page")
    if signs.is_waiting(state.text, busy=state.busy):
        found.append(f"the page still shows that it is waiting: {state.text[:80]!r}")
    return found


def _elsewhere(seen: Observation, requested_path: str, requested_host: str | None) -> list[str]:
    """Where the site answered, when that is not where it was asked."""
    final = urlsplit(seen.navigation.final_url if seen.navigation else "")
    host = "" if requested_host in (None, final.hostname) else final.hostname or ""
    same_path = final.path.rstrip("/") == requested_path.rstrip("/")
    return [] if seen.navigation is None or (same_path and not host) else [f"answered at {host}{final.path}"]
