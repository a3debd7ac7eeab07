"""The past of some files, from one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oskit.git import TouchedFile, UnexpectedOutputError, open_repository
from oskit.git._parse_touches import parse_touches
from oskit.git._touches import MAX_PATHS

if TYPE_CHECKING:
    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def test_the_newest_commits_of_the_asked_files_come_first_with_their_counts(repo: GitRepo) -> None:
    repo.write("a", "1\n").write("other", "1\n").commit("one", author="Zoë <zoe@example.org>")
    repo.write("other", "2\n").commit("elsewhere")
    head = repo.write("a", "2\n3\n").write("[id] b\n", b"\0\1").commit("two")
    found = await (await open_repository(repo.path)).touches(head, [b"a", b"[id] b\n"], commits=10)
    assert found[0].sha == head
    assert [touch.subject for touch in found] == ["two", "one"]
    assert found[0].files == (TouchedFile(b"[id] b\n", None, None), TouchedFile(b"a", 2, 1))
    assert (found[1].email, found[1].files) == ("zoe@example.org", (TouchedFile(b"a", 1, 0),))


async def test_no_more_than_the_asked_number_of_commits_is_read(repo: GitRepo) -> None:
    for number in range(5):
        repo.write("a", f"{number}\n").commit(str(number))
    found = await (await open_repository(repo.path)).touches(repo.ask("rev-parse", "HEAD"), [b"a"], commits=2)
    assert [touch.subject for touch in found] == ["4", "3"]


async def test_asking_about_nothing_gives_nothing_instead_of_all_history(repo: GitRepo) -> None:
    head = repo.write("a", "1\n").commit()
    assert await (await open_repository(repo.path)).touches(head, [], commits=10) == ()


async def test_more_paths_than_a_command_line_holds_are_refused(repo: GitRepo) -> None:
    head = repo.write("a", "1\n").commit()
    many = [f"{number}".encode() for number in range(MAX_PATHS + 1)]
    with pytest.raises(ValueError, match="4001 paths"):
        await (await open_repository(repo.path)).touches(head, many, commits=1)


@pytest.mark.parametrize(
    "output", [b"x", b"Mheader", b"Mone\0two\0M", b"M1\x00a\x00e\x000\x00s\x00M\0broken\0"]
)
def test_another_form_of_output_is_an_error(output: bytes) -> None:
    with pytest.raises(UnexpectedOutputError):
        parse_touches(output, "M")
