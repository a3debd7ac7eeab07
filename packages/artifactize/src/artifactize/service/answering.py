"""Behind the door of a worker: questions of clients that load nothing, answered with what is loaded here.

A Run that is submitted here is saved like every other before its client hears of it; a client that loses us
goes on watching what is saved.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from artifactize.domain.selection import ALL
from artifactize.models.states import RunState
from artifactize.service import door
from artifactize.service.observing import Watcher, follow
from artifactize.service.remembering import remember
from artifactize.service.submitting import Submission, submit
from artifactize.service.wordings import told_end, told_events
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from anyio.abc import TaskGroup

    from artifactize.models.stored import Run
    from artifactize.service.workspace import Workspace

_MOST_CLIENTS = 32
_QUESTION_BOUND_S = 10.0
_ERROR_EXIT = 2

logger = logging.getLogger(__name__)


class Answering:
    """Answers what is asked at the door. `wake` lets the worker look for Runs at once."""

    def __init__(self, workspace: Workspace, wake: Callable[[], None]) -> None:
        self._workspace = workspace
        self._wake = wake
        self._door: socket.socket | None = None
        self._place: tuple[Any, ...] | None = None
        self._asked: dict[str, anyio.Event] = {}
        self.clients = 0

    def open(self, tasks: TaskGroup) -> None:
        """Listen; a worker without a door works all the same."""
        root, state_dir = self._folders
        if not door.is_here():
            return
        self._place = door.place_of(root, state_dir)
        try:
            self._door = door.open_door(root, state_dir)
        except OSError as failure:
            logger.info("no door: %s", failure)
            return
        tasks.start_soon(self._listen, tasks, self._door)

    def close(self) -> None:
        """Let nobody in any more."""
        if self._door is not None:
            self._door.close()
            self._door = None
            door.remove_door(*self._folders)

    async def told(self, run_id: str, *, bound_s: float) -> None:
        """Wait until whoever asked for a Run has got its end, for so long at most."""
        if (asked := self._asked.get(run_id)) is not None:
            with anyio.move_on_after(bound_s):
                await asked.wait()

    @property
    def _folders(self) -> tuple[str, str]:
        return str(self._workspace.root), str(self._workspace.state_dir)

    async def _listen(self, tasks: TaskGroup, listening: socket.socket) -> None:
        while True:
            await anyio.wait_readable(listening)
            with contextlib.suppress(BlockingIOError, ConnectionError):
                connection, _ = listening.accept()
                if self.clients < _MOST_CLIENTS and door.is_ours(connection):
                    tasks.start_soon(self._serve, connection)
                else:
                    connection.close()

    async def _serve(self, connection: socket.socket) -> None:
        with self._client_in(connection) as client:
            question = await client.question()
            async with beating(client):
                if question["place"] is not None and question["place"] == self._place == door.place_of(
                    *self._folders
                ):
                    await self._answer(client, question)
                else:
                    await client.send(("declined",))

    async def _answer(self, client: Client, question: dict[str, Any]) -> None:
        workspace = self._workspace.asked_by(question["environment"])
        run = await submitted(workspace, question["run"])
        if run is None:
            await client.send(("declined",))
            return
        await self._tell(client, workspace, run, question["form"])

    async def tell_first(self, client: Client, workspace: Workspace, run: Run, form: str) -> None:
        """Tell of the Run for which this process was started."""
        with self._client_in(client.connection):
            async with beating(client):
                await self._tell(client, workspace, run, form)

    async def _tell(self, client: Client, workspace: Workspace, run: Run, form: str) -> None:
        self._asked[run.id] = anyio.Event()
        self._wake()
        try:
            await client.send(("run", run.id))
            await _tell(client, workspace, run.id, form)
        finally:
            self._asked.pop(run.id).set()
        if run.state is RunState.FINISHED:
            await remember(workspace, workspace.environment)

    @contextlib.contextmanager
    def _client_in(self, connection: socket.socket) -> Iterator[Client]:
        """Count a client while it is here; that it has gone is no failure."""
        self.clients += 1
        try:
            with connection:
                yield Client(connection)
        except* (OSError, door.NoAnswer, TimeoutError):
            pass  # what it asked for is saved, or was never begun
        except* Exception:
            logger.exception("a question at the door was not answered")
        finally:
            self.clients -= 1


async def submitted(workspace: Workspace, run_id: str) -> Run | None:
    """Submit a Run of everything; None when it is refused, which its client can say better."""
    try:
        return (await submit(workspace, Submission(selection=ALL, run_id=run_id))).run
    except ToolError:
        return None


async def first_question(
    client: Client, opened: Callable[[Path, Path, dict[str, str]], Workspace]
) -> tuple[Workspace, Run, str] | None:
    """Submit what whoever started this process asks; None when it is refused, or nobody asks any more.

    `opened` opens the project and the state that are named, for an environment.
    """
    found: tuple[Workspace, Run, str] | None = None
    try:
        question = await client.question()
        workspace = opened(Path(question["root"]), Path(question["state_dir"]), question["environment"])
        async with beating(client):
            run = await submitted(workspace, question["run"])
            if run is None:
                await client.send(("declined",))
            else:
                found = workspace, run, question["form"]
    except* (OSError, door.NoAnswer, TimeoutError):
        pass  # a Run that was saved is told of, or done by the next worker
    return found


@contextlib.asynccontextmanager
async def beating(client: Client) -> AsyncIterator[None]:
    """Show a client that we live, while something is done for it."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.beat)
        yield
        tasks.cancel_scope.cancel()


class Client:
    """One client, as a stream of messages."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection
        self._sending = anyio.Lock()

    async def question(self) -> dict[str, Any]:
        """Say hello and return what is asked. Raises OSError, NoAnswer, TimeoutError."""
        await self.send(door.INSTALLATION)
        with anyio.fail_after(_QUESTION_BOUND_S):
            found: dict[str, Any] = await self.receive()
        return found

    async def beat(self) -> None:
        """Say now and then that we live, until cancelled."""
        while True:
            await anyio.sleep(door.BEAT_EVERY_S)
            await self.send(("beat",))

    async def send(self, message: Any) -> None:  # noqa: ANN401 - whatever the protocol says
        """Send a message. Raises OSError, TimeoutError when nobody takes it."""
        left = memoryview(door.packed(message))
        async with self._sending:
            with anyio.fail_after(door.SILENT_FOR_S):
                while left:
                    try:
                        left = left[self.connection.send(left) :]
                    except BlockingIOError:
                        await anyio.wait_writable(self.connection)

    async def receive(self) -> Any:  # noqa: ANN401 - as above
        """Return the next message. Raises OSError, NoAnswer."""
        (length,) = door.HEAD.unpack(await self._exactly(door.HEAD.size))
        if length > door.MOST_BYTES:
            raise door.NoAnswer
        return door.unpacked(await self._exactly(length))

    async def _exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            await anyio.wait_readable(self.connection)
            part = self.connection.recv(count - len(parts))
            if not part:
                raise door.NoAnswer
            parts += part
        return bytes(parts)


async def _tell(client: Client, workspace: Workspace, run_id: str, form: str) -> None:
    watcher = Watcher()
    async for seen in follow(workspace, run_id):
        text = told_events(list(watcher.events(seen)), form)
        if seen.is_over:
            end, exit_code = told_end(seen, form)
            await client.send(("told", text + end))
            await client.send(("end", _ERROR_EXIT if exit_code is None else exit_code))
        elif text:
            await client.send(("told", text))
