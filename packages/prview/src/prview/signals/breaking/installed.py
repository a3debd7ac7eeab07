"""Commands, entry points and features that the touched manifests no longer offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.changes import Break
from prview.domain.breaking.manifests import Offer, is_manifest, line_of_name, offers
from prview.domain.findings import Level

if TYPE_CHECKING:
    from prview.signals.breaking.work import Side, Work


def manifest_breaks(work: Work) -> list[Break]:
    """What whoever installs the touched packages runs into. A removed manifest took its package along."""
    return [item for path in work.old_paths(is_manifest) for item in _manifest(work, path)]


def _manifest(work: Work, path: str) -> list[Break]:
    now = work.now(path)
    if now is None or not is_manifest(now):
        return []
    old, new = _read(work, work.base, path), _read(work, work.head, now)
    if old is None or new is None:
        return []
    text = work.base.text(path) or ""
    return [_break(work, path, text, offer) for key, offer in old.items() if key not in new]


def _read(work: Work, side: Side, path: str) -> dict[str, Offer] | None:
    text = side.text(path)
    if text is None:
        return None
    try:
        return offers(path, text)
    except ValueError:
        work.gave_up(side, path, "is not valid")
        return None


def _break(work: Work, path: str, text: str, offer: Offer) -> Break:
    name = offer.name.rpartition(": ")[2]
    before = line_of_name(text, name)
    where, line, gone = work.place(path, before)
    return Break(
        rule=offer.rule,
        level=Level.WARNING,
        language="manifest",
        symbol=offer.name,
        path=where,
        line=line,
        what=f"{offer.what} was removed",
        effect=offer.effect,
        old=offer.name,
        gone=gone,
        was=f"{path}:{before}",
    )
