"""Every import contract of pyproject.toml holds, and was seen to fail when it is broken.

A contract with a wrong module name in it holds for ever. So each is broken here in a copy of the sources, by the
import that it is there to refuse.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
CONTRACTS: Mapping[str, str] = {contract["id"]: contract["name"] for contract in SETTINGS["contracts"]}


@dataclass(frozen=True)
class Break:
    """An import that `contract` refuses: `line`, put at the end of `module`."""

    contract: str
    module: str
    line: str

    def __str__(self) -> str:
        return f"{self.contract}: {self.module} {self.line}"


BREAKS = (
    Break("tools-independent", "prview", "import artifactize"),
    Break("tools-independent", "artifactize", "import codevetter_verify"),
    Break("shared-below-tools", "mcpkit.errors", "import prview"),
    Break("shared-below-tools", "mcpkit.errors", "import oskit"),
    Break("shared-below-tools", "oskit.clock", "import mcpkit"),
    Break("tool-layers", "prview.errors", "import prview.domain"),
    Break("tool-layers", "codevetter_verify.domain", "import codevetter_verify.store"),
    Break("tool-layers", "artifactize.service", "import artifactize.wiring"),
    Break("tool-layers", "artifactize.store", "import artifactize.service"),
    Break("processes-in-oskit", "prview.errors", "import subprocess"),
    Break("mcp-in-mcpkit", "artifactize.server", "import mcp.types"),
    Break("mcp-in-mcpkit", "mcpkit.errors", "from mcp import types"),
    Break("sqlalchemy-in-store", "artifactize.service", "from sqlalchemy import select"),
    Break("playwright-in-browser", "codevetter_verify.service", "import playwright.async_api"),
    Break("history-cannot-execute", "codevetter_verify.history", "import codevetter_verify.trex"),
    Break(
        "history-cannot-execute", "codevetter_verify.service.history", "import codevetter_verify.store.store"
    ),
    Break("providers-in-agents", "artifactize.service", "import openai"),
    Break("click-at-the-edges", "prview.service", "import click"),
    Break("no-cycles", "oskit.clock", "import oskit.locks"),
)


def sources() -> dict[str, Path]:
    """Import name of every package, and the folder that holds it."""
    return {path.parent.name: path.parent for path in ROOT.glob("*/*/src/*/__init__.py")}


def copy_sources(target: Path) -> None:
    """The packages' Python files, side by side in one folder."""
    for name, folder in sources().items():
        shutil.copytree(folder, target / name, ignore=shutil.ignore_patterns("__pycache__"))


def file_of(module: str, root: Path) -> Path:
    """The file that defines `module` in the copied sources."""
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def lint(root: Path, *, contract: str | None = None) -> subprocess.CompletedProcess[str]:
    """`lint-imports` over the sources in `root`, with the repository's contracts."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    command += [*(["--contract", contract] if contract else []), str(ROOT / "pyproject.toml")]
    env = {**os.environ, "PYTHONPATH": str(root), "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_every_contract_holds(tmp_path: Path) -> None:
    """The layers of docs/architecture.md are those of the sources."""
    copy_sources(tmp_path)
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("broken", BREAKS, ids=str)
def test_a_contract_refuses_the_import_that_it_is_there_for(broken: Break, tmp_path: Path) -> None:
    """The copy is really what is analysed, and the contract really names the modules that exist."""
    copy_sources(tmp_path)
    file = file_of(broken.module, tmp_path)
    file.write_text(f"{file.read_text()}\n{broken.line}\n")
    done = lint(tmp_path, contract=broken.contract)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS[broken.contract]} BROKEN" in " ".join(done.stdout.split())
    assert broken.module.rpartition(".")[2] in done.stdout


def test_no_contract_is_left_without_a_break() -> None:
    """A new contract brings the import that it refuses."""
    assert {broken.contract for broken in BREAKS} == set(CONTRACTS)
