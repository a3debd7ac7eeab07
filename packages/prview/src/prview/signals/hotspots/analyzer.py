"""Ranks the changed source files by what their past and the change itself say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.coverage import language
from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.history import history_of
from prview.signals.hotspots.complexity import GUESSED, complexity
from prview.signals.hotspots.score import Hotspot, Risk
from prview.signals.own import own_files
from prview.signals.roles import is_test
from prview.signals.words import code, page, plural

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.history import History
    from prview.signals.own import Own

KIND = "hotspots"
ARTIFACT = "00_summary/RISK_HOTSPOTS.md"
SHOWN = 50


class Hotspots:
    """Says where to look first. Tests and documents are not ranked."""

    kind = KIND
    title = "Risk hotspots"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """One look at the past for all files."""
        own = await own_files(context)
        files = [file for file in own.present if _is_ranked(file)]
        if not files:
            return None
        return await to_thread.run_sync(_signal, own, files, await history_of(context))


def _is_ranked(file: ChangedFile) -> bool:
    changes = (file.added or 0) + (file.deleted or 0)
    return bool(changes) and language(file.path) is not None and not is_test(file.path)


def _signal(own: Own, files: list[ChangedFile], history: History) -> Signal:
    ranked = sorted(
        (_hotspot(own, file, history) for file in files), key=lambda item: (-item.score, item.path)
    )
    high = [item for item in ranked if item.risk is Risk.HIGH]
    lines = {file.path: file.added_lines[0].number if file.added_lines else 1 for file in files}
    return Signal(
        kind=KIND,
        title=Hotspots.title,
        findings=tuple(_finding(item, lines[item.path]) for item in high),
        artifacts=(Artifact(ARTIFACT, _text(ranked, history)),),
        data={
            "files": [
                {
                    "path": item.path,
                    "score": item.score,
                    "risk": item.risk.value,
                    "lines": item.lines,
                    "commits": item.commits,
                    "fixes": item.fixes,
                    "authors": item.authors,
                    "decisions": item.decisions,
                }
                for item in ranked
            ]
        },
    )


def _hotspot(own: Own, file: ChangedFile, history: History) -> Hotspot:
    pasts = history.of.get(file.old_path or file.path, ()) if file.status not in {"A", "C"} else ()
    authors = Counter(past.email.lower() for past in pasts)
    before = complexity(file.path, own.before(file) or "")
    after = complexity(file.path, own.after(file) or "")
    return Hotspot(
        path=file.path,
        lines=(file.added or 0) + (file.deleted or 0),
        commits=len(pasts),
        fixes=sum(past.is_fix for past in pasts),
        authors=len(authors),
        share=max(authors.values(), default=1) / max(len(pasts), 1),
        decisions=after[0] - before[0] if before and after else None,
        guessed=after is not None and after[1] == GUESSED,
    )


def _finding(item: Hotspot, line: int) -> Finding:
    message = (
        f"high risk ({item.score} of 100): {plural(item.lines, 'changed line')}, "
        f"{plural(item.commits, 'commit')} by {plural(item.authors, 'author')} before, "
        f"{item.fixes} of them about fixes"
    )
    return Finding(check_id(KIND), "high-risk", Level.NOTE, item.path, line, message, anchor=item.path)


def _text(ranked: list[Hotspot], history: History) -> str:
    rows = [_row(item) for item in ranked[:SHOWN]]
    rest = len(ranked) - SHOWN
    more = [f"And {plural(rest, 'file')} of lower risk."] if rest > 0 else []
    remarks = [f"Of the past: {history.problem}."] if history.problem else []
    if any(item.guessed for item in ranked):
        remarks.append("Decisions marked with * are judged by indentation, not by reading the language.")
    return page(
        "# Risk hotspots",
        "",
        "Where to look first: changed source files by churn, earlier fixes, spread of authors,",
        "decisions added and size of the change. A score says what goes along with defects, not that there",
        "is one.",
        "",
        "| File | Risk | Changed lines | Commits | Fixes | Authors | Decisions |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
        *more,
        *remarks,
    )


def _row(item: Hotspot) -> str:
    numbers = (item.lines, item.commits, item.fixes, item.authors)
    cells = (
        code(item.path).replace("|", "\\|"),
        f"{item.score} {item.risk.value}",
        *map(str, numbers),
        _decisions(item),
    )
    return f"| {' | '.join(cells)} |"


def _decisions(item: Hotspot) -> str:
    if item.decisions is None:
        return "unknown"
    return f"{item.decisions:+d}{'*' if item.guessed else ''}"
