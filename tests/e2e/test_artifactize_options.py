"""What bounds a Run, lets it run ahead, and how old ones are answered with and removed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from support.artifacts import ArtifactProject, counting, is_running, lines_of, runtime, wait_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


def states(result: dict[str, Any]) -> dict[str, str]:
    return {each["eval"]: each["state"] for each in result["findings"]}


def test_a_budget_bounds_executions_and_not_reuse(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("a", evals={f"e{number}": counting(log) | {"title": f"{number}"} for number in range(3)})
    for number in range(3):
        project.declare(f"b{number}", evals={"e": counting(log)})

    nothing = project.verify("--all", "--max-executions", "0", "--json")
    two = project.verify("--artifacts", "b0,b1,b2", "--max-executions", "2", "--json")
    rest = project.verify("--artifacts", "b0,b1,b2", "--max-executions", "1", "--json")

    assert (nothing.code, nothing.json["outcome"], lines_of(log)) == (4, "INCOMPLETE", 3)
    assert set(states(nothing.json).values()) == {"BUDGET_EXHAUSTED"}
    assert states(two.json) == {"b2/e": "BUDGET_EXHAUSTED"}
    assert (rest.code, rest.json["sources"]["executed"], rest.json["sources"]["reused"]) == (0, 1, 2)


def test_a_program_that_could_not_start_costs_nothing(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("a", evals={"missing": runtime("no-such-program-here")})
    project.declare("b", evals={"fine": counting(log)})

    result = project.result("--all", "--jobs", "1", "--max-executions", "1")

    assert states(result) == {"a/missing": "ERROR"}
    assert lines_of(log) == 1


def test_kinds_that_are_only_reused_are_stale_without_a_verdict(
    project: ArtifactProject, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    project.declare("a", evals={"e": counting(log)})
    project.verify("--all")
    project.declare("b", evals={"bad": counting(log, then="exit 1")})

    ran = project.verify("--all", "--reuse-only", "runtime", "--force", "--json")

    assert (ran.code, ran.json["outcome"], lines_of(log)) == (4, "INCOMPLETE", 1)
    assert states(ran.json) == {"b/bad": "STALE"}
    assert project.verify("--all", "--reuse-only", "dependency").code == 2


def test_speculation_is_ended_by_the_red_that_makes_it_invalid(
    project: ArtifactProject, tmp_path: Path
) -> None:
    pids, log = tmp_path / "pids", tmp_path / "log"
    bad = f"while ! test -e '{pids}'; do sleep 0.02; done; exit 1"
    project.declare("base", evals={"bad": runtime("sh", "-c", bad)})
    project.declare(
        "top", mounts={"b": "base"}, evals={"ahead": runtime("sh", "-c", f"echo $$ > '{pids}'; sleep 60")}
    )
    project.declare("other", evals={"fine": counting(log)})

    result = project.result("--all", "--speculate")

    assert (result["outcome"], states(result)) == ("RED", {"base/bad": "RED", "top/ahead": "BLOCKED"})
    assert not is_running(int(pids.read_text()))
    assert lines_of(log) == 1
    assert project.rows("SELECT count(*) FROM claims") == [(0,)]


def test_a_verdict_that_was_speculated_counts_once_its_gate_is_open(
    project: ArtifactProject, tmp_path: Path
) -> None:
    ahead = tmp_path / "ahead"
    waits = f"while ! test -e '{ahead}'; do sleep 0.02; done"
    project.declare("base", evals={"slow": runtime("sh", "-c", waits)})
    project.declare("top", mounts={"b": "base"}, evals={"quick": runtime("touch", str(ahead))})

    assert project.result("--all", "--speculate")["outcome"] == "GREEN"
    assert project.result("--all")["sources"]["reused"] == 2


def test_two_runs_of_two_checkouts_never_execute_more_than_a_limit_together(
    project: ArtifactProject, tmp_path: Path
) -> None:
    """And a Run that waits for a place goes on when there is one."""
    project.state.mkdir(mode=0o700)
    (project.state / "limits.json").write_text(json.dumps({"backends": {"runtime": 1}}))
    other = ArtifactProject.create(tmp_path / "other")
    other.state = project.state
    alone = f"mkdir '{tmp_path}/lock' && sleep 0.1 && rmdir '{tmp_path}/lock'"
    for each in (project, other):
        for name in "ab":
            unlike = f"{each.root.parent.name} {name}"
            each.declare(name, evals={"e": runtime("sh", "-c", alone, instruction=unlike)})

    running = [each.start("verify", "--all") for each in (project, other)]

    said = [each.communicate(timeout=60) for each in running]
    assert [each.returncode for each in running] == [0, 0], said
    (project.state / "limits.json").write_text("{}}")
    refused = project.verify("--all", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "state_unavailable")
    assert project.run("doctor").code != 0


def test_a_time_that_is_over_stops_the_waiting_and_not_the_run(
    project: ArtifactProject, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    project.declare(
        "a", evals={"slow": runtime("sh", "-c", f"while ! test -e '{gate}'; do sleep 0.02; done")}
    )

    ran = project.verify("--all", "--timeout-ms", "200", "--request-key", "k")
    gate.touch()
    again = project.verify("--all", "--request-key", "k")

    assert (ran.code, again.code) == (3, 0)
    assert "the time is over" in ran.err
    assert "this request key was used just now" in again.err
    assert ran.err.split()[-1] in again.out


def test_pruning_removes_old_runs_and_keeps_every_verdict(project: ArtifactProject) -> None:
    project.declare("a", evals={"e": runtime("sh", "-c", "echo said; exit 1")})
    first = project.result("--all")["run_id"]
    for _ in range(2):
        project.result("--all")
    keyed = project.result("--all", "--request-key", "k")["run_id"]
    foreign = project.state / "runs" / "left-by-somebody"
    foreign.mkdir()

    dry = project.run("prune", "--older-than", "0s", "--keep-last", "0", "--dry-run", "--json").json
    done = project.run("prune", "--older-than", "0s", "--keep-last", "0", "--json").json

    assert dry == done | {"dry_run": True}
    assert (done["runs"], done["kept"], done["output_bytes"]) == (2, 2, len("said\n"))
    assert {each["run_id"] for each in project.run("run", "list", "--json").json["runs"]} == {first, keyed}
    assert not foreign.exists()
    assert project.result("--all")["sources"]["reused"] == 1
    request = project.run("request", "list", "--run", keyed, "--json").json["requests"][0]["request_id"]
    stdout = project.run("request", "logs", request, "--stream", "stdout", "--json").json["streams"][0]
    assert (stdout["evidence"], stdout["lines"][0]["text"]) == ("saved_audit", "said")


def test_cancelling_a_run_whose_worker_died_leaves_no_process(
    project: ArtifactProject, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    project.declare("a", evals={"slow": runtime("sh", "-c", f"echo $$ > '{pids}'; sleep 60")})
    watching = project.start("verify", "--all", "--timeout-ms", "30000")
    command = wait_for(lambda: int(pids.read_text()) if lines_of(pids) else None)
    watching.kill()
    watching.communicate()
    project.kill_worker()
    assert is_running(command)
    (run_id,) = project.rows("SELECT id FROM runs")[0]

    cancelled = project.run("run", "cancel", run_id)

    assert cancelled.out == f"Run {run_id}: CANCELLED\n"
    assert not is_running(command)
