"""The way into a tool from its console script."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from mcpkit.cli.failures import end_with, failure_code
from mcpkit.cli.stopping import stoppable
from mcpkit.errors import EXIT_USAGE, InvalidArgumentsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcpkit.cli.bodies import ErrorBodies


def run_command_line(
    command: click.Command,
    *,
    prog: str,
    envelope: Callable[[], ErrorBodies] | None = None,
    args: Sequence[str] | None = None,
) -> NoReturn:
    """Run a click command as the whole process.

    What click alone leaves open: wrong usage under `--json` is a JSON document of `envelope()` too, it exits
    with the command's `failure_exit`, and an exception that no command handled is an internal error, not a
    traceback. `envelope` is called only then, so that it may import. `args` are the process's by default.
    """
    words = list(sys.argv[1:] if args is None else args)
    as_json = "--json" in words
    with stoppable():
        try:
            code = command.main(words, prog_name=prog, standalone_mode=False)
        except click.UsageError as exc:
            _refuse(exc, as_json=as_json, quiet="--quiet" in words, envelope=envelope)
        except click.ClickException as exc:
            exc.show()
            code = exc.exit_code
        except click.Abort:
            raise KeyboardInterrupt from None  # click's word for Ctrl-C
        except Exception as exc:  # noqa: BLE001 - the edge of the process
            end_with(
                exc, as_json=as_json, quiet="--quiet" in words, envelope=envelope() if envelope else None
            )
    raise SystemExit(code if isinstance(code, int) else 0)


def _refuse(
    error: click.UsageError, *, as_json: bool, quiet: bool, envelope: Callable[[], ErrorBodies] | None
) -> NoReturn:
    code = failure_code(error.ctx, EXIT_USAGE)
    if not as_json:
        error.show()
        raise SystemExit(code)
    usage = error.ctx.command_path if error.ctx else "the command"
    refusal = InvalidArgumentsError(error.format_message(), hint=f"see `{usage} --help`")
    try:
        end_with(refusal, as_json=True, quiet=quiet, envelope=envelope() if envelope else None)
    except SystemExit:
        raise SystemExit(code) from error
