"""Rewrite `[tool.uv] constraint-dependencies` with the versions that resolve now.

`uv.lock` records where every file was downloaded, so it stays out of git; names and versions alone make a
fresh clone resolve to the same set. Usage: uv run nox -s pin
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEY = "constraint-dependencies"
BLOCK = re.compile(rf"^{KEY} = \[\n(?:.*\n)*?\]\n", re.MULTILINE)
MANIFESTS = ("pyproject.toml", "packages/*/pyproject.toml", "shared/*/pyproject.toml")


def main() -> int:
    """Resolve a copy of the manifests without any pin, then write what came out."""
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare_workspace(Path(folder))
        pins = _resolve(bare)
    manifest = ROOT / "pyproject.toml"
    block = f"{KEY} = [\n" + "".join(f'  "{pin}",\n' for pin in pins) + "]\n"
    manifest.write_text(BLOCK.sub(lambda _: block, manifest.read_text()))
    sys.stderr.write(f"{len(pins)} versions pinned in pyproject.toml\n")
    return 0


def _bare_workspace(folder: Path) -> Path:
    """A copy of the workspace's manifests, and of nothing else, with the pins taken out."""
    for pattern in MANIFESTS:
        for source in ROOT.glob(pattern):
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(BLOCK.sub("", source.read_text()))
    return folder


def _resolve(workspace: Path) -> list[str]:
    """`name==version` lines, with a marker where a version is for some machines only."""
    uv = shutil.which("uv") or "uv"
    options = (
        "--all-packages",
        "--all-groups",
        "--all-extras",
        "--no-hashes",
        "--no-annotate",
        "--no-header",
    )
    command = (uv, "export", "--quiet", *options, "--no-emit-workspace", "--format", "requirements-txt")
    done = subprocess.run(command, cwd=workspace, check=True, capture_output=True, text=True)
    lines = (line.strip() for line in done.stdout.splitlines())
    return sorted((_plain(line) for line in lines if "==" in line), key=_name)


def _name(pin: str) -> str:
    return pin.partition("==")[0]


def _plain(line: str) -> str:
    """Only versions that differ between machines keep their marker; TOML wants single quotes."""
    return line.replace('"', "'")


if __name__ == "__main__":
    sys.exit(main())
