from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from oskit.process import (
    ProcessIdentity,
    ProgramMissingError,
    StartError,
    clean_environment,
    kill_tree,
    run,
    spawn_detached,
)
from support.processes import children, descriptors, is_running, open_descriptors, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SH = "/bin/sh"
SPAWN = """
import sys
from pathlib import Path
from pathlib import Path
from oskit.process import clean_environment, spawn_detached
log = Path(sys.argv[1])
print(spawn_detached(["sleep", "300"], cwd=log.parent, env=clean_environment(), log=log))
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def spawned() -> Iterator[list[ProcessIdentity]]:
    identities: list[ProcessIdentity] = []
    yield identities
    for identity in identities:
        kill_tree(identity, grace_s=0.1)


def test_both_outputs_append_to_a_private_log(log: Path) -> None:
    for word in ("one", "two"):
        identity = spawn_detached(
            [SH, "-c", f"echo {word}; echo {word} >&2; cat"], cwd=log.parent, env=clean_environment(), log=log
        )
        wait_until(lambda identity=identity: not identity.is_alive())  # type: ignore[misc]
    assert log.read_text() == "one\none\ntwo\ntwo\n"
    assert log.stat().st_mode & 0o777 == 0o600


def test_it_reads_the_descriptor_it_is_given_to_its_end(log: Path) -> None:
    reading, writing = os.pipe()
    identity = spawn_detached(
        [SH, "-c", "cat; echo end"], cwd=log.parent, env=clean_environment(), log=log, stdin=reading
    )
    os.close(reading)
    os.write(writing, b"told\n")
    os.close(writing)
    wait_until(lambda: not identity.is_alive())
    assert log.read_text() == "told\nend\n"


def test_it_leads_a_session_and_holds_no_descriptor_but_three(
    log: Path, spawned: list[ProcessIdentity]
) -> None:
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    before = open_descriptors()
    spawned.append(spawn_detached(["sleep", "300"], cwd=log.parent, env=clean_environment(), log=log))
    pid = spawned[0].pid
    assert open_descriptors() == before
    assert os.getsid(pid) == pid
    targets = descriptors(pid)
    assert [targets.pop(fd) for fd in "012"] == [os.devnull, str(log), str(log)]
    assert all(target.startswith("/usr/") for target in targets.values())  # its own, while it starts
    os.close(write_end)
    assert os.read(read_end, 1) == b""
    os.close(read_end)


def test_its_status_is_collected_while_we_live(log: Path) -> None:
    before = children()
    spawn_detached(["true"], cwd=log.parent, env=clean_environment(), log=log)
    wait_until(lambda: children() <= before)


def test_it_survives_us_and_our_readers_see_the_end(log: Path, spawned: list[ProcessIdentity]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SPAWN, str(log)], capture_output=True, check=True, timeout=30
    )
    spawned.append(ProcessIdentity.parse(done.stdout.decode().strip()))
    assert spawned[0].is_alive()


@pytest.mark.anyio
async def test_it_survives_the_supervisor_of_the_program_that_spawned_it(
    log: Path, spawned: list[ProcessIdentity]
) -> None:
    """Detaching is deliberate; it differs from a daemon that a check forgot."""
    done = await run([sys.executable, "-c", SPAWN, str(log)], deadline_s=30)
    spawned.append(ProcessIdentity.parse(done.stdout.decode().strip()))
    assert spawned[0].is_alive()


def test_a_program_that_cannot_start_is_told_at_once(log: Path) -> None:
    with pytest.raises(ProgramMissingError):
        spawn_detached(["no-such-program"], cwd=log.parent, env=clean_environment(), log=log)
    with pytest.raises(StartError, match="no place for the output"):
        spawn_detached(["true"], cwd=log.parent, env=clean_environment(), log=log.parent / "missing" / "log")


def test_a_log_that_is_a_link_is_not_followed(log: Path) -> None:
    log.symlink_to(log.with_name("elsewhere"))
    with pytest.raises(StartError, match="no place for the output"):
        spawn_detached(["true"], cwd=log.parent, env=clean_environment(), log=log)


def test_the_identity_is_that_of_the_running_program(log: Path, spawned: list[ProcessIdentity]) -> None:
    spawned.append(spawn_detached(["sleep", "300"], cwd=log.parent, env=clean_environment(), log=log))
    assert ProcessIdentity.of(spawned[0].pid) == spawned[0]
    assert is_running(spawned[0].pid)
