"""Results without the name of the temporary folder that they were made in: it differs from run to run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prview.domain.checks import CheckResult
    from prview.domain.findings import Judged

SCRATCH = "<scratch>"
"""Stands for the temporary folder in logs and messages."""


def relocated(result: CheckResult, folder: str) -> CheckResult:
    """The result with `folder` written as SCRATCH wherever its texts name it."""

    def shown(text: str) -> str:
        return text.replace(folder, SCRATCH)

    return replace(
        result,
        log=shown(result.log),
        reason=shown(result.reason) if result.reason else result.reason,
        unseen=shown(result.unseen) if result.unseen else result.unseen,
        flaky=tuple(shown(test) for test in result.flaky),
        judged=tuple(_finding(item, folder) for item in result.judged),
    )


def _finding(item: Judged, folder: str) -> Judged:
    finding = item.finding
    if folder not in finding.message and folder not in finding.anchor:
        return item
    message, anchor = (text.replace(folder, SCRATCH) for text in (finding.message, finding.anchor))
    return replace(item, finding=replace(finding, message=message, anchor=anchor))
