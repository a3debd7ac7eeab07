"""The signal about breaking changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.document import PATH, breaking_document
from prview.signals.breaking.reading import find_breaks
from prview.signals.breaking.work import Side, Work
from prview.signals.side_tree import side_trees
from prview.signals.sources import foreign_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from prview.domain.breaking.changes import Break
    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext

_SUBMODULE_MODE = "160000"
_REPORTED = 1000
"""Changes that report.json lists; the findings of the run have all of them."""


class BreakingChanges:
    """Compares what the touched files offer to others before and after."""

    kind = "breaking"
    title = "Breaking changes"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Say what breaks and what could not be compared; None when there is neither."""
        files = await _own_files(context)
        if not files:
            return None
        sides = await side_trees(context)
        work = Work(
            base=Side("base", sides["base"], context.base_paths),
            head=Side("head", sides["head"], context.head_paths),
            files=files,
        )
        breaks = await to_thread.run_sync(find_breaks, work, abandon_on_cancel=True)
        if not breaks and not work.limits:
            return None
        return self._signal(breaks, tuple(work.limits), escalation=context.config.breaking_escalation)

    def _signal(self, breaks: Sequence[Break], limits: tuple[str, ...], *, escalation: bool) -> Signal:
        return Signal(
            kind=self.kind,
            title=self.title,
            findings=tuple(_finding(item, check_id(self.kind)) for item in breaks),
            artifacts=(Artifact(PATH, breaking_document(breaks, limits)),),
            data=_data(breaks, limits),
            escalates=escalation and any(item.level is not Level.NOTE for item in breaks),
            limits=limits,
        )


async def _own_files(context: SignalContext) -> tuple[ChangedFile, ...]:
    """The touched text files that others may rely on: no tests, nothing vendored or generated."""
    touched = [file for file in context.change.files if _is_text(file)]
    if not touched:
        return ()
    base = await foreign_files(context, side="base")
    head = await foreign_files(context, side="head")
    return tuple(
        file
        for file in touched
        if is_shipped(file.old_path or file.path)
        and not (head.reason(file.path) if file.status == "A" else base.reason(file.old_path or file.path))
    )


def _is_text(file: ChangedFile) -> bool:
    return not file.binary and _SUBMODULE_MODE not in {file.old_mode, file.new_mode}


def _finding(item: Break, check: str) -> Finding:
    parts = [f"{item.symbol} {item.what}: {item.effect}."]
    if item.old and item.new and item.old != item.new:
        parts.append(f"It was {item.old} and is {item.new}.")
    if item.note:
        parts.append(item.note)
    if item.was and not item.gone:
        parts.append(f"It stood at {item.was} in the merge base.")
    if item.gone:
        parts.append("The place is in the merge base: the file is gone.")
    if item.heuristic:
        parts.append("Found by pattern.")
    return Finding(
        check=check,
        rule=item.rule,
        level=item.level,
        path=item.path,
        line=item.line,
        message=" ".join(parts),
        anchor=f"{item.symbol} {item.what}",
        subject=item.symbol,
        removed=item.gone or bool(item.was),
    )


def _data(breaks: Sequence[Break], limits: Sequence[str]) -> dict[str, JsonValue]:
    return {
        "total": len(breaks),
        "warnings": sum(item.level is not Level.NOTE for item in breaks),
        "notes": sum(item.level is Level.NOTE for item in breaks),
        "by_pattern": sum(item.heuristic for item in breaks),
        "changes": [_record(item) for item in breaks[:_REPORTED]],
        "unlisted": max(0, len(breaks) - _REPORTED),
        "limits": list(limits),
    }


def _record(item: Break) -> dict[str, JsonValue]:
    return {
        "rule": item.rule,
        "level": item.level.value,
        "language": item.language,
        "symbol": item.symbol,
        "path": item.path,
        "line": item.line,
        "in_merge_base": item.gone,
        "what": item.what,
        "effect": item.effect,
        "before": item.old,
        "after": item.new,
        "note": item.note or None,
        "by_pattern": item.heuristic,
    }
