"""The `codevetter` command: a table of subcommands, imported when they run."""

from __future__ import annotations

from importlib import import_module

from click import version_option

from codevetter_verify import __version__
from mcpkit.cli import LazyGroup, completions_command, run_command_line

PROG = "codevetter"

cli = LazyGroup(
    name=PROG,
    help="Visit a change's deployed preview read-only in a real browser, and keep a receipt.",
    lazy={
        "trex": ("codevetter_verify.commands.trex:trex", "Verify a change by visiting its preview."),
        "receipts": ("codevetter_verify.commands.receipts:receipts", "Read what runs left."),
        "verify": ("codevetter_verify.commands.verify:verify", "Allow agents to verify a repository."),
        "history": ("codevetter_verify.commands.history:history", "Allow agents to read what there is."),
        "audit": ("codevetter_verify.commands.audit:audit", "See who asked for verifications."),
        "doctor": ("codevetter_verify.commands.doctor:doctor", "Say what this machine lacks."),
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
version_option(__version__, prog_name=PROG)(cli)
cli.add_command(completions_command(PROG))


def main() -> None:
    """Run as the whole process."""
    run_command_line(
        cli, prog=PROG, envelope=lambda: import_module("codevetter_verify.envelopes").command_line_envelope
    )
