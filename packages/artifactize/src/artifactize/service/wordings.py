"""Every form in which `verify` and `status` are answered, with places for the ids that differ each time."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from artifactize.models.verification import EvalResult
from artifactize.render.inspections import status_text
from artifactize.render.results import eval_line, result_text
from artifactize.service.observing import Watcher, whole_result
from mcpkit.canonical import compact_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from artifactize.models.inspection import StatusResult
    from artifactize.models.verification import WatchEvent
    from artifactize.service.observing import Seen

FORMS = ("lines", "text", "json", "events")
"""To a pipe, on a terminal when it is over, as one document, as JSON lines."""

_PLACE = "00000000-0000-7000-8000-000000000000"


def verify_wordings(seen: Seen) -> dict[str, str]:
    """Return what `verify` prints of a Run that is over: to a pipe, a terminal, as JSON, as events."""
    events = list(Watcher().events(seen))
    return {form: told_events(events, form) + told_end(seen, form)[0] for form in FORMS}


def told_events(events: Sequence[WatchEvent], form: str) -> str:
    """Return what `verify` prints while it watches, in one of the forms."""
    if form == "events":
        return "".join(f"{compact_json(event)}\n" for event in events)
    if form == "lines":
        return "".join(f"{eval_line(event.data)}\n" for event in events if isinstance(event.data, EvalResult))
    return ""


def told_end(seen: Seen, form: str) -> tuple[str, int | None]:
    """Return what `verify` prints at the end of what it watched, and the Run's exit code."""
    result = whole_result(seen)
    if form == "json":
        return _document(result), result.exit_code
    text = "" if form == "events" else result_text(result, told=form == "lines") + "\n"
    return text, result.exit_code


def status_wordings(plan: StatusResult) -> dict[str, Any]:
    """Return what `status` prints, and its exit code.

    Its JSON names the last Run of each eval. It can be said again only if that is the same one for all.
    """
    last = {each.last.run_id if each.last and each.last.state is each.state else None for each in plan.evals}
    texts = filled_in({"text": status_text(plan) + "\n"}, [])
    if len(last) == 1 and None not in last:
        texts |= filled_in({"json": _document(_with_place_for_last(plan))}, [_PLACE])
    return {"texts": texts, "exit_code": 0 if plan.satisfied else 1}


def _with_place_for_last(plan: StatusResult) -> StatusResult:
    """Put a place where the last Run is named, and only there: a reason may name the same one."""
    place = {"run_id": _PLACE}
    evals = (
        each.model_copy(update={"last": each.last.model_copy(update=place)})
        for each in plan.evals
        if each.last
    )
    return plan.model_copy(update={"evals": tuple(evals)})


def filled_in(texts: Mapping[str, str], ids: Sequence[str]) -> dict[str, list[str | int]]:
    """Return each text as its parts, every occurrence of an id as the id's number."""
    numbers = {each: number for number, each in enumerate(ids)}
    pattern = re.compile("([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})")
    return {name: [numbers.get(part, part) for part in pattern.split(text)] for name, text in texts.items()}


def _document(model: BaseModel) -> str:
    return json.dumps(json.loads(compact_json(model)), ensure_ascii=False, indent=2) + "\n"
