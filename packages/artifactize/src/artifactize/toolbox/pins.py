"""Pins of declared tools: a tool that is not the pinned one is never called."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.opening import opened
from oskit.process import ProcessError, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifactize.domain.tool_declarations import ToolPin, VersionPin

_VERSION_DEADLINE_S = 20.0
_VERSION_BYTES = 4096


def check_files(folder: Path, pin: ToolPin) -> None:
    """Compare the pinned files of an Artifact's folder with their digests. Raises ToolFault."""
    for path, wanted in pin.sha256.items():
        with opened(folder, path, shown=path) as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != wanted:
            raise ToolFault(
                "PIN_MISMATCH", f"{path} has SHA-256 {found}, and pin.sha256 says {wanted}; review the change"
            )


async def check_version(program: str, pin: VersionPin, *, cwd: Path, env: Mapping[str, str]) -> None:
    """Ask the program for its version and compare. Raises ToolFault."""
    try:
        done = await run(
            (program, *pin.args),
            cwd=cwd,
            env=env,
            deadline_s=_VERSION_DEADLINE_S,
            capture_limit=_VERSION_BYTES,
        )
    except ProcessError as failure:
        raise ToolFault("PROGRAM_MISSING", failure.message) from failure
    said = (done.stdout or done.stderr).decode("utf-8", "replace").strip()
    if not done.ok or said != pin.equals:
        words = " ".join((program, *pin.args))
        raise ToolFault("PIN_MISMATCH", f"`{words}` says {said[:200]!r}, and pin.version says {pin.equals!r}")
