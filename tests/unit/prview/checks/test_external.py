"""What every tool on both sides gets, seen with a small linter that hates the word BAD."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from prview.checks.base import Profile, ToolOutputError
from prview.checks.external import ToolCheck
from prview.checks.jobs import Reading
from prview.domain.checks import Kind, State
from prview.domain.findings import Level
from prview.store.cache import ResultCache
from support.checking import Checker, origins
from support.prview_project import own_tool
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.jobs import Job, Output

pytestmark = pytest.mark.anyio

# every look is counted beside the program: $0.looks has one line a side and folder
SCRIPT = """#!/bin/sh
case $1 in --version) echo 'nobad 1.0'; exit 0;; esac
echo "$PWD $*" >>"$0.looks"
grep -rnH BAD "$@" | sed 's|^\\./||'
echo done
"""


class NoBad(ToolCheck):
    """One finding a line with BAD; a folder with `nobad.conf` is a project."""

    id = "nobad"
    name = "NoBad"
    kind = Kind.LINT
    program = "nobad"
    suffixes = frozenset({".txt"})
    configs = frozenset({"nobad.conf"})
    manifests = frozenset({"nobad.conf"})

    async def command(self, job: Job) -> list[str]:
        return [str(job.tool.program), *job.arguments]

    def read(self, job: Job, output: Output) -> Reading:
        *lines, end = output.text.splitlines() or [""]
        if end != "done":
            raise job.failed("it does not say that it is done", output)
        found = []
        for line in lines:
            name, number, text = line.split(":", 2)
            path = job.path(name)
            if path and self.concerns(path):
                found.append(
                    job.finding(rule="bad", level=Level.WARNING, path=path, line=int(number), message=text)
                )
        looked = (
            job.targets if job.targets is not None else [path for path in job.listing if self.concerns(path)]
        )
        return Reading(tuple(found), frozenset(looked))


class PerFile(NoBad):
    """The same, said to look at each file alone."""

    per_file = True


class Blind(NoBad):
    """Looks at nothing."""

    def read(self, job: Job, output: Output) -> Reading:
        return Reading()


class Stumbles(NoBad):
    """Cannot read broken.txt."""

    def read(self, job: Job, output: Output) -> Reading:
        return replace(super().read(job, output), unread=frozenset({"broken.txt"} & job.listing.keys()))


class ForeignCode(NoBad):
    """Runs a plugin of the project."""

    async def foreign_code(self, job: Job) -> str | None:
        return "plugin.txt"


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\n")
    repo.write_many({"main.txt": "one\n", "sub/main.txt": "one\nBAD old\n", "old.txt": "BAD a\nBAD a\n"})
    repo.commit("base")
    repo.branch("topic")
    own_tool(repo, "nobad", SCRIPT)
    return Checker(repo, tmp_path / "scratch", cache=ResultCache(tmp_path / "cache"))


def looks(checker: Checker) -> list[str]:
    """The sides that were really looked at, in order, each with its folder and arguments."""
    log = checker.repo.path / ".venv/bin/nobad.looks"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.partition("/scratch/")[2].partition("/")[2] for line in lines]


# --- provenance ---------------------------------------------------------------------------------------------


async def test_old_lines_are_followed_and_new_ones_found(checker: Checker) -> None:
    """Moved, renamed, copied: what counts is the rule, the file, the line's text and how often it is there."""
    checker.repo.write("sub/main.txt", "zero\none\nBAD old\n").rename("old.txt", "new.txt")
    checker.repo.write("main.txt", "one\nBAD old\n").commit()
    assert origins(await checker.one(NoBad())) == [
        ("main.txt", 2, "bad", "introduced"),
        ("new.txt", 1, "bad", "preexisting"),
        ("new.txt", 2, "bad", "preexisting"),
        ("sub/main.txt", 3, "bad", "preexisting"),
    ]


async def test_one_more_of_the_same_is_new(checker: Checker) -> None:
    checker.repo.write("old.txt", "BAD a\nBAD a\nBAD a\n").commit()
    result = await checker.one(NoBad())
    assert [item.provenance for item in result.judged if item.finding.path == "old.txt"] == [
        "preexisting",
        "preexisting",
        "introduced",
    ]


