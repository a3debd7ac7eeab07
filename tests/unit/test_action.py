"""The GitHub Action and the hook do what the command line offers."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from prview.render import initial_files

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
PRVIEW = """\
#!/bin/sh
printf '%s\\n' "$@" > "$ASKED"
printf '%s' "$ANSWER"
exit "$CODE"
"""


def gate_step() -> dict[str, Any]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    return next(step for step in action["runs"]["steps"] if step.get("id") == "gate")


def run_gate(tmp_path: Path, answer: object, *, code: int, **env: str) -> tuple[int, Mapping[str, str], str]:
    """Run the step's own script with a prview that answers as told."""
    program = tmp_path / "bin/prview"
    program.parent.mkdir()
    program.write_text(PRVIEW)
    program.chmod(0o755)
    output, asked = tmp_path / "output", tmp_path / "asked"
    done = subprocess.run(
        ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", gate_step()["run"]),
        env={
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_OUTPUT": str(output),
            "ASKED": str(asked),
            "ANSWER": answer if isinstance(answer, str) else json.dumps(answer),
            "CODE": str(code),
            **env,
        },
        check=False,
    )
    lines = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return done.returncode, lines, asked.read_text()


REVIEW = {"verdict": "BLOCK", "artifact_paths": {"pack": "/p", "sarif": "30_context/INLINE_FINDINGS.sarif"}}


def test_the_step_passes_on_verdict_paths_and_exit_code(tmp_path: Path) -> None:
    code, said, asked = run_gate(tmp_path, REVIEW, code=1, BASE="origin/main", STRICT="true")
    assert (code, asked.split()) == (1, ["gate", "--json", "--strict", "--", "HEAD", "origin/main"])
    assert said == {"verdict": "BLOCK", "pack": "/p", "sarif": "/p/30_context/INLINE_FINDINGS.sarif"}


@pytest.mark.parametrize("answer", ["", '{"error_class": "run_failed"}'])
def test_without_a_review_there_is_no_verdict_and_the_code_stays(tmp_path: Path, answer: str) -> None:
    code, said, _ = run_gate(tmp_path, answer, code=3, BASE="", STRICT="false")
    assert (code, said) == (3, {"verdict": "", "pack": "", "sarif": ""})


def test_the_name_of_a_branch_is_no_part_of_the_script(tmp_path: Path) -> None:
    name = "origin/$(touch pwned)`id`\"';x"
    _, _, asked = run_gate(tmp_path, REVIEW, code=0, BASE=name, STRICT="false")
    assert asked.splitlines()[-1] == name
    assert "${{" not in gate_step()["run"]


def test_the_hook_of_the_repository_is_the_one_that_init_writes() -> None:
    (ours,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    written = yaml.safe_load(initial_files.PRE_COMMIT)["repos"][0]["hooks"][0]
    assert {key: ours[key] for key in written} == written
