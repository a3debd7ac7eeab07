"""The door of a warm worker: a socket in the state directory, behind which a question is answered at once.

A worker that has just worked still has everything loaded. A client that finds it there hands it the whole
question, and needs to load nothing but this. Whatever is odd about the door (nobody there, another user,
another installation, another project, database or mount namespace, no answer in time) means that there is
none, and the question is answered as if no worker had been there. Linux only: elsewhere it stays shut.
A worker that a client starts for its question speaks the same through its standard input.

    worker   INSTALLATION
    client   {root, state_dir, place, environment, form, run}
    worker   ("declined",)                             nothing was saved
             ("run", ID), ("told", TEXT)…, ("end", EXIT_CODE), and ("beat",) every few seconds
"""

from __future__ import annotations

import contextlib
import marshal
import os
import socket
import struct
import sys
import zlib

from artifactize.store.recalled import FILE

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

START_BOUND_S = 60.0
"""A worker that takes longer to start is not coming."""

HELLO_BOUND_S = 1.0
"""A worker that takes longer to say hello is busy, and the question is answered without it."""

BEAT_EVERY_S = 5.0
SILENT_FOR_S = 60.0
"""A worker that says nothing for so long is hung: its client looks after the Run itself."""

MOST_BYTES = 8 * 1024 * 1024
HEAD = struct.Struct(">I")
_FOLDER = "doors"
_CREDENTIALS = struct.Struct("3i")


def installation() -> tuple[Any, ...]:
    """Return what two processes have in common that run the same program: they speak the same."""
    here = os.stat(__file__)  # noqa: PTH116 - pathlib is not loaded
    return (1, __file__, here.st_ino, here.st_mtime_ns, sys.version)


INSTALLATION = installation()


class NoAnswer(Exception):  # noqa: N818 - no error: there is another way
    """Nobody answers behind the door, or not any more."""


def place_of(root: str, state_dir: str) -> tuple[Any, ...] | None:
    """Return what a worker works on: folders of the same name may be others. None without a state."""
    try:
        return _place_of(root, state_dir)
    except OSError:
        return None


def _place_of(root: str, state_dir: str) -> tuple[Any, ...]:
    project = os.stat(root)  # noqa: PTH116 - as above
    database = os.stat(f"{state_dir}/{FILE}")  # noqa: PTH116 - as above
    mounts = os.readlink("/proc/self/ns/mnt")  # noqa: PTH115 - as above
    return (root, project.st_dev, project.st_ino, database.st_dev, database.st_ino, mounts)


def is_here() -> bool:
    """Whether there can be a door: not where the state is not in this folder."""
    return sys.platform == "linux" and "ARTIFACTIZE_STATE_URL" not in os.environ


def knock(root: str, state_dir: str) -> socket.socket | None:
    """Return the connection to a worker that has said hello, or None. Raises nothing."""
    if not is_here():
        return None
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.suppress(OSError, NoAnswer, ValueError, EOFError, TypeError):
        found.settimeout(HELLO_BOUND_S)
        with _reachable(root, state_dir) as address:
            found.connect(address)
        if is_ours(found) and receive(found) == INSTALLATION:
            return found
    found.close()
    return None


def open_door(root: str, state_dir: str) -> socket.socket:
    """Listen for clients, in place of whoever listened before. Raises OSError."""
    os.makedirs(f"{state_dir}/{_FOLDER}", mode=0o700, exist_ok=True)  # noqa: PTH103 - as above
    with _reachable(root, state_dir) as address:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(address)  # noqa: PTH108 - as above
        found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            found.bind(address)
            found.listen()
            found.setblocking(False)
        except BaseException:
            found.close()
            raise
    return found


def remove_door(root: str, state_dir: str) -> None:
    """Remove the socket; it need not be there."""
    with contextlib.suppress(OSError):
        os.unlink(f"{state_dir}/{_FOLDER}/{_name_of(root)}")  # noqa: PTH108 - as above


def is_ours(connection: socket.socket) -> bool:
    """Whether the process at the other end belongs to this very user."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(found)[1] == os.geteuid())


def packed(message: Any) -> bytes:  # noqa: ANN401 - whatever the protocol says
    """Return a message as it is sent: its length, and what only the same Python reads."""
    data = marshal.dumps(message)
    return HEAD.pack(len(data)) + data


def unpacked(data: bytes) -> Any:  # noqa: ANN401 - as above
    """Return a message without its head. Raises ValueError, EOFError, TypeError."""
    return marshal.loads(data)  # noqa: S302 - of our own user, through a folder that only he enters


def receive(connection: socket.socket) -> Any:  # noqa: ANN401 - as above
    """Return the next message. Raises NoAnswer, OSError, and what `unpacked` raises."""
    (length,) = HEAD.unpack(_exactly(connection, HEAD.size))
    if length > MOST_BYTES:
        raise NoAnswer
    return unpacked(_exactly(connection, length))


def _exactly(connection: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = connection.recv(count - len(parts))
        if not part:
            raise NoAnswer
        parts += part
    return bytes(parts)


def _name_of(root: str) -> str:
    return f"{zlib.crc32(os.fsencode(root)):08x}.sock"


@contextlib.contextmanager
def _reachable(root: str, state_dir: str) -> Iterator[str]:
    """Give an address of the socket that is short enough whatever the folder is called. Raises OSError."""
    folder = os.open(f"{state_dir}/{_FOLDER}", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(folder)
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise PermissionError(f"{state_dir}/{_FOLDER} is open to others")
        yield f"/proc/self/fd/{folder}/{_name_of(root)}"
    finally:
        os.close(folder)
