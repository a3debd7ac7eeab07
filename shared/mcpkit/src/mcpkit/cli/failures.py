"""The one place where a failure becomes words on stderr, a JSON object and an exit code.

Every command imports this for its decorators, so what only a failure needs is imported by the failure.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from mcpkit.errors import EXIT_USAGE, InvalidArgumentsError, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcpkit.cli.bodies import ErrorBodies

_FAILURE_EXIT = "mcpkit_failure_exit"
_Command = TypeVar("_Command", bound=click.Command)


@contextmanager
def failing(*, as_json: bool, quiet: bool = False, envelope: ErrorBodies | None = None) -> Iterator[None]:
    """Run a block whose failures end the process: a `ToolError` with its exit code, any other with 2.

    With `as_json` the envelope's object is the one document on stdout; `quiet` then keeps stderr silent.
    `SystemExit`, `KeyboardInterrupt` and click's own exceptions pass through.
    """
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as exc:  # noqa: BLE001 - the edge of the process: nothing above would report it better
        end_with(exc, as_json=as_json, quiet=quiet, envelope=envelope)


def end_with(
    error: Exception, *, as_json: bool, quiet: bool = False, envelope: ErrorBodies | None = None
) -> NoReturn:
    """Report the error and leave the process."""
    from mcpkit.cli.bodies import PlainBodies
    from mcpkit.cli.words import error_words

    bodies = envelope or PlainBodies()
    error = _foreseen(error)
    if not isinstance(error, ToolError):
        _end_with_internal(error, as_json=as_json, quiet=quiet, bodies=bodies)
    try:
        document = bodies.body(error) if as_json else None
    except Exception as undeclared:  # noqa: BLE001 - a class the server never declared is a fault of ours
        _end_with_internal(undeclared, as_json=as_json, quiet=quiet, bodies=bodies)
    _report(error_words(error), document, quiet=quiet)
    raise SystemExit(failure_code(click.get_current_context(silent=True), error.exit_code)) from error


def failure_exit(code: int) -> Callable[[_Command], _Command]:
    """Give every failure of a command this exit code, wrong usage and internal errors included.

    For commands whose codes are verdicts: `prview gate` must not answer a typo with a verdict's 2.
    Apply it above `@click.command()`; wrong usage is covered under `run_command_line`.
    """

    def mark(command: _Command) -> _Command:
        setattr(command, _FAILURE_EXIT, code)
        return command

    return mark


def failure_code(context: click.Context | None, code: int) -> int:
    """Return the exit code that the running command gives to failures, `code` when it names none."""
    return int(getattr(context.command, _FAILURE_EXIT, code)) if context else code


def usage_error(message: str, *, hint: str | None = None) -> NoReturn:
    """Refuse the command line as click does: usage, the message and the hint on stderr, exit code 2."""
    from mcpkit.text import escape_untrusted

    text = f"{message}\nhint: {hint}" if hint else message
    raise click.UsageError(escape_untrusted(text), ctx=click.get_current_context(silent=True))


def _foreseen(error: Exception) -> Exception:
    """A current folder that somebody deleted is no defect of ours, wherever we stumble over it."""
    if not isinstance(error, FileNotFoundError):
        return error
    try:
        os.getcwd()  # noqa: PTH109 - pathlib would be loaded for this alone
    except FileNotFoundError:
        return InvalidArgumentsError("the current folder no longer exists", hint="change to one that does")
    return error


def _end_with_internal(error: Exception, *, as_json: bool, quiet: bool, bodies: ErrorBodies) -> NoReturn:
    import logging
    import secrets

    from mcpkit.cli.words import internal_words

    error_id = secrets.token_hex(4)
    logging.getLogger(__name__).debug("internal error %s", error_id, exc_info=error)
    _report(internal_words(error, error_id), bodies.internal(error_id) if as_json else None, quiet=quiet)
    raise SystemExit(failure_code(click.get_current_context(silent=True), EXIT_USAGE)) from error


def _report(words: str, document: object | None, *, quiet: bool) -> None:
    from mcpkit.cli.output import write_json

    if document is None or not quiet:
        click.echo(words, err=True)
    if document is not None:
        write_json(document)
