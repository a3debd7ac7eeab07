"""Both edges of prview: the commands' `--json` and the tools' answers."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from support.parity import Call, Pair
from support.prview_project import CORE, PRVIEW, environment, project, review

if TYPE_CHECKING:
    from pathlib import Path

_RUN_FIELDS = frozenset({"run_id", "pack", "generated_at"})


def _situation(folder: Path) -> tuple[str, dict[str, str]]:
    """A project whose branch adds a warning, and the environment that prview runs in."""
    repo = project(folder / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return str(repo.path), environment(folder)


def _call(
    words: tuple[str, ...],
    arguments: dict[str, object],
    env: dict[str, str],
    *,
    exit_code: int = 0,
    volatile: frozenset[str] = frozenset(),
) -> Call:
    argv = (*PRVIEW, *words, "--json", "--quiet")
    return Call(argv, (*PRVIEW, "mcp"), arguments, exit_code=exit_code, volatile=volatile, env=env)


def _state(folder: Path) -> Call:
    repo, env = _situation(folder)
    return _call(("state", "--repo", repo), {"repo": repo}, env)


def _state_after_a_run(folder: Path) -> Call:
    repo = project(folder / "repo")
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    review(repo, "--quick", home=folder)
    where = str(repo.path)
    return _call(("state", "--repo", where), {"repo": where}, environment(folder))


def _state_of_nothing(folder: Path) -> Call:
    where = str(folder / "nothing")
    return _call(("state", "--repo", where), {"repo": where}, environment(folder), exit_code=2)


def _review(folder: Path) -> Call:
    """After one more review, so that both edges reuse what that one saw."""
    repo, env = _situation(folder)
    subprocess.run(
        [*PRVIEW, "--quick", "--quiet", "--repo", repo],
        env=os.environ | env,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return _call(("--quick", "--repo", repo), {"repo": repo}, env, volatile=_RUN_FIELDS)


def _review_of_an_unknown_base(folder: Path) -> Call:
    repo, env = _situation(folder)
    words = ("--quick", "--repo", repo, "topic", "nowhere")
    return _call(words, {"repo": repo, "base": "nowhere"}, env, exit_code=2)


def _findings(folder: Path) -> Call:
    repo = project(folder / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    review(repo, "--quick", home=folder)
    where = str(repo.path)
    return _call(("findings", "--repo", where), {"repo": where}, environment(folder))


PAIRS = [
    Pair("prview", "state", "fresh", _state),
    Pair("prview", "state", "after-a-run", _state_after_a_run),
    Pair("prview", "state", "no-repository", _state_of_nothing),
    Pair("prview", "findings", "after-a-run", _findings),
    Pair("prview", "run_review", "quick", _review),
    Pair("prview", "run_review", "unknown-base", _review_of_an_unknown_base),
]
ONLY_MCP = {
    ("prview", "health"): "people ask `prview doctor`, which says more",
    ("prview", "verdict"): "people read the verdict where the review ends, and in `prview runs list`",
    ("prview", "read_artifact"): "people open the file",
}
