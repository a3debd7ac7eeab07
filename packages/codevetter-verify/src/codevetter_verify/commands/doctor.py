"""`codevetter doctor`."""

from __future__ import annotations

import click

from codevetter_verify.commands.options import AS_JSON
from mcpkit.cli import debug_option, run


@click.command()
@click.option("--browser-path", metavar="PATH", help="Look at this Chromium.")
@AS_JSON
@debug_option
def doctor(*, browser_path: str | None, as_json: bool) -> None:
    """Say whether a browser, what drives it, git and a place for receipts are there, and what to do.

    Exit codes: 0 everything is there, 2 something is missing.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import DoctorRequest
    from codevetter_verify.render.doctor import render_doctor

    run(
        wiring.examine,
        lambda: DoctorRequest(browser=browser_path),
        render_doctor,
        as_json=as_json,
        exit_code=lambda found: 0 if found.ok else 2,
        envelope=command_line_envelope,
    )
