"""`verify --all` by way of a worker, a warm one if possible: this process only prints what it is told.

Loads next to nothing, as `commands.quick`. What cannot be done this way is left to the whole program
(`commands.taking_over`), which finds the Run in the state as everybody does.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from artifactize.service import door
from artifactize.store.recalled import new_ids

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

SECOND_INTERRUPT_S = 2.0
_DRAWN_AFTER_S = 0.4
_INTERRUPTED = 130


def ask_worker(
    places: tuple[str, str], environ: Mapping[str, str], form: str, write: Callable[[str], None]
) -> int | None:
    """Return the exit code of a Run of everything declared that a worker took on; None: ask otherwise.

    `write` prints what the worker tells. With the form `text` a Run that takes longer is drawn. Leaves the
    process where the whole program takes over, and on Ctrl-C.
    """
    if not door.is_here() or _is_shared(places[1]):
        return None
    connection = door.knock(*places)
    is_new = connection is None
    if connection is None:
        from artifactize.service.early_worker import start_asked  # deferred: as a rule there is a warm one

        connection = start_asked(*places)
    if connection is None:
        return None
    with connection:
        asking = _Asking(places, form, write)
        try:
            if is_new and not _has_started(connection):
                return None
            return asking.ask(connection, environ)
        except KeyboardInterrupt:
            connection.close()
            asking.interrupted()
        except (OSError, door.NoAnswer, ValueError, EOFError, TypeError):
            connection.close()
            asking.take_over()
    return None


def _is_shared(state_dir: str) -> bool:
    """Whether a review store is asked, too, of which there is more to tell than the door lets through."""
    return os.path.exists(f"{state_dir}/remote.json")  # noqa: PTH110 - pathlib is not loaded


def _has_started(connection: socket.socket) -> bool:
    connection.settimeout(door.START_BOUND_S)
    return bool(door.receive(connection) == door.INSTALLATION)


class _Asking:
    """One question, and what has been told of its answer."""

    def __init__(self, places: tuple[str, str], form: str, write: Callable[[str], None]) -> None:
        self._places = places
        self._form = form
        self._write = write
        self._run_id = new_ids(1)[0]
        self._is_submitted = False
        self._told: list[str] = []

    def ask(self, connection: socket.socket, environ: Mapping[str, str]) -> int | None:
        """Return the exit code, or None when the worker declines. Raises what `receive` raises."""
        question = {
            "root": self._places[0],
            "state_dir": self._places[1],
            "place": door.place_of(*self._places),
            "environment": dict(environ),
            "form": self._form,
            "run": self._run_id,
        }
        connection.settimeout(door.SILENT_FOR_S)
        connection.sendall(door.packed(question))
        while True:
            kind, *values = door.receive(connection)
            if kind == "end":
                return int(values[0])
            if kind == "declined":
                return None
            self._take(connection, kind, values)

    def _take(self, connection: socket.socket, kind: str, values: list[Any]) -> None:
        if kind == "told":
            self._told += values[0].splitlines()
            self._write(values[0])
        elif kind == "run":
            self._is_submitted = True
            if self._form == "text":  # a person who would like to see more of a Run that takes longer
                connection.settimeout(_DRAWN_AFTER_S)

    def take_over(self) -> None:
        """Go on with the Run if there is one, and leave the process; else return."""
        from artifactize.commands import taking_over  # deferred: as a rule the worker lives

        taking_over.take_over(self._places, self._run_id, self._form, frozenset(self._told))

    def interrupted(self) -> NoReturn:
        """Stop watching; a second Ctrl-C cancels the Run."""
        with contextlib.suppress(KeyboardInterrupt):
            if not self._is_submitted:
                sys.stderr.write(f"\ninterrupted while Run {self._run_id} was being submitted\n")
                sys.stderr.write(f"hint: artifactize run show {self._run_id}\n")
                raise SystemExit(_INTERRUPTED)
            sys.stderr.write(
                f"\nstopped watching; Run {self._run_id} goes on "
                f"(Ctrl-C again within {SECOND_INTERRUPT_S:g} s cancels it)\n"
                f"hint: artifactize run watch --text {self._run_id}\n"
            )
            sys.stderr.flush()
            time.sleep(SECOND_INTERRUPT_S)
            raise SystemExit(_INTERRUPTED)
        from artifactize.commands.taking_over import cancel  # deferred, as above

        cancel(self._places, self._run_id)
        raise SystemExit(_INTERRUPTED)