# --- what is looked at --------------------------------------------------------------------------------------


async def test_the_base_is_only_looked_at_for_what_may_be_older(checker: Checker) -> None:
    checker.repo.write("fresh.txt", "BAD\n").remove("old.txt").remove("sub").commit()
    assert origins(await checker.one(NoBad())) == [("fresh.txt", 1, "bad", "introduced")]
    assert looks(checker) == ["head ."]


async def test_a_tool_that_reads_each_file_alone_reads_only_suspects_of_the_base(checker: Checker) -> None:
    checker.repo.write("fresh.txt", "BAD\n").rename("old.txt", "new.txt").commit()
    await checker.one(PerFile())
    assert looks(checker) == ["head .", "base old.txt sub/main.txt"]


async def test_the_quick_profile_looks_at_changed_files(checker: Checker) -> None:
    checker.profile = Profile.QUICK
    checker.repo.write("old.txt", "BAD b\n").write("fine.txt", "").remove("sub").commit()
    result = await checker.one(NoBad())
    assert looks(checker) == ["head fine.txt old.txt", "base old.txt"]
    assert origins(result) == [("old.txt", 1, "bad", "introduced")]
    assert result.examined == {"fine.txt", "old.txt"}


async def test_a_changed_configuration_has_everything_looked_at(checker: Checker) -> None:
    checker.profile = Profile.QUICK
    checker.repo.write("nobad.conf", "strict\n").write("old.txt", "").commit()
    assert origins(await checker.one(NoBad())) == [("sub/main.txt", 2, "bad", "preexisting")]
    assert looks(checker)[0] == "head ."


async def test_each_project_is_looked_at_in_its_own_folder(checker: Checker) -> None:
    checker.repo.write_many(
        {"a/nobad.conf": "", "a/x.txt": "BAD\n", "b/c/nobad.conf": "", "b/c/x.txt": "BAD\n"}
    )
    checker.repo.commit()
    result = await checker.one(NoBad())
    assert origins(result) == [("a/x.txt", 1, "bad", "introduced"), ("b/c/x.txt", 1, "bad", "introduced")]
    assert looks(checker) == ["head/a .", "head/b/c ."]


async def test_a_project_that_moved_is_compared_with_where_it_was(checker: Checker) -> None:
    checker.repo.checkout("main").write_many({"a/nobad.conf": "strict\n", "a/x.txt": "BAD\n"}).commit("a")
    checker.repo.branch("later").rename("a/nobad.conf", "z/nobad.conf").rename("a/x.txt", "z/x.txt").commit()
    assert origins(await checker.one(NoBad())) == [("z/x.txt", 1, "bad", "preexisting")]
    assert looks(checker) == ["head/z .", "base/a ."]


async def test_names_like_options_are_no_options(checker: Checker) -> None:
    checker.profile = Profile.QUICK
    checker.repo.write("-r.txt", "BAD\n").commit()
    assert origins(await checker.one(NoBad())) == [("-r.txt", 1, "bad", "introduced")]


# --- what is no pass ----------------------------------------------------------------------------------------


async def test_nothing_of_interest_is_a_neutral_skip(checker: Checker) -> None:
    checker.repo.write("code.py", "BAD\n").commit()
    result = await checker.one(NoBad())
    assert (result.state, result.neutral, looks(checker)) == (State.SKIPPED, True, [])


async def test_a_profile_without_time_for_it_is_a_neutral_skip(checker: Checker) -> None:
    class Slow(NoBad):
        since = Profile.DEEP

    checker.repo.write("main.txt", "BAD\n").commit()
    result = await checker.one(Slow())
    assert (result.neutral, result.reason) == (True, "left out by the standard profile")
    checker.profile = Profile.DEEP
    assert (await checker.one(Slow())).state is State.EXECUTED


