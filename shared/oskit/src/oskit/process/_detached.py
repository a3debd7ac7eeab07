"""Starting what outlives us: a background worker that holds nothing of ours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from oskit.files import StorageError, translated
from oskit.process._errors import StartError
from oskit.process._mark import inherited_limit, without_token
from oskit.process._reaper import collect_later
from oskit.process._start import Argument, Command, start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from oskit.process._identity import ProcessIdentity

_LOG = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


def spawn_detached(
    argv: Sequence[Argument], *, cwd: Path, env: Mapping[str, str], log: Path, stdin: int | None = None
) -> ProcessIdentity:
    """Start a program that lives on after us, and return its identity.

    It has a session of its own, standard input is empty or the descriptor `stdin`, which stays the caller's
    to close, both outputs append to `log` (made with mode 0600), and no other descriptor of ours is open in
    it, so that whoever reads our output sees its end. While we live, its status is collected when it exits.
    A supervisor that runs *us* does not end it with us. Raises ProcessError.
    """
    command = Command.of(argv, cwd=cwd, env=without_token(dict(env)))
    try:
        with translated(log, "write"):
            output = os.open(log, _LOG, 0o600)
    except StorageError as exc:
        raise StartError(f"no place for the output: {exc.message}", hint=exc.hint) from exc
    try:
        empty = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        try:
            with inherited_limit(None):
                child = start(command, stdin=empty if stdin is None else stdin, stdout=output, stderr=output)
        finally:
            os.close(empty)
    finally:
        os.close(output)
    collect_later(child)
    return child.identity
