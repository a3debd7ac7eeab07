"""Starting a program: the one place that does, and that says in words why it did not start."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from oskit.process import _lineage as lineage
from oskit.process import _table as table
from oskit.process._environment import search_folders, which
from oskit.process._errors import ProcessError, ProgramMissingError, StartError
from oskit.process._identity import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oskit.process._mark import Mark

Argument: TypeAlias = "str | bytes | os.PathLike[str] | os.PathLike[bytes]"

_REASONS = {
    errno.EACCES: "permission denied; is it executable, and may its folder be entered?",
    errno.ENOEXEC: "it is neither a program of this machine nor a script that begins with #!",
    errno.E2BIG: "its arguments and environment together are too long for the system",
    errno.ENOENT: "the interpreter that its first line names does not exist",
}


@dataclass(frozen=True, kw_only=True)
class Command:
    """What to start, in which folder, with which (complete) environment."""

    argv: tuple[str, ...]
    program: str
    cwd: Path
    env: dict[str, str]

    @classmethod
    def of(cls, argv: Sequence[Argument], *, cwd: Path | None, env: Mapping[str, str]) -> Command:
        """Return a command whose program was found; ProcessError when it or the folder is missing.

        A program without a slash is searched on the PATH of `env`, one with a relative path starts in `cwd`.
        """
        words = tuple(os.fsdecode(word) for word in argv)
        if not words:
            raise StartError("nothing to start: the argument list is empty")
        folder = Path.cwd() if cwd is None else cwd.absolute()
        if not folder.is_dir():
            raise StartError(f"cannot start {words[0]}: its working directory {folder} is not a directory")
        return cls(argv=words, program=_locate(words[0], folder, env), cwd=folder, env=dict(env))

    def marked(self, mark: Mark) -> Command:
        """Return the command with the token of `mark` in its environment."""
        return replace(self, env=mark.in_environment(self.env))


@dataclass
class Child:
    """A program that we started and whose status nobody else may collect."""

    identity: ProcessIdentity
    returncode: int | None = None
    """Its status once collected, negative for a signal; None while unknown, also when the system lost it."""

    collected: bool = False

    def has_exited(self) -> bool:
        """Whether it has exited. Its number stays taken until `collect`."""
        if self.collected:
            return True
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            row = self.identity.row()
            return row is None or not row.alive
        try:
            return os.waitid(os.P_PID, self.identity.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
        except ChildProcessError:
            return self.collect(block=False)

    def collect(self, *, block: bool) -> bool:
        """Take its status, waiting for its end with `block`; says whether it is taken now."""
        if not self.collected:
            try:
                pid, status = os.waitpid(self.identity.pid, 0 if block else os.WNOHANG)
            except ChildProcessError:
                self.collected = True  # somebody waited for every child of ours: the status is lost, not zero
            else:
                self.collected = pid != 0
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        if self.collected:
            lineage.remove_direct(self.identity.pid)
        return self.collected


def start(command: Command, *, stdin: int, stdout: int, stderr: int) -> Child:
    """Start `command` in a session of its own with exactly these three descriptors; raises StartError.

    The descriptors stay open here. Blocks until the program replaced us in the child, a millisecond as a
    rule.
    """
    _keep_statuses(command)
    try:
        popen = subprocess.Popen(
            (command.program, *command.argv[1:]),
            cwd=command.cwd,
            env=command.env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    except (OSError, ValueError) as exc:
        raise _start_error(command, exc) from exc
    lineage.add_direct(popen.pid)
    popen.returncode = (
        0  # collecting the status is up to Child; without this, Popen would do it when forgotten
    )
    row = table.read(popen.pid)
    if row is None:
        lineage.remove_direct(popen.pid)
        raise StartError(
            f"{command.program} was started, but process {popen.pid} is not in the process table"
        )
    return Child(ProcessIdentity.from_row(row))


def _locate(program: str, folder: Path, env: Mapping[str, str]) -> str:
    if os.sep in program:
        path = str(folder / program)
        if not os.path.lexists(path):
            raise ProgramMissingError(program, (path,))
        return path
    searched = search_folders(env.get("PATH", os.defpath))
    found = which(program, searched)
    if found is None:
        raise ProgramMissingError(program, searched)
    return found


def _start_error(command: Command, exc: OSError | ValueError) -> ProcessError:
    if isinstance(exc, ValueError):  # a NUL byte, or "=" in the name of a variable
        return StartError(f"cannot start {command.program}: {exc}")
    if exc.filename == str(command.cwd):
        return StartError(f"cannot start {command.program} in {command.cwd}: {exc.strerror}")
    reason = _REASONS.get(exc.errno or 0, exc.strerror or str(exc))
    return StartError(f"cannot start {command.program}: {reason}")


def _keep_statuses(command: Command) -> None:
    """Undo an ignored SIGCHLD, which a parent may leave us: the kernel would drop every exit status."""
    if signal.getsignal(signal.SIGCHLD) is not signal.SIG_IGN:
        return
    if threading.current_thread() is not threading.main_thread():
        raise StartError(
            f"cannot start {command.program}: SIGCHLD is ignored, so its exit status would be lost"
        )
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
