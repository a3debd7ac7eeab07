"""A first declaration for a project that has none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from artifactize.domain.parsing import FOLDER_DECLARATION
from artifactize.errors import NotARepositoryError
from oskit.files import StorageError, atomic_write

if TYPE_CHECKING:
    from pathlib import Path

_FIRST = """\
# What this folder is called, and how it is reviewed. `artifactize config check` reports mistakes in it.
name = "{name}"

# An example that looks at nothing but this folder's files, as a verdict that is reused must. Other things
# that a check depends on (programs, variables, other folders) are declared; docs/artifactize.md says how.
[evals.merged]
title = "No conflict markers are left"
payload = {{ instruction = "Check that no merge conflict is left in {{{name}}}. Put your own check here." }}

[evals.merged.profile]
kind = "runtime"
command = "python3"
timeout_ms = 60000
exit_codes = {{ red = [1], error = [2] }}
args = ["-c", '''
import pathlib, subprocess, sys

# the files that the fingerprint covers, and no others: what this machine alone ignores is looked at, too
left_out = [f"--exclude={{name}}" for name in ("__pycache__", "target", "node_modules", "*.pyc")]
command = ["git", "ls-files", "-z", "-co", "--exclude-per-directory=.gitignore", *left_out]
listed = subprocess.run(command, capture_output=True)
names = set(listed.stdout.split(b"\\0")) - {{b""}}
unseen = sorted(name.decode(errors="replace") for name in names if name.endswith(b"/"))
if listed.returncode or unseen:
    sys.stderr.buffer.write(listed.stderr)
    sys.exit("repositories of their own are not looked into: " + ", ".join(unseen) if unseen else 2)
marks = (b"<" * 7 + b" ", b">" * 7 + b" ")
left = [
    name.decode(errors="replace")
    for name in names
    if pathlib.Path(name.decode(errors="surrogateescape")).is_file() and not name.endswith(b".artf")
    for text in [pathlib.Path(name.decode(errors="surrogateescape")).read_bytes()]
    if any(line.startswith(marks) for line in text.splitlines())
]
if left:
    sys.exit("conflict markers are left in: " + ", ".join(sorted(left)))
''']
"""
_WORLD_READABLE = 0o644


def write_first_declaration(root: Path) -> Path:
    """Write an `index.artf` with one eval. Raises NotARepositoryError when it cannot."""
    path = root / FOLDER_DECLARATION
    if path.exists():
        raise NotARepositoryError(f"{path} exists already", hint="`artifactize config check` checks it")
    try:
        atomic_write(path, _FIRST.format(name=_name_of(root)), mode=_WORLD_READABLE)
    except StorageError as failure:
        raise NotARepositoryError(failure.message, hint=failure.hint) from failure
    return path


def _name_of(root: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", root.name).strip("-_")[:64]
    return name or "project"
