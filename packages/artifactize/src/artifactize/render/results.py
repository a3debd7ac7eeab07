"""A Run as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.models.states import RequestState, RunState, Source
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.verification import EvalResult, Finding, RunStatus, VerifyResult

_STATE_WIDTH = 15
_LOGS_SHOWN = 20
_WITH_LOGS = {RequestState.RED, RequestState.ERROR}
_MS = 1000


def eval_line(result: EvalResult) -> str:
    """Return one settled eval: state, id, where the verdict comes from, what it says."""
    notes = [note for note in (_origin(result), result.summary) if note]
    line = f"{result.state:<{_STATE_WIDTH}} {result.eval}"
    return escape_untrusted(f"{line}  {'; '.join(notes)}" if notes else line)


def result_text(result: VerifyResult, *, told: bool) -> str:
    """Return the outcome with its findings; those told already, eval by eval, are not repeated."""
    shown = [each for each in result.findings if not told or each.request_id is None]
    lines = [_finding_line(each) for each in shown]
    lines += [_verdict_line(result)]
    if result.message:
        lines.append(escape_untrusted(result.message))
    return "\n".join([*lines, *_logs_lines(result)])


def _logs_lines(result: VerifyResult) -> list[str]:
    """Return how to read what each failed eval printed: one line an eval, at most `_LOGS_SHOWN`."""
    failed = [each for each in result.findings if each.request_id is not None and each.state in _WITH_LOGS]
    lines = [
        escape_untrusted(f"logs of {each.eval}: artifactize request logs {each.request_id}")
        for each in failed[:_LOGS_SHOWN]
    ]
    if (more := len(failed) - _LOGS_SHOWN) > 0:
        lines.append(f"logs of {more} more: artifactize run show {result.run_id} lists their requests")
    return lines


def _verdict_line(result: VerifyResult) -> str:
    said = result.outcome if result.state is RunState.FINISHED else result.state
    counts = ", ".join(f"{each.count} {each.state}" for each in result.counts)
    names = (("executed", "executed"), ("reused", "reused"), ("joined", "joined"), ("derived", "derived"))
    found = [(getattr(result.sources, name), word) for name, word in names]
    origins = ", ".join(f"{count} {word}" for count, word in found if count)
    return (
        f"{said}: {counts or 'no evals of its own'} ({origins or 'nothing executed'}) · Run {result.run_id}"
    )


def _finding_line(finding: Finding) -> str:
    state = finding.state or "MISSING"
    line = f"{state:<{_STATE_WIDTH}} {finding.eval}"
    code = "" if finding.exit_code in {0, None} else f"exit code {finding.exit_code}"
    said = "; ".join(note for note in (code, finding.summary) if note)
    return escape_untrusted(f"{line}  {said}" if said else line)


def _origin(result: EvalResult) -> str:
    if result.source is Source.REUSED:
        return f"{_exit_words(result)}reused from Run {result.source_run}"
    if result.source is Source.JOINED:
        return f"{_exit_words(result)}executed by Run {result.source_run}"
    if result.source is Source.EXECUTED and result.duration_ms is not None:
        return f"{_exit_words(result)}{result.duration_ms / _MS:.1f} s"
    return "derived" if result.source is Source.DERIVED else ""


def _exit_words(result: EvalResult) -> str:
    return "" if result.exit_code in {0, None} else f"exit code {result.exit_code}, "


def cancelled_text(status: RunStatus, *, was_over: bool) -> str:
    """Return how a Run stands after it was to be cancelled; one that `was_over` before says that."""
    said = f"Run {status.run_id}: {status.outcome or status.state}"
    return f"{said}; it was finished already, nothing was cancelled" if was_over else said
