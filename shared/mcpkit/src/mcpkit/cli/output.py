"""Write the one result of a command on stdout."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mcpkit.errors import EXIT_USAGE

if TYPE_CHECKING:
    from pydantic import BaseModel


def write_text(text: str) -> None:
    """Write text and a line break; what stdout's encoding lacks is written as an escape."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _write((text if text.endswith("\n") else text + "\n").encode(encoding, errors="backslashreplace"))


def write_json(value: object) -> None:
    """Write one JSON document, UTF-8 whatever the locale says, indented by two."""
    import json  # deferred: not needed for --help

    text = json.dumps(value, ensure_ascii=False, indent=2, default=repr)
    # a lone surrogate (a path that is no UTF-8) has no UTF-8 form but a JSON escape
    _write(_escape_surrogates(text).encode() + b"\n")


def write_model(model: BaseModel) -> None:
    """Write a result exactly as the MCP tool does, only indented."""
    import json  # deferred: not needed for --help

    from mcpkit.canonical import compact_json

    write_json(json.loads(compact_json(model)))


def _escape_surrogates(text: str) -> str:
    if text.isascii():
        return text
    return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)


def _write(data: bytes) -> None:
    try:
        click.echo(data, nl=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
    except OSError as exc:
        # a full disk behind `> file`: the result is lost, so the command has failed
        _forget_stdout()
        click.echo(f"error: cannot write the result to stdout: {exc.strerror or exc}", err=True)
        raise SystemExit(EXIT_USAGE) from exc


def _forget_stdout() -> None:
    """Point stdout at nothing, so that the flush at exit does not complain (Python docs, note on SIGPIPE)."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