async def test_a_tool_that_looked_at_none_of_the_changed_files_is_no_pass(checker: Checker) -> None:
    checker.repo.write("main.txt", "fine\n").commit()
    result = await checker.one(Blind())
    assert (result.state, result.status) == (State.SKIPPED, "SKIPPED")
    assert result.reason == (
        "NoBad does not look at the changed file: the project's configuration leaves it out"
    )


async def test_only_deleted_files_leave_nothing_to_look_at_quickly(checker: Checker) -> None:
    """Not even the program is missed then."""
    checker.profile = Profile.QUICK
    checker.repo.remove("old.txt").remove(".venv").commit()
    result = await checker.one(NoBad())
    assert (result.state, result.neutral) == (State.SKIPPED, True)
    assert result.reason == "nothing that NoBad reads is left of what was changed"


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("echo nobad 1.0; test $1 = --version || exit 3", State.ERROR),
        ("echo nobad 1.0; test $1 = --version || kill -SEGV $$", State.ERROR),
        ("echo nobad 1.0", State.ERROR),
        ("exit 0", State.ERROR),
        ("echo nobad 1.0; test $1 = --version || sleep 60", State.TIMEOUT),
    ],
    ids=["fails", "crashes", "other-words", "no-version", "hangs"],
)
async def test_a_tool_that_is_no_evidence_never_passes_and_is_never_kept(
    checker: Checker, script: str, state: State
) -> None:
    checker.timeout_s = 1
    own_tool(checker.repo, "nobad", f"#!/bin/sh\n{script}\n")
    checker.repo.write("main.txt", "fine\n").commit()
    for _ in range(2):
        result = await checker.one(NoBad())
        assert (result.state, result.cached) == (state, False)
    assert not list((checker.repo.path.parent / "cache").rglob("*"))


async def test_a_missing_tool_is_unavailable(checker: Checker) -> None:
    (checker.repo.path / ".venv/bin/nobad").unlink()
    checker.repo.write("main.txt", "BAD\n").commit()
    assert (await checker.one(NoBad())).state is State.UNAVAILABLE


async def test_what_one_project_shows_counts_although_another_cannot_be_looked_at(checker: Checker) -> None:
    own_tool(checker.repo, "nobad", SCRIPT.replace("echo done", "test -e broken || echo done"))
    checker.repo.write_many({"a/nobad.conf": "", "a/broken": "", "a/x.txt": "BAD\n", "main.txt": "BAD\n"})
    checker.repo.commit()
    result = await checker.one(NoBad())
    assert result.state is State.ERROR
    assert str(result.reason).startswith("a: it does not say that it is done")
    assert ("main.txt", 1, "bad", "introduced") in origins(result)


async def test_code_of_a_commit_that_is_not_checked_out_is_not_run(checker: Checker) -> None:
    checker.repo.write("main.txt", "BAD\n").commit()
    checker.may_run_code = False
    result = await checker.one(ForeignCode())
    assert (result.state, result.neutral, looks(checker)) == (State.SKIPPED, False, [])
    assert "nobad would execute plugin.txt" in str(result.reason)
    checker.may_run_code = True
    assert (await checker.one(ForeignCode())).state is State.EXECUTED


async def test_a_log_holds_the_commands_of_both_sides(checker: Checker) -> None:
    checker.repo.write("main.txt", "one\nBAD\n").commit()
    log = (await checker.one(NoBad())).log
    assert "# head\n$ " in log
    assert "# base\n$ " in log


# --- what is reused -----------------------------------------------------------------------------------------


async def test_the_same_content_is_not_looked_at_twice(checker: Checker) -> None:
    checker.repo.write("main.txt", "BAD\n").commit()
    first, second = await checker.one(NoBad()), await checker.one(NoBad())
    assert len(looks(checker)) == 2
    assert (first.cached, second.cached, second.reused_from) == (False, True, ("run-1",))
    assert (second.judged, second.examined, second.tool) == (first.judged, first.examined, first.tool)
    assert "# reused from run run-1\n" in second.log


