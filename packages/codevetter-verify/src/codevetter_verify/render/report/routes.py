"""One card a route: why it was visited, what was seen, how long each stage took, and the picture."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from codevetter_verify.domain.counting import sized
from codevetter_verify.render.report.markup import Markup, join, tag

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codevetter_verify.models import Journey, JourneyTrace, StageTimings, TrexPreviewReceipt
    from codevetter_verify.render.report.document import Picture


def section(receipt: TrexPreviewReceipt, pictures: Mapping[str, Picture]) -> Markup | None:
    """Every planned route, visited or not."""
    if not receipt.routes:
        return None
    visited = {journey.route: journey for journey in receipt.journeys}
    longest = max((journey.duration_ms for journey in receipt.journeys), default=1) or 1
    cards = []
    for planned in receipt.routes:
        journey = visited.get(planned.route)
        if journey is None:
            cards.append(_unvisited(planned.route, planned.reason))
        else:
            cards.append(_card(journey, planned.reason, longest, pictures))
    return tag("section", tag("h2", "Routes"), *cards)


def _unvisited(route: str, reason: str) -> Markup:
    return tag(
        "article",
        _title(route, "not visited", None),
        tag("p", f"Planned: {reason}", class_="quiet"),
        class_="card route is-inconclusive",
    )


def _card(journey: Journey, reason: str, longest: int, pictures: Mapping[str, Picture]) -> Markup:
    trace = journey.trace
    seen = tag(
        "div",
        tag("p", journey.error, class_="error") if journey.error else None,
        tag("p", f"Planned: {reason}", class_="quiet"),
        _seen(trace),
        *_evidence(trace),
        tag("p", journey.notes, class_="quiet"),
        _timings(journey, longest),
    )
    picture = _picture(journey, pictures)
    return tag(
        "article",
        _title(journey.route, journey.outcome, trace.http_status),
        tag("div", seen, picture, class_="seen with-picture" if picture else "seen"),
        class_=f"card route is-{journey.outcome}",
    )


def _title(route: str, outcome: str, status: int | None) -> Markup:
    return tag(
        "h3",
        tag("span", outcome, class_=f"badge is-{outcome.replace(' ', '-')}"),
        tag("code", route),
        tag("span", f"HTTP {status}", class_="quiet") if status is not None else None,
    )


def _seen(trace: JourneyTrace) -> Markup | None:
    said = [
        join("Title ", tag("q", trace.page_title)) if trace.page_title else None,
        f"{sized(trace.transferred_bytes)} transferred" if trace.transferred_bytes is not None else None,
        join("Answered at ", tag("code", trace.final_url)) if trace.redirects and trace.final_url else None,
    ]
    kept = [tag("li", item) for item in said if item]
    return tag("ul", *kept, class_="plain") if kept else None


def _evidence(trace: JourneyTrace) -> list[Markup]:
    kinds = (
        ("Uncaught exceptions", trace.page_errors),
        ("Console errors", trace.console_errors),
        ("Failed requests", trace.failed_requests),
        ("Third parties", trace.third_party_problems),
        ("Redirects", trace.redirects),
    )
    found = [
        tag(
            "details",
            tag("summary", f"{name} ({len(lines)})"),
            tag("ul", *(tag("li", tag("code", line)) for line in lines), class_="plain"),
            open=name in ("Uncaught exceptions", "Console errors", "Failed requests"),
        )
        for name, lines in kinds
        if lines
    ]
    if trace.body_text:
        found.append(tag("details", tag("summary", "Text of the page"), tag("p", trace.body_text)))
    return found


def _timings(journey: Journey, longest: int) -> Markup:
    """A bar as long as the visit, next to the longest one; its parts are named below it."""
    stages = [(name, ms) for name, ms in _stages(journey.trace.stage_timings_ms) if ms > 0]
    whole = sum(ms for _, ms in stages) or 1
    parts = [
        tag("span", class_=f"stage {name}", style=f"width:{100 * ms / whole:.2f}%") for name, ms in stages
    ]
    width = max(2.0, 100 * journey.duration_ms / longest)
    names = [tag("li", tag("span", class_=f"dot {name}"), f"{name} {ms} ms") for name, ms in stages]
    return tag(
        "div",
        tag("div", *parts, class_="bar", style=f"width:{width:.2f}%", aria_hidden="true"),
        tag("ul", tag("li", f"{journey.duration_ms} ms in all"), *names, class_="stages"),
        class_="timings",
    )


def _stages(timings: StageTimings) -> list[tuple[str, int]]:
    return list(timings.model_dump().items())


def _picture(journey: Journey, pictures: Mapping[str, Picture]) -> Markup | None:
    if journey.screenshot_path is None:
        return None
    picture = pictures.get(journey.screenshot_path)
    if picture is None or picture.problem is not None:
        problem = picture.problem if picture and picture.problem else "it was not kept"
        return tag("p", f"The picture cannot be shown: {problem}.", class_="quiet")
    data = base64.b64encode(picture.jpeg).decode()
    shown = tag(
        "img", src=f"data:image/jpeg;base64,{data}", alt=f"The window at {journey.route}", loading="lazy"
    )
    return tag("figure", shown)
