"""Requests as lines of text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from artifactize.render.inspections import table
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.requests import RequestDetail, RequestListResult, SignoffReport

_MS = 1000


def requests_text(result: RequestListResult) -> str:
    """Return one line a request."""
    if not result.requests:
        return "no requests"
    rows = [
        (each.request_id, each.state, each.eval, str(each.source or ""), f"Run {each.run_id}")
        for each in result.requests
    ]
    return "\n".join(table(rows))


def request_text(detail: RequestDetail) -> str:
    """Return what is saved of a request, a line each."""
    request = detail.request
    exit_code = "" if request.exit_code is None else f", exit code {request.exit_code}"
    took = "" if request.duration_ms is None else f", {request.duration_ms / _MS:.1f} s"
    origin = f" from Run {request.source_run}" if request.source_run else ""
    printed = ", ".join(f"{each.stream} {each.total_bytes} bytes" for each in detail.outputs)
    message = f"{request.code}: {request.message}" if request.code else request.message
    facts = {
        "eval": f"{request.eval} ({request.kind}): {request.title}",
        "state": f"{request.state}{exit_code}{took}",
        "message": message,
        "source": f"{request.source}{origin}" if request.source else None,
        "behind": ", ".join(request.blocked_by) or None,
        "Run": f"{detail.run_id} ({detail.run_outcome or detail.run_state})",
        "attempts": str(request.attempt),
        "started": request.started_at,
        "finished": request.finished_at,
        "printed": printed or None,
        "key": request.key,
        "definition": detail.definition,
    }
    facts["claimed by"] = detail.claimed_by
    facts |= {f"signed by {each.reviewer}": _said(each) for each in detail.signoffs}
    facts |= {f"input {name}": value for name, value in request.fingerprints.items()}
    lines = [f"  {name}: {escape_untrusted(value)}" for name, value in facts.items() if value]
    return "\n".join([f"Request {request.request_id}", *lines])


def _said(found: SignoffReport) -> str:
    fields = json.dumps(found.fields, ensure_ascii=False) if found.fields else ""
    words = " ".join(each for each in (str(found.verdict), found.comment or "", fields) if each)
    return f"{words} ({found.submitted_at})"
