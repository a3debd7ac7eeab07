from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from artifactize.service import door

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator


@pytest.fixture
def places(tmp_path: Path) -> tuple[str, str]:
    state = tmp_path / ("deep" * 40)  # a socket's own address may have 107 characters
    state.mkdir(mode=0o700)
    (state / "artifactize.db").touch()
    (tmp_path / "project").mkdir()
    return str(tmp_path / "project"), str(state)


@pytest.fixture
def listening(places: tuple[str, str]) -> Iterator[socket.socket]:
    with door.open_door(*places) as found:
        found.setblocking(True)
        yield found


def greet(listening: socket.socket, hello: object) -> threading.Thread:
    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(door.packed(hello))

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_a_worker_of_the_same_installation_opens(places: tuple[str, str], listening: socket.socket) -> None:
    thread = greet(listening, door.INSTALLATION)
    found = door.knock(*places)
    thread.join()
    assert found is not None
    with found, pytest.raises(door.NoAnswer):
        door.receive(found)  # it has gone


def test_a_worker_of_another_installation_stays_outside(
    places: tuple[str, str], listening: socket.socket
) -> None:
    thread = greet(listening, (1, "elsewhere"))
    assert door.knock(*places) is None
    thread.join()


def test_nobody_opens_where_nobody_is_or_where_others_may_enter(
    places: tuple[str, str], listening: socket.socket
) -> None:
    doors = Path(places[1], "doors")
    doors.chmod(0o755)
    assert door.knock(*places) is None
    doors.chmod(0o700)
    listening.close()
    assert door.knock(*places) is None
    door.remove_door(*places)
    assert door.knock(*places) is None
    assert door.knock(places[0], f"{places[1]}/none") is None


def test_a_worker_too_busy_to_say_hello_is_not_waited_for(
    places: tuple[str, str], listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "HELLO_BOUND_S", 0.01)
    assert listening.fileno() > 0
    assert door.knock(*places) is None


def test_a_place_is_another_once_project_or_database_is_replaced(places: tuple[str, str]) -> None:
    root, state = places
    first = door.place_of(root, state)
    assert door.place_of(root, state) == first
    Path(root).rename(f"{root}-former")
    Path(root).mkdir()
    second = door.place_of(root, state)
    Path(state, "artifactize.db").rename(f"{state}/former")
    Path(state, "artifactize.db").touch()
    third = door.place_of(root, state)
    assert len({first, second, third}) == 3
