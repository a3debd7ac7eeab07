"""The sentences of a receipt: its summary and its limitations, most important first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.counting import counted
from codevetter_verify.domain.ledger import coverage_sentence
from codevetter_verify.models import MAX_LIMITATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codevetter_verify.domain.findings import Findings, Visited
    from codevetter_verify.models import LedgerEntry, Verdict

MAX_LIMITATION = 300
MAX_SUMMARY = 400
STANDING = (
    "an unauthenticated visit without clicks, in one window of 1280x720: what needs more was not seen",
    "only GET, HEAD and OPTIONS reached the preview; a GET that changes something would not be noticed",
)


def summarize(findings: Findings, verdict: Verdict) -> str:
    """One or two sentences. A failure that was seen comes first, also when the run is incomplete."""
    visited = list(findings.visited.values())
    failed = [v for v in visited if v.judgement.outcome == "failed"]
    parts = []
    if failed:
        first = failed[0]
        count = f"{len(failed)} of {counted(len(findings.plan.routes), 'route')} failed"
        parts.append(f"{count}; {first.seen.route}: {first.judgement.failures[0]}")
    if verdict == "no_confidence":
        parts.append(f"no confidence: {_why_incomplete(findings)}")
    if verdict == "passed_with_limits":
        parts.append(f"{_all(len(visited))} passed; {_identity_words(findings)}")
    return findings.redactor.text("; ".join(parts), limit=MAX_SUMMARY)


def _why_incomplete(findings: Findings) -> str:
    if findings.causes:
        return next(iter(findings.causes.values()))
    inconclusive = [v for v in findings.visited.values() if v.judgement.outcome == "inconclusive"]
    if inconclusive:
        return f"{inconclusive[0].seen.route}: {inconclusive[0].judgement.reason}"
    return f"{len(findings.visited)} of {counted(len(findings.plan.routes), 'route')} observed"


def _all(count: int) -> str:
    return "the one planned route" if count == 1 else f"all {count} routes"


def _identity_words(findings: Findings) -> str:
    identity = findings.identity
    if identity is not None and identity.status == "verified":
        return f"the preview is of this change ({identity.evidence})"
    return "that the preview is of this change is claimed, not verified"


def limitations(findings: Findings, ledger: Sequence[LedgerEntry]) -> tuple[str, ...]:
    """What a reader must know before relying on the verdict, at most `MAX_LIMITATIONS`."""
    found = [coverage_sentence(ledger)] if ledger else []
    found += findings.causes.values()
    found += _never_judged(findings)
    found += _identity_limits(findings)
    found += [
        f"{v.seen.route}: {v.judgement.reason}" for v in findings.visited.values() if v.judgement.reason
    ]
    found += findings.notes
    if findings.visited:
        found += STANDING
        found += _watch_limits(findings)
    found += _route_limits(findings.visited.values())
    unique = list(dict.fromkeys(findings.redactor.text(text, limit=MAX_LIMITATION) for text in found))
    if len(unique) > MAX_LIMITATIONS:
        unique = [
            *unique[: MAX_LIMITATIONS - 1],
            f"{counted(len(unique) - MAX_LIMITATIONS + 1, 'more limitation')} left out",
        ]
    return tuple(unique)


def _never_judged(findings: Findings) -> list[str]:
    """The planned routes that a run which ended early says nothing about."""
    still_open = [route for route, _ in findings.plan.routes if route not in findings.visited]
    if not still_open or not findings.causes:
        return []
    return [f"not judged: {', '.join(still_open)}"]


def _identity_limits(findings: Findings) -> list[str]:
    found = []
    if findings.identity is not None and findings.identity.status == "claimed":
        found.append(findings.identity.evidence)
    if len(findings.plan.projects) > 1:
        projects = ", ".join(project.rstrip("/") or "the root" for project in findings.plan.projects)
        found.append(
            f"changed pages lie in several projects ({projects}); one preview may not serve them all"
        )
    silent = [route for route, v in findings.visited.items() if v.seen.navigation and not v.seen.stated]
    if silent and findings.identity is not None and findings.identity.status == "verified":
        found.append(f"{', '.join(silent)} named no revision of their own")
    return found


def _watch_limits(findings: Findings) -> list[str]:
    """How far the absence of errors reaches, and what an elsewhere started browser leaves open."""
    watched = [v.seen.watched_ms for v in findings.visited.values() if v.seen.watched_ms is not None]
    found = [f"errors later than {min(watched) / 1000:.1f} s after loading were not seen"] if watched else []
    if findings.browser is not None and findings.browser.remote_host is not None:
        host = findings.browser.remote_host
        found.append(f"the browser at {host} was not started by T-Rex, which vouches for no flag of it")
    return found


def _route_limits(visited: Iterable[Visited]) -> list[str]:
    return [f"{v.seen.route}: {limit}" for v in visited for limit in v.judgement.limitations]