async def test_the_base_is_reused_for_another_head(checker: Checker) -> None:
    checker.repo.write("main.txt", "BAD\n").commit()
    await checker.one(NoBad())
    checker.repo.write("main.txt", "BAD\nBAD\n").commit()
    result = await checker.one(NoBad())
    assert looks(checker) == ["head .", "base .", "head ."]
    assert (result.cached, result.reused_from) == (False, ())


async def test_files_that_the_tool_does_not_read_do_not_matter(checker: Checker) -> None:
    checker.repo.write("main.txt", "BAD\n").commit()
    await checker.one(NoBad())
    checker.repo.write("code.py", "").commit()
    assert (await checker.one(NoBad())).cached


@pytest.mark.parametrize(
    "change", ["content", "name", "new-file", "configuration", "tool", "version", "swap"]
)
async def test_whatever_the_answer_depends_on_has_it_looked_at_again(checker: Checker, change: str) -> None:
    repo = checker.repo
    repo.write("main.txt", "BAD\n").write("other.txt", "x\n").commit()
    await checker.one(NoBad())
    match change:
        case "content":
            repo.write("old.txt", "BAD c\n")
        case "name":
            repo.rename("old.txt", "older.txt")
        case "new-file":
            repo.write("deep/down/x.txt", "")
        case "configuration":
            repo.write("deep/nobad.conf", "strict\n")
        case "tool":
            own_tool(repo, "nobad", SCRIPT + "# patched\n")
        case "version":
            own_tool(repo, "nobad", SCRIPT.replace("1.0", "1.1"))
        case _:
            repo.write("main.txt", "x\n").write("other.txt", "BAD\n")
    repo.commit()
    assert (await checker.one(NoBad())).cached is False


async def test_an_entry_that_is_damaged_is_not_believed(checker: Checker) -> None:
    checker.repo.write("main.txt", "BAD\n").commit()
    first = await checker.one(NoBad())
    for entry in (checker.repo.path.parent / "cache").rglob("*"):
        if entry.is_file():
            entry.write_bytes(entry.read_bytes().replace(b'"BAD', b'"bad'))
    again = await checker.one(NoBad())
    assert (again.cached, again.judged) == (False, first.judged)


async def test_what_may_be_answered_differently_tomorrow_is_never_kept(checker: Checker) -> None:
    class Fresh(NoBad):
        keeps = False

    checker.repo.write("main.txt", "BAD\n").commit()
    await checker.one(Fresh())
    assert (await checker.one(Fresh())).cached is False


async def test_a_file_that_could_not_be_read_matters_when_it_changed(checker: Checker) -> None:
    """Also when the look itself is reused for another change."""
    checker.repo.write("broken.txt", "fine\n").commit("broken")
    checker.repo.branch("later").write("main.txt", "fine\n").commit()
    assert (await checker.one(Stumbles())).unseen == "NoBad could not read broken.txt"
    result = await checker.one(Stumbles(), base="topic")
    assert (result.cached, result.unseen) == (True, None)


async def test_a_name_that_is_no_text_is_not_handed_over(checker: Checker) -> None:
    """The tool would not find it, and say so as if the file were at fault."""
    checker.profile = Profile.QUICK
    checker.repo.write(b"caf\xe9.txt", "BAD\n").write("main.txt", "fine\n").commit()
    result = await checker.one(NoBad())
    assert looks(checker) == ["head main.txt"]
    assert result.examined == {"main.txt"}


async def test_a_look_outside_of_the_tree_is_part_of_the_key(checker: Checker) -> None:
    class Installed(NoBad):
        packages = "a 1"

        async def outside(self, job: Job) -> str:
            return self.packages

    check = Installed()
    checker.repo.write("main.txt", "BAD\n").commit()
    await checker.one(check)
    check.packages = "a 2"
    assert (await checker.one(check)).cached is False


def test_an_error_names_side_and_project(tmp_path: Path) -> None:
    from support.checking import job_at

    class Said:
        log = "words"

    problem = job_at(tmp_path, check="x", project="a").failed("it broke", Said())  # type: ignore[arg-type]
    assert isinstance(problem, ToolOutputError)
    assert (problem.message, problem.log) == ("it broke (on the head side in a)", "words")
