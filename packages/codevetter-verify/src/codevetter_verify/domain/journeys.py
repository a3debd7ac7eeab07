"""From a visit to the receipt's journey: masked, bounded, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.judge import third_party_problems
from codevetter_verify.models import Journey, JourneyTrace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codevetter_verify.domain.findings import Visited
    from codevetter_verify.domain.observation import NetworkProblem, Observation, ScriptError
    from codevetter_verify.domain.redaction import Redactor

MAX_LINES = 6
MAX_LINE = 240
MAX_BODY_TEXT = 600
TERSE_LINES = 2
TERSE_LINE = 120
GOAL = "open the route and see a page without errors, reading only"


def to_journey(visited: Visited, redactor: Redactor) -> Journey:
    """The journey of one visit."""
    seen, judgement, screenshot = visited.seen, visited.judgement, visited.screenshot
    reasons = judgement.failures or ((judgement.reason,) if judgement.reason else ())
    return Journey(
        route=seen.route,
        goal=GOAL,
        passed=judgement.outcome == "passed",
        outcome=judgement.outcome,
        notes=redactor.text("; ".join((*judgement.limitations, *_watched(seen))), limit=600),
        screenshot_path=screenshot.path if screenshot else None,
        artifacts=(screenshot,) if screenshot else (),
        duration_ms=seen.duration_ms,
        trace=_trace(seen, redactor),
        error=redactor.text("; ".join(reasons), limit=600) if reasons else None,
    )


def _watched(seen: Observation) -> tuple[str, ...]:
    """How far the absence of errors reaches."""
    if seen.watched_ms is None:
        return ("no page was watched",)
    since = "after it had loaded" if seen.loaded else "while it went on loading"
    return (f"watched for {seen.watched_ms / 1000:.1f} s {since}",)


def _trace(seen: Observation, redactor: Redactor) -> JourneyTrace:
    navigation, state = seen.navigation, seen.state
    return JourneyTrace(
        final_url=redactor.url(navigation.final_url) if navigation else None,
        http_status=navigation.status if navigation else None,
        revision=seen.stated[0].revision if navigation and seen.stated else None,
        redirects=tuple(redactor.url(url) for url in navigation.redirects[:MAX_LINES]) if navigation else (),
        page_title=redactor.text(state.title, limit=MAX_LINE) if state else None,
        body_text=redactor.text(" ".join(state.text.split()), limit=MAX_BODY_TEXT) if state else None,
        page_errors=_scripts(seen.page_errors, redactor),
        console_errors=_scripts(seen.console_errors, redactor),
        failed_requests=_requests((p for p in seen.network if p.first_party), redactor),
        third_party_problems=_lines(third_party_problems(seen), redactor),
        contained=seen.contained,
        dropped_events=seen.dropped_events + _over(seen),
        transferred_bytes=seen.transferred_bytes,
        watched_ms=seen.watched_ms,
        stage_timings_ms=seen.timings,
    )


def _over(seen: Observation) -> int:
    """How many kept facts have no place in the receipt."""
    own = [p for p in seen.network if p.first_party]
    kinds = (seen.page_errors, seen.console_errors, own, third_party_problems(seen))
    return sum(max(0, len(kind) - MAX_LINES) for kind in kinds)


def _scripts(errors: Iterable[ScriptError], redactor: Redactor) -> tuple[str, ...]:
    return _lines((f"{error.text}{error.place}" for error in errors), redactor)


def _requests(problems: Iterable[NetworkProblem], redactor: Redactor) -> tuple[str, ...]:
    return _lines((f"{p.resource} {p.url}: {p.detail}" for p in problems), redactor)


def _lines(texts: Iterable[str], redactor: Redactor) -> tuple[str, ...]:
    return tuple(redactor.text(text, limit=MAX_LINE) for text in list(texts)[:MAX_LINES])


def terse(journey: Journey) -> Journey:
    """The journey with the least evidence that still names what happened; what is left out is counted."""
    trace = journey.trace
    kinds = ("page_errors", "console_errors", "failed_requests", "third_party_problems", "redirects")
    whole = {kind: getattr(trace, kind) for kind in kinds}
    kept = {
        kind: tuple(cut(line, TERSE_LINE) for line in lines[:TERSE_LINES]) for kind, lines in whole.items()
    }
    dropped = sum(len(whole[kind]) - len(kept[kind]) for kind in kinds)
    texts = {
        "page_title": trace.page_title and cut(trace.page_title, TERSE_LINE),
        "body_text": trace.body_text and cut(trace.body_text, TERSE_LINE),
        "dropped_events": trace.dropped_events + dropped,
    }
    shorter = {
        "notes": cut(journey.notes, 2 * TERSE_LINE),
        "error": journey.error and cut(journey.error, 2 * TERSE_LINE),
    }
    return journey.model_copy(update={**shorter, "trace": trace.model_copy(update={**kept, **texts})})


def cut(text: str, limit: int) -> str:
    """The first `limit` characters, with a mark when there were more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
