"""Asks the preview who it is, again and again when the caller has time for that.

A deployment takes minutes: until then nothing answers, the platform answers in its place, or the address
shows the revision before. A shield against robots may
pass. Nothing else is waited for: a wall stays a wall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from codevetter_verify.domain.probe import require_preview
from codevetter_verify.domain.revision import identify
from codevetter_verify.errors import PreviewNotLiveError, PreviewShieldError, PreviewUnreachableError
from codevetter_verify.service.network import HostGate
from mcpkit.progress import report
from oskit.clock import monotonic

if TYPE_CHECKING:
    from codevetter_verify.domain.addresses import Gate
    from codevetter_verify.domain.change import Change
    from codevetter_verify.service.run import Run

MAX_WAIT_S = 900.0
"""The longest wait that may be asked for."""

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 10.0
_GROWTH = 1.5
_NOT_YET = (PreviewNotLiveError, PreviewShieldError, PreviewUnreachableError)


def gate_of(run: Run) -> Gate:
    """The run's one gate: the probe's addresses are the browser's."""
    if run.gate is None:
        run.gate = HostGate(run.findings.order.preview)
    return run.gate


async def await_preview(run: Run, change: Change) -> None:
    """Probe until the preview shows the head, or the wait is over; the last answer counts.

    Raises what `probe_preview` and `require_preview` raise.
    """
    deadline = monotonic() + run.options.wait_s
    pause = FIRST_PAUSE_S
    while True:
        left = deadline - monotonic()
        try:
            await _ask(run, change)
        except _NOT_YET as exc:
            if left <= 0:
                raise
            reason = str(exc).partition(";")[0]
        else:
            identity = run.findings.identity
            if left <= 0 or identity is None or identity.status != "mismatch":
                return
            reason = f"it shows {identity.revision} still"
        await report(1, None, f"waiting for the preview ({left:.0f} s left): {reason}")
        await anyio.sleep(min(pause, max(left, 0.05)))
        pause = min(pause * _GROWTH, LONGEST_PAUSE_S)
        run.gate = None  # a deployment may come with another address: the last answer's counts


async def _ask(run: Run, change: Change) -> None:
    from codevetter_verify.service.preview import (
        probe_preview,  # httpx: 0.2 s that starting a server need not wait
    )

    findings = run.findings
    findings.probe = findings.identity = None
    findings.probe = await probe_preview(
        findings.order.preview, gate=gate_of(run), allowed_hosts=run.options.allowed_hosts
    )
    findings.identity = identify(change.head_sha, findings.probe.headers, findings.probe.metas)
    require_preview(findings.probe, findings.order.preview)
