"""What was seen of several projects as what one check saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.base import (
    CheckProblem,
    CodeForbiddenError,
    Sight,
    ToolTimeoutError,
    ToolUnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.findings import Judged


def merged(parts: Sequence[Sight]) -> Sight:
    """All parts; a problem of one leaves what the others saw."""
    # a file may belong to several projects, and a tool says the same of it in each
    judged: list[Judged] = list(dict.fromkeys(item for part in parts for item in part.judged))
    unseen = [part.unseen for part in parts if part.unseen]
    seen = [part for part in parts if part.problem is None]
    reused = [run for part in seen for run in part.reused_from]
    return Sight(
        judged=tuple(sorted(judged, key=lambda item: item.sort_key)),
        flaky=tuple(sorted({name for part in parts for name in part.flaky})),
        examined=frozenset().union(*(part.examined for part in parts)),
        tool="; ".join(dict.fromkeys(part.tool for part in parts if part.tool)) or None,
        log="".join(part.log for part in parts),
        unseen="; ".join(dict.fromkeys(unseen)) or None,
        problem=_worst([part.problem for part in parts if part.problem]),
        reused_from=tuple(dict.fromkeys(reused)) if len(reused) == len(seen) else (),
    )


def _worst(problems: Sequence[CheckProblem]) -> CheckProblem | None:
    """The one that says least about the code; the others are named with it."""
    if not problems:
        return None
    mild = (ToolUnavailableError, CodeForbiddenError)
    order = sorted(
        problems, key=lambda problem: (isinstance(problem, mild), isinstance(problem, ToolTimeoutError))
    )
    worst = order[0]
    worst.message = "; ".join(dict.fromkeys(problem.message for problem in order))
    return worst
