"""What the README and the manual say can be done: the commands exist, and those marked so are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.documentation import ROOT, TOOLS, Block, Shown, blocks, outputs, pages, problem_of, shown
from support.shop import make_shop

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = shown()
RUN = [block for block in blocks() if block.codes]
SCRIPTS = Path(sys.executable).parent


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The example project on its branch, as a reader of the README has it after `nox -s demo`."""
    return make_shop(tmp_path / "bookshop")


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Every tool's state in a folder of this test."""
    homes = {"PRVIEW_HOME": "p", "CODEVETTER_HOME": "c", "ARTIFACTIZE_STATE_HOME": "a"}
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return {
        **os.environ,
        "PATH": path,
        **{name: str(tmp_path / "state" / home) for name, home in homes.items()},
    }


@pytest.mark.parametrize("command", SHOWN, ids=str)
def test_a_shown_command_names_only_subcommands_and_options_that_exist(command: Shown) -> None:
    """A reader types what stands there."""
    assert problem_of(command.words) is None


@pytest.mark.parametrize("block", RUN, ids=str)
def test_a_block_marked_to_be_run_does_what_the_page_says(
    block: Block, shop: Path, environment: Mapping[str, str]
) -> None:
    """One after the other, as a reader types them: the exit codes are those of the mark."""
    ended = [run(command, shop, environment) for command in block.commands]
    assert tuple(done.returncode for done in ended) == block.codes, [done.stderr[-500:] for done in ended]
    assert all((done.stdout + done.stderr).strip() for done in ended)
    said = outputs(block.page)
    for command, done in zip(block.commands, ended, strict=True):
        typed = " ".join(command.words)
        assert typed not in said or said[typed].fullmatch(done.stdout), done.stdout


def run(command: Shown, shop: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A shown command, typed in the example project."""
    return subprocess.run(
        command.words, cwd=shop, env=environment, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.mark.parametrize("tool", TOOLS)
def test_every_console_script_is_shown(tool: str) -> None:
    """No console script without a word about it."""
    assert [command for command in SHOWN if command.words[0] == tool]


def test_console_scripts_are_those_that_are_checked() -> None:
    """A new one has to be written about, too."""
    ours = {"prview", "codevetter_verify", "artifactize"}
    scripts = entry_points(group="console_scripts")
    assert {script.name for script in scripts if script.module.partition(".")[0] in ours} == set(TOOLS)


def test_commands_of_the_readme_are_run() -> None:
    """The marks are found, on the README's examples and on the manual's."""
    assert len([block for block in RUN if block.page == "README.md"]) >= 3
    assert {"docs/prview.md", "docs/codevetter.md", "docs/artifactize.md"} <= {block.page for block in RUN}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_links_only_to_files_that_exist(page: Path) -> None:
    """Links inside the repository, so that they work on a code host too."""
    links = re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    written_by_sphinx = {"reference/index.md"}
    missing = [link for link in links if not (page.parent / link).exists() and link not in written_by_sphinx]
    assert missing == []


def test_the_sessions_that_the_pages_name_exist() -> None:
    """`uv run nox -s X` with an X of noxfile.py."""
    named = {
        name
        for page in pages()
        for name in re.findall(r"nox -s ([a-z]\w*)", page.read_text(encoding="utf-8"))
    }
    defined = set(re.findall(r"^def ([a-z]\w*)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE))
    assert {"demo", "tests"} <= named
    assert named <= defined


def test_the_readme_opens_with_its_two_commands() -> None:
    """Whoever has a minute starts there."""
    first = re.search(r"^```\w*\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert first is not None
    lines = [line.partition("#")[0].strip().removeprefix("$ ") for line in first[1].splitlines()]
    assert lines == ["uv run nox -s demo", "uv run nox -s tests"]
