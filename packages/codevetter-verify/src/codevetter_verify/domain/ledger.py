"""The coverage ledger: what became of every changed path.

A path counts as exercised only when a page that shows it was observed: an error status is no page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.models import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codevetter_verify.domain.plan import PathRole

MAX_REASON = 240


def build_ledger(roles: Sequence[PathRole], observed: Collection[str]) -> tuple[LedgerEntry, ...]:
    """One entry a changed path; `observed` are the routes whose page was seen."""
    return tuple(_entry(role, observed) for role in roles)


def _entry(role: PathRole, observed: Collection[str]) -> LedgerEntry:
    if role.kind == "page":
        return _page(role, observed)
    return LedgerEntry(path=role.path, outcome=role.kind, route=role.route, reason=_bounded(role.reason))


def _page(role: PathRole, observed: Collection[str]) -> LedgerEntry:
    """The nearest planned route that was observed; a page that changed itself needs no reason."""
    own = (role.route, None if role.direct else role.reason)
    for route, reason in (own, *role.also):
        if route in observed:
            return LedgerEntry(path=role.path, outcome="exercised", route=route, reason=_bounded(reason))
    return LedgerEntry(path=role.path, outcome="not_run", route=role.route, reason=_bounded(own[1]))


def _bounded(reason: str | None) -> str | None:
    return reason if reason is None or len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"


def coverage_sentence(ledger: Sequence[LedgerEntry]) -> str:
    """The first limitation of every receipt."""
    exercised = sum(entry.outcome == "exercised" for entry in ledger)
    counts = {
        words: sum(entry.outcome == outcome for entry in ledger)
        for outcome, words in (
            ("not_mapped", "not mapped to a page"),
            ("non_ui", "not user interface"),
            ("dynamic", "behind a dynamic route"),
            ("deleted", "deleted"),
            ("over_bound", "over the bound of routes"),
            ("not_run", "on a page that was not visited or did not answer as one"),
        )
    }
    rest = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
    said = f"{exercised} of {len(ledger)} changed paths were exercised"  # the contract's words
    return f"{said} ({rest})" if rest else said
