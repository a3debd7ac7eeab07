"""A PostgreSQL server of a test's own: in a temporary folder, on a Unix socket, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

BOUND_S = 60


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, the newest version; Debian keeps them out of PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if installed:
        return installed[-1]
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


@contextmanager
def postgresql() -> Iterator[str]:
    """The SQLAlchemy URL of a running server."""
    place = programs()
    assert place is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    who: dict[str, Any] = {}
    if os.geteuid() == 0:  # it refuses to run as root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    data = folder / "data"

    def run(program: str, *words: str) -> None:
        command = [str(place / program), *words]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, timeout=BOUND_S, check=False, **who
        )
        assert done.returncode == 0, done.stdout + done.stderr

    try:
        run("initdb", "--no-sync", "--auth=trust", "--username=tester", "--pgdata", str(data))
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        log = ("--log", str(folder / "log"))
        run("pg_ctl", "--wait", "--pgdata", str(data), *log, "--options", options, "start")
        try:
            yield f"postgresql+psycopg://tester@/postgres?host={folder}"
        finally:
            run("pg_ctl", "--wait", "--mode=immediate", "--pgdata", str(data), "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
