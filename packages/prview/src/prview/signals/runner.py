"""Runs the analyzers and turns whatever happens to one of them into its result."""

from __future__ import annotations

import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

from oskit.clock import monotonic
from prview.domain.signals import SignalResult, SignalState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.signals.base import Analyzer, SignalContext


async def run_signals(analyzers: Sequence[Analyzer], context: SignalContext) -> tuple[SignalResult, ...]:
    """Run all and return their results in the order of `analyzers`. None keeps another from its result.

    One after the other: they are Python at work, and threads of it that take turns cost twice the time.
    """
    return tuple([await _result(analyzer, context) for analyzer in analyzers])


async def _result(analyzer: Analyzer, context: SignalContext) -> SignalResult:
    started = monotonic()
    result = SignalResult(kind=analyzer.kind, title=analyzer.title, state=SignalState.SILENT)
    try:
        signal = await analyzer.analyze(context)
        if signal:
            result = replace(result, state=SignalState.SPOKE, signal=signal)
    except Exception as exc:  # noqa: BLE001 - a defect in one signal must not cost the run its verdict
        reason = f"{type(exc).__name__}: {exc}"
        result = replace(result, state=SignalState.ERROR, reason=reason, log=traceback.format_exc())
    return replace(result, duration_s=monotonic() - started)
