"""Runs of artifactize as a user starts them: real folders, real commands, killed workers."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from support.artifacts import ArtifactProject, counting, dependency, is_running, lines_of, runtime, wait_for
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


def test_a_second_run_without_changes_starts_no_command(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("guide", evals={"a": counting(log), "b": counting(log, then="exit 1")})
    project.write("guide/text", "one\n")

    first = project.result("--all")
    again = project.result("--all")

    assert lines_of(log) == 2
    assert (first["outcome"], first["sources"]["executed"]) == ("RED", 2)
    assert (again["outcome"], again["sources"]) == (
        "RED",
        {"executed": 0, "reused": 2, "joined": 0, "derived": 0},
    )


def test_a_change_executes_what_depends_on_it_and_a_revert_brings_the_verdict_back(
    project: ArtifactProject, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    project.declare("glossary", evals={"sorted": runtime("sort", "-c", "terms")})
    project.write("glossary/terms", "a\nb\n")
    project.declare("guide", mounts={"terms": "glossary"}, evals={"uses": counting(log)})
    project.declare("other", evals={"alone": counting(tmp_path / "other-log")})

    assert project.verify("--all").code == 0
    project.write("glossary/terms", "a\nb\nc\n")
    plan = project.status()
    assert project.verify("--all").code == 0
    assert lines_of(log) == 2
    assert lines_of(tmp_path / "other-log") == 1
    project.write("glossary/terms", "a\nb\n")
    assert project.verify("--all").code == 0

    assert lines_of(log) == 2
    assert plan["glossary/sorted"]["action"] == "execute"
    assert plan["glossary/sorted"]["changes"]["files"] == ["terms"]
    assert plan["guide/uses"]["changes"]["dependencies"] == ["glossary"]
    assert plan["other/alone"]["action"] == "reuse"


def test_red_blocks_dependents_and_says_so(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("base", evals={"check": runtime("sh", "-c", "echo broken >&2; exit 3")})
    project.declare("top", mounts={"b": "base"}, evals={"uses": counting(log), "ready": dependency("b")})

    ran = project.verify("--all")

    assert ran.code == 1
    assert lines_of(log) == 0
    assert "RED             base/check  exit code 3" in ran.out
    assert "broken" in ran.out
    assert "BLOCKED         top/uses  behind base/check (RED)" in ran.out
    assert "BLOCKED         top/ready  derived; behind base/check (RED)" in ran.out


def test_what_blocks_is_told_with_its_own_state_and_each_failure_with_its_logs(
    project: ArtifactProject,
) -> None:
    """A slow GREEN one blocks nothing, and an ERROR is no RED."""
    project.declare("bad", evals={"check": runtime("sh", "-c", "echo 'TypeError: x' >&2; echo done; exit 3")})
    project.declare("broken", evals={"check": runtime("no-such-program-here")})
    project.declare("slow", evals={"check": runtime("sleep", "0.5")})
    project.declare("top", evals={"ready": dependency("bad", "broken", "slow")})

    ran = project.verify("--all")

    shown = project.run("run", "show", ran.out.rpartition("Run ")[2].split()[0]).out
    for said in (ran.out, shown):
        assert "behind bad/check (RED), broken/check (ERROR)" in said
        assert "TypeError: x" in said
    assert "logs of bad/check: artifactize request logs " in ran.out
    assert "logs of broken/check: artifactize request logs " in ran.out
    assert ran.out.count("logs of ") == 2
    assert "exit code 3, 0." in shown


def test_the_first_declaration_judges_the_files_and_nothing_else(project: ArtifactProject) -> None:
    """In an empty repository, before and after a commit; its verdict is reused while the files are the same."""
    assert project.run("init").code == 0
    assert project.run("config", "check").code == 0
    assert project.result("--all")["outcome"] == "GREEN"
    GitRepo(project.root).commit("all of it")
    assert project.result("--all")["sources"]["reused"] == 1
    project.write("notes.txt", "<<<<<<< ours\n")
    found = project.verify("--all")
    assert (found.code, "conflict markers are left in: notes.txt" in found.out) == (1, True)
    project.write(".gitignore", "notes.txt\n")
    assert project.verify("--all").code == 0
    # what only this machine ignores is part of the fingerprint, what tools derive is not
    (project.root / ".git/info").mkdir(exist_ok=True)
    (project.root / ".git/info/exclude").write_text("here.txt\n")
    project.write("target/derived.txt", "<<<<<<< ours\n")
    assert project.verify("--all").code == 0
    project.write("here.txt", "<<<<<<< ours\n")
    assert "conflict markers are left in: here.txt\n" in project.run("verify", "--all").out
    (project.root / "here.txt").unlink()
    GitRepo.create(project.root / "inner").write("z.txt", "<<<<<<< ours\n")
    inner = project.verify("--all")
    assert (inner.code, "not looked into: inner/" in inner.out) == (1, True)


def test_checking_nothing_says_so_as_status_does(project: ArtifactProject) -> None:
    checked, planned = project.run("config", "check"), project.run("status")
    assert (checked.code, planned.code) == (2, 2)
    assert "no Artifact is declared" in checked.out
    assert "artifactize init" in checked.out


def test_cancelling_what_is_over_says_that_it_was(project: ArtifactProject) -> None:
    project.declare("guide", evals={"a": runtime("true")})
    run_id = project.result("--all")["run_id"]
    cancelled = project.run("run", "cancel", run_id)
    assert cancelled.out == f"Run {run_id}: GREEN; it was finished already, nothing was cancelled\n"


def test_an_interrupted_watch_has_one_ending(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("guide", evals={"a": counting(log, then="sleep 20")})
    watching = project.start("verify", "--all")
    wait_for(lambda: lines_of(log))
    os.kill(watching.pid, signal.SIGINT)
    _, said = watching.communicate(timeout=30)
    assert watching.returncode == 130
    lines = said.strip().splitlines()
    assert [line.partition(";")[0].partition(":")[0] for line in lines] == ["stopped watching", "hint"]
    run_id = lines[1].split()[-1]
    assert project.run("run", "cancel", run_id).out == f"Run {run_id}: CANCELLED\n"


def test_missing_evidence_of_a_dependency_leaves_the_run_incomplete(project: ArtifactProject) -> None:
    project.declare("base", evals={"check": runtime("true")})
    project.declare("top", mounts={"b": "base"}, evals={"uses": runtime("true")})

    alone = project.verify("top")
    recursive = project.verify("top", "--recursive")

    assert alone.code == 4
    assert "WAIT_DEPENDENCY top/uses  waits for base" in alone.out
    assert "MISSING         base/check" in alone.out
    assert recursive.code == 0


def test_ignored_gates_free_execution_but_not_validation(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("base", evals={"check": runtime("false")})
    project.declare("top", mounts={"b": "base"}, evals={"uses": counting(log)})

    assert project.verify("--all", "--ignore-gates").code == 1
    assert lines_of(log) == 1


def test_an_input_that_changes_during_its_review_is_an_error_and_leaves_no_record(
    project: ArtifactProject,
) -> None:
    project.declare("guide", evals={"writes": runtime("sh", "-c", "echo more >> text")})
    project.write("guide/text", "one\n")

    result = project.result("--all")

    (finding,) = result["findings"]
    assert (result["outcome"], result["exit_code"]) == ("ERROR", 2)
    assert finding["code"] == "INPUT_CHANGED"
    assert "guide changed (text)" in finding["summary"]
    assert project.rows("SELECT count(*) FROM records") == [(0,)]


@pytest.mark.parametrize(
    ("eval_table", "code", "said"),
    [
        (runtime("sleep", "30", timeout_ms=200), "TIMEOUT", "200 ms"),
        (runtime("no-such-program-here"), "PROGRAM_MISSING", "no-such-program-here"),
        (runtime("./missing.sh"), "INPUT_MISSING", "missing.sh"),
        (runtime("sh", "-c", "kill -9 $$"), "SIGNALLED", "signal 9"),
        (runtime("sh", "-c", "exit 7", exit_codes={"error": [7]}), "EXIT_CODE", "7"),
    ],
)
def test_a_command_without_an_answer_is_an_error_that_is_executed_again(
    project: ArtifactProject, eval_table: dict[str, object], code: str, said: str
) -> None:
    project.declare("guide", evals={"check": eval_table})

    result = project.result("--all")

    (finding,) = result["findings"]
    assert (result["outcome"], finding["code"]) == ("ERROR", code)
    assert said in finding["summary"]
    assert project.status()["guide/check"]["action"] == "execute"


def test_a_command_sees_only_path_and_lang_and_private_folders(project: ArtifactProject) -> None:
    project.environment = {"SECRET": "s3cret", "LANG": "C.UTF-8"}
    check = (
        'test -z "$SECRET" && test "$LANG" = C.UTF-8 && test -d "$HOME" && test -d "$TMPDIR" && pwd && env'
    )
    project.declare("guide", evals={"check": runtime("sh", "-c", check)})

    result = project.result("--all")
    run_id = result["run_id"]
    (request,) = project.run("run", "show", run_id, "--json").json["requests"]
    logs = project.run("request", "logs", request["request_id"], "--json").json

    lines = [line["text"] for line in logs["streams"][0]["lines"]]
    assert result["outcome"] == "GREEN"
    assert lines[0] == str(project.root / "guide")
    assert {line.partition("=")[0] for line in lines[1:]} <= {
        *("PATH", "LANG", "HOME", "TMPDIR", "XDG_CACHE_HOME", "PWD", "OLDPWD", "SHLVL", "_", "OSKIT_TREE")
    }


def test_a_fingerprint_of_false_is_executed_every_time(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("guide", fingerprint=False, evals={"check": counting(log)})

    assert [project.verify("--all").code for _ in range(2)] == [0, 0]

    assert lines_of(log) == 2
    assert "guide has fingerprint = false" in project.status()["guide/check"]["reason"]


def test_declared_variables_and_tools_are_part_of_the_fingerprint(
    project: ArtifactProject, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    project.write("version", "1\n")
    rule = {"env": ["MODE"], "tools": [["cat", "../version"]]}
    project.declare("guide", fingerprint=rule, evals={"check": counting(log)})

    project.environment = {"MODE": "a"}
    assert [project.verify("--all").code for _ in range(2)] == [0, 0]
    assert lines_of(log) == 1
    project.environment = {"MODE": "b"}
    assert project.status()["guide/check"]["changes"]["files"] == ["env MODE"]
    project.verify("--all")
    assert lines_of(log) == 2
    project.write("version", "2\n")
    assert project.status()["guide/check"]["changes"]["files"] == ["tool cat ../version"]


def test_a_fingerprint_script_decides_alone(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.write("guide/stamp", "v1\n").write("guide/text", "one\n")
    script = {"script": {"command": "cat", "args": ["stamp"]}}
    project.declare("guide", fingerprint=script, evals={"check": counting(log)})

    project.verify("--all")
    project.write("guide/text", "two\n")
    project.verify("--all")
    assert lines_of(log) == 1
    project.write("guide/stamp", "two words\n")
    failed = project.verify("--all", "--json")

    assert failed.code == 2
    assert failed.json["error"]["code"] == "fingerprint_failed"
    assert "two words" in failed.json["error"]["message"]


def test_a_symbolic_link_among_the_inputs_starts_nothing(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare("guide", evals={"check": counting(log)})
    (project.root / "guide/link").symlink_to("/etc/passwd")

    failed = project.verify("--all", "--json")

    assert (failed.code, lines_of(log)) == (2, 0)
    assert "guide/link is a symbolic link" in failed.json["error"]["message"]
    assert not project.state.exists()


def test_status_makes_no_state(project: ArtifactProject) -> None:
    project.declare("guide", evals={"check": runtime("true")})

    ran = project.run("status")

    assert ran.code == 1
    assert "execute  MISSING  guide/check  never reviewed" in ran.out
    assert not project.state.exists()


def test_force_executes_the_selected_evals_and_publishes_the_newest_verdict(
    project: ArtifactProject, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    project.declare("guide", evals={"check": runtime("test", "!", "-e", str(flag))})

    assert project.verify("--all").code == 0
    flag.touch()
    assert project.verify("--all").code == 0
    assert project.verify("--all", "--force").code == 1
    assert project.verify("--all").code == 1


def test_the_same_request_key_is_the_same_run_also_after_edits(project: ArtifactProject) -> None:
    project.declare("guide", evals={"check": runtime("true")})
    first = project.result("--all", "--request-key", "k:1")
    project.write("guide/new", "x")

    again = project.result("--all", "--request-key", "k:1")
    other = project.result("--all", "--request-key", "k:2")

    assert again == first
    assert other["run_id"] != first["run_id"]


def test_a_killed_worker_loses_no_verdict_and_its_run_is_resumed(
    project: ArtifactProject, tmp_path: Path
) -> None:
    log, gate, pids = tmp_path / "log", tmp_path / "gate", tmp_path / "pids"
    waits = f"echo $$ >> '{pids}'; while ! test -e '{gate}'; do sleep 0.02; done"
    project.declare("one", evals={"quick": counting(log)})
    project.declare("two", mounts={"o": "one"}, evals={"slow": runtime("sh", "-c", waits)})
    watching = project.start("verify", "--all", "--json")
    orphan = wait_for(lambda: int(pids.read_text().split()[0]) if lines_of(pids) else None)

    first = project.kill_worker()
    second = wait_for(lambda: pid if (pid := project.worker_pid()) != first else None)
    wait_for(lambda: lines_of(pids) == 2)
    gate.touch()
    out, err = watching.communicate(timeout=60)

    assert (watching.returncode, err) == (0, "")
    assert '"outcome": "GREEN"' in out
    assert second != first
    assert lines_of(log) == 1
    assert not is_running(orphan)
    assert project.rows("SELECT attempt FROM requests ORDER BY eval") == [(1,), (2,)]


def test_an_eval_that_ends_its_worker_each_time_is_given_up(project: ArtifactProject, tmp_path: Path) -> None:
    log = tmp_path / "log"
    project.declare(
        "guide", evals={"deadly": runtime("sh", "-c", f"echo run >> '{log}'; kill -9 $PPID; sleep 60")}
    )
    project.declare("other", evals={"fine": runtime("true")})

    result = project.result("--all")

    (finding,) = result["findings"]
    assert (result["outcome"], finding["eval"], finding["code"]) == ("ERROR", "guide/deadly", "INTERRUPTED")
    assert lines_of(log) == 3


def test_what_changed_after_its_review_is_stale_when_the_run_ends(project: ArtifactProject) -> None:
    project.declare("a", evals={"quick": runtime("true")}).write("a/text", "one\n")
    project.declare("b", mounts={"a": "a"}, evals={"ready": dependency("a")})
    project.declare("c", evals={"edits": runtime("sh", "-c", "sleep 1; echo more >> ../a/text")})

    result = project.result("--all")

    assert (result["outcome"], result["exit_code"]) == ("INCOMPLETE", 4)
    assert [(each["eval"], each["state"], each["code"]) for each in result["findings"]] == [
        ("a/quick", "STALE", "INPUT_CHANGED"),
        ("b/ready", "STALE", "INPUT_CHANGED"),
    ]
    assert project.status()["a/quick"]["action"] == "execute"


def test_a_project_that_is_removed_while_it_is_verified_ends_its_run(
    project: ArtifactProject, tmp_path: Path
) -> None:
    gate, pids = tmp_path / "gate", tmp_path / "pids"
    body = f"echo $$ >> '{pids}'; while ! test -e '{gate}'; do sleep 0.02; done"
    project.declare("guide", evals={"slow": runtime("sh", "-c", body)})
    watching = project.start("verify", "--all", "--json")
    wait_for(lambda: lines_of(pids))
    project.root.rename(tmp_path / "moved")
    gate.touch()
    out, _ = watching.communicate(timeout=60)

    assert watching.returncode == 2
    assert '"outcome": "ERROR"' in out
    assert project.rows("SELECT count(*) FROM records") == [(0,)]


def test_a_run_left_by_its_watcher_goes_on_and_can_be_watched_again(
    project: ArtifactProject, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    wait = f"while ! test -e '{gate}'; do sleep 0.02; done"
    project.declare("guide", evals={"slow": runtime("sh", "-c", wait)})
    watching = project.start("verify", "--all")
    project.worker_pid()
    run_id = project.rows("SELECT id FROM runs")[0][0]

    os.killpg(watching.pid, signal.SIGINT)
    _, err = watching.communicate(timeout=60)
    gate.touch()
    watched = project.run("run", "watch", run_id)

    assert watching.returncode == 130
    assert f"artifactize run watch --text {run_id}" in err
    assert watched.code == 0
    assert [event["kind"] for event in watched.events][-2:] == ["eval_result", "outcome"]


def test_cancelling_ends_the_commands_and_keeps_what_was_reviewed(
    project: ArtifactProject, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    stubborn = f"trap '' TERM; echo $$ >> '{pids}'; while :; do sleep 0.05; done"
    project.declare("a", evals={"quick": runtime("true")})
    project.declare("b", mounts={"a": "a"}, evals={"slow": runtime("sh", "-c", stubborn)})
    project.declare("c", mounts={"b": "b"}, evals={"later": runtime("true")})
    watching = project.start("verify", "--all", "--json")
    pid = wait_for(lambda: int(pids.read_text()) if lines_of(pids) else None)
    run_id = project.rows("SELECT id FROM runs")[0][0]

    cancelled = project.run("run", "cancel", run_id, "--json").json
    out, _ = watching.communicate(timeout=60)

    assert cancelled["outcome"] == "CANCELLED"
    assert watching.returncode == 2
    assert '"outcome": "CANCELLED"' in out
    assert not is_running(pid)
    assert project.states(run_id) == {"a/quick": "GREEN", "b/slow": "CANCELLED", "c/later": "CANCELLED"}
    assert project.status()["a/quick"]["action"] == "reuse"


def test_two_checkouts_never_execute_the_same_key_at_once(tmp_path: Path) -> None:
    gate, log = tmp_path / "gate", tmp_path / "log"
    body = f"echo run >> '{log}'; while ! test -e '{gate}'; do sleep 0.02; done"
    projects = [ArtifactProject.create(tmp_path / name) for name in ("one", "two")]
    for project in projects:
        project.state = tmp_path / "state"
        project.declare("guide", evals={"slow": runtime("sh", "-c", body)})
    first = projects[0].start("verify", "--all", "--json")
    wait_for(lambda: lines_of(log))
    second = projects[1].start("verify", "--all", "--json")
    wait_for(lambda: projects[1].rows("SELECT id FROM requests WHERE source = 'joined'"))
    gate.touch()
    outs = [process.communicate(timeout=60)[0] for process in (first, second)]

    assert [process.returncode for process in (first, second)] == [0, 0]
    assert lines_of(log) == 1
    assert '"joined": 1' in outs[1]


def test_the_worker_ends_when_it_has_nothing_to_do(project: ArtifactProject) -> None:
    project.declare("guide", evals={"check": runtime("true")})
    project.verify("--all")
    pid = project.worker_pid()

    wait_for(lambda: not is_running(pid))

    assert project.rows("SELECT * FROM workers") == []
    assert (project.state / "worker.log").read_text() == ""


def test_watching_prints_json_lines_that_end_with_the_outcome(project: ArtifactProject) -> None:
    project.declare("guide", evals={"good": runtime("true"), "bad": runtime("false")})

    ran = project.verify("--all", "--watch")

    kinds = [event["kind"] for event in ran.events]
    ended = {e["data"]["eval"]: e["data"]["state"] for e in ran.events if e["kind"] == "eval_result"}
    assert (ran.code, kinds[0], kinds[-1]) == (1, "update", "outcome")
    assert kinds.count("eval_result") == 2
    assert ended == {"guide/good": "GREEN", "guide/bad": "RED"}
    assert ran.events[-1]["data"]["outcome"] == "RED"
