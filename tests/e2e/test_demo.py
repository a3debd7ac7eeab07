"""The README's first command: three tools, three verdicts, on an example that has something for each to find."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run_demo(tmp_path: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    """The demo, with its folder below `tmp_path`."""
    env = {**os.environ, "TMPDIR": str(tmp_path), **extra}
    command = [sys.executable, str(ROOT / "examples/run_demo.py")]
    return subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
    )


def evidence(done: subprocess.CompletedProcess[str]) -> Path:
    """The folder that the demo names at its end."""
    named = re.search(r"The evidence stays in (\S+)", done.stdout)
    assert named is not None, done.stdout + done.stderr
    return Path(named[1])


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_the_demo_ends_with_three_verdicts_and_keeps_the_evidence(tmp_path: Path) -> None:
    """What it prints at the end lies in its folder."""
    done = run_demo(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = evidence(done)
    told = done.stdout.partition("What the three tools say")[2]
    assert re.search(r"^prview +(CONDITIONAL|BLOCK) ", told, re.MULTILINE)
    assert re.search(r"^codevetter +passed_with_limits ", told, re.MULTILINE)
    assert re.search(r"^artifactize +GREEN ", told, re.MULTILINE)
    packs = list(folder.glob("state/prview/runs/*/*/*/00_summary/SANITY.json"))
    assert packs
    assert (folder / "state/codevetter").is_dir()


@pytest.mark.timeout(300)
def test_without_a_browser_the_demo_says_how_to_get_one_and_does_the_rest(tmp_path: Path) -> None:
    """A machine without Chromium is no reason to show nothing."""
    done = run_demo(tmp_path, CODEVETTER_BROWSER=str(tmp_path / "no-such-browser"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "apt-get install chromium" in done.stdout
    told = done.stdout.partition("What the three tools say")[2]
    assert re.search(r"^codevetter +left out", told, re.MULTILINE)
    suggested = re.search(r"^artifactize +GREEN +(.+)$", told, re.MULTILINE)
    assert suggested is not None
    # as a reader pastes it, whose PATH has none of the tools
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    pasted = subprocess.run(
        ["sh", "-c", suggested[1]], env=bare, capture_output=True, text=True, timeout=60, check=False
    )
    assert (pasted.returncode, "GREEN" in pasted.stdout) == (0, True), pasted.stderr


@pytest.mark.timeout(300)
def test_a_tool_that_fails_inside_the_demo_is_heard(tmp_path: Path) -> None:
    """Its stderr says what to do; an exit code alone does not."""
    (tmp_path / "demo").mkdir()
    copied = tmp_path / "demo/run_demo.py"
    source = (ROOT / "examples/run_demo.py").read_text()
    copied.write_text(source.replace('"--json", "--quiet", codes=(0, 1)', '"--no-such-option", codes=(0, 1)'))
    (tmp_path / "demo/bookshop").symlink_to(ROOT / "examples/bookshop")
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(copied)], env=env, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 1
    assert "its stderr:" in done.stderr
    assert "No such option" in done.stderr
