from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from oskit.files import StorageError
from oskit.locks import FileLock, LockHeldError, LockOwner
from oskit.process import ProcessIdentity

HOLD = """
import sys
from pathlib import Path
from oskit.locks import FileLock, LockHeldError
sys.stdin.readline()
try:
    lock = FileLock(Path(sys.argv[1])).acquire({"job": sys.argv[2]})
    print("won", flush=True)
except LockHeldError as exc:
    print(exc.owner.details["job"], flush=True)
sys.stdin.read()
"""


def contender(path: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLD, str(path), name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say_go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_a_taken_lock_names_its_owner(path: Path) -> None:
    with FileLock(path).acquire({"job": "7"}), pytest.raises(LockHeldError) as caught:
        FileLock(path).acquire()
    owner = caught.value.owner
    assert owner is not None
    assert owner.identity == ProcessIdentity.current()
    assert owner.details == {"job": "7"}
    assert owner.since.endswith("Z")
    assert str(caught.value) == f"{path} is locked by process {os.getpid()} since {owner.since} (job: 7)"


def test_a_released_lock_can_be_taken_again(path: Path) -> None:
    lock = FileLock(path)
    with lock:
        assert lock.held
    assert [lock.held] == [False]
    with lock, pytest.raises(LockHeldError):
        FileLock(path).acquire()
    lock.release()


def test_taking_a_lock_twice_with_one_object_is_a_mistake(path: Path) -> None:
    with FileLock(path) as lock, pytest.raises(RuntimeError, match="already locked by this object"):
        lock.acquire()


def test_an_error_in_the_block_releases_the_lock(path: Path) -> None:
    with pytest.raises(ValueError, match="mine"), FileLock(path):
        raise ValueError("mine")
    FileLock(path).acquire().release()


def test_of_twenty_racing_processes_one_wins_and_the_others_know_which(path: Path) -> None:
    racers = {str(number): contender(path, str(number)) for number in range(20)}
    for racer in racers.values():
        say_go(racer)
    answers = {name: answer(racer) for name, racer in racers.items()}
    for racer in racers.values():
        racer.communicate()
    winners = [name for name, said in answers.items() if said == "won"]
    assert len(winners) == 1
    assert {said for name, said in answers.items() if name not in winners} == set(winners)


def test_a_killed_owner_holds_nothing(path: Path) -> None:
    owner = contender(path, "dead")
    say_go(owner)
    assert answer(owner) == "won"
    with pytest.raises(LockHeldError):
        FileLock(path).acquire()
    owner.kill()
    owner.communicate()
    with FileLock(path).acquire({"job": "next"}), pytest.raises(LockHeldError) as caught:
        FileLock(path).acquire()
    assert caught.value.owner is not None
    assert caught.value.owner.details == {"job": "next"}


def test_a_program_that_the_owner_started_does_not_keep_the_lock(path: Path) -> None:
    lock = FileLock(path).acquire()
    with subprocess.Popen(["sleep", "300"], close_fds=False) as child:
        lock.release()
        FileLock(path).acquire().release()
        child.kill()


def test_what_a_dead_owner_left_in_the_file_does_not_matter(path: Path) -> None:
    path.write_bytes(b"\xff" * 100_000)
    with FileLock(path).acquire({"job": "new"}), pytest.raises(LockHeldError) as caught:
        FileLock(path).acquire()
    assert caught.value.owner is not None
    assert caught.value.owner.details == {"job": "new"}


def test_an_owner_that_leaves_no_record_is_another_process(path: Path) -> None:
    with FileLock(path):
        path.write_bytes(b"")
        with pytest.raises(LockHeldError, match="is locked by another process") as caught:
            FileLock(path).acquire()
    assert caught.value.owner is None


def test_the_file_is_private_and_no_link(path: Path) -> None:
    with FileLock(path):
        assert path.stat().st_mode & 0o777 == 0o600
    path.unlink()
    path.symlink_to(path.with_name("elsewhere"))
    with pytest.raises(StorageError):
        FileLock(path).acquire()


def test_a_lock_in_a_missing_folder_is_a_storage_error(path: Path) -> None:
    with pytest.raises(StorageError, match="cannot lock"):
        FileLock(path / "below").acquire()


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=20), max_size=4), st.text(max_size=30))
def test_a_record_is_read_as_it_was_written(details: dict[str, str], since: str) -> None:
    owner = LockOwner(identity=ProcessIdentity(1, "x"), since=since, details=details)
    assert LockOwner.from_json(owner.to_json()) == owner


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["identity", "since", "details"]), inner)
    ),
    max_leaves=6,
)


@given(st.binary(max_size=50) | JSON.map(lambda value: json.dumps(value).encode()))
def test_what_is_no_record_is_none(text: bytes) -> None:
    assert LockOwner.from_json(text) is None


class Locks(RuleBasedStateMachine):
    """Three objects and one file: exactly the one that took the lock last and did not release it holds it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.locks = [FileLock(Path(self.folder.name, "lock")) for _ in range(3)]
        self.holder: int | None = None

    @rule(number=st.integers(0, 2))
    def acquire(self, number: int) -> None:
        if self.holder is None:
            self.locks[number].acquire({"number": str(number)})
            self.holder = number
            return
        with pytest.raises(RuntimeError if self.holder == number else LockHeldError) as caught:
            self.locks[number].acquire()
        if isinstance(caught.value, LockHeldError):
            assert caught.value.owner is not None
            assert caught.value.owner.details == {"number": str(self.holder)}

    @rule(number=st.integers(0, 2))
    def release(self, number: int) -> None:
        self.locks[number].release()
        self.holder = None if self.holder == number else self.holder

    @invariant()
    def each_knows_whether_it_holds(self) -> None:
        assert [lock.held for lock in self.locks] == [self.holder == number for number in range(3)]

    def teardown(self) -> None:
        for lock in self.locks:
            lock.release()
        self.folder.cleanup()


TestLocks = Locks.TestCase
