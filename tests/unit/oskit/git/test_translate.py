"""What git says becomes an error that names what, where and the next step."""

import pytest

from oskit.git import (
    GitError,
    GitFailedError,
    MissingObjectError,
    NotARepositoryError,
    NoWorktreeError,
    UnknownRevisionError,
    UnsafeRepositoryError,
)
from oskit.git._translate import MAX_STDERR, Failure, names_nothing, translated

A, B = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("stderr", "kind"),
    [
        ("fatal: not a git repository (or any of the parent directories): .git", NotARepositoryError),
        ("fatal: invalid gitfile format: /x/.git", NotARepositoryError),
        ("fatal: unknown repository extension found:\n\tfuture", NotARepositoryError),
        ("fatal: detected dubious ownership in repository at '/x'", UnsafeRepositoryError),
        ("fatal: unsafe repository ('/x' is owned by someone else)", UnsafeRepositoryError),
        ("fatal: this operation must be run in a work tree", NoWorktreeError),
        (f"fatal: bad object {A}", UnknownRevisionError),
        (f"fatal: Not a valid commit name {A}", UnknownRevisionError),
        (f"fatal: bad object {B}", MissingObjectError),
        (f"error: unable to unpack {A} header\nfatal: bad object {A}", MissingObjectError),
        (f"fatal: unable to read {B}", MissingObjectError),
        (f"error: Could not read {B}\nfatal: Failed to traverse parents of commit {A}", MissingObjectError),
        (
            f"error: object file .git/objects/aa is empty\nfatal: loose object {A} is corrupt",
            MissingObjectError,
        ),
        ("fatal: something new", GitFailedError),
        ("", GitFailedError),
    ],
)
def test_every_known_complaint_has_its_error(stderr: str, kind: type[GitError]) -> None:
    error = translated(Failure("diff", ("--raw", A), "/the/repository", 128, stderr))
    assert type(error) is kind
    assert "/the/repository" in error.message
    assert error.hint.endswith((".", ">", ")")) or "safe.directory" in error.hint


def test_the_object_is_named_when_any_line_names_it() -> None:
    error = translated(
        Failure(
            "log", (), "/r", 128, f"error: inflate: data stream error\nerror: unable to unpack {B} header"
        )
    )
    assert B in error.message


def test_gits_own_fix_is_passed_on() -> None:
    said = "fatal: detected dubious ownership in repository at '/a b'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory '/a b'\n"
    assert translated(Failure("rev-parse", (), "/a b", 128, said)).hint.endswith(
        "git config --global --add safe.directory '/a b'"
    )


def test_floods_of_words_are_cut() -> None:
    error = translated(Failure("diff", (), "/r", 1, "fatal: " + "x" * 100_000))
    assert isinstance(error, GitFailedError)
    assert len(error.stderr) == MAX_STDERR
    assert len(error.message) < 700


@pytest.mark.parametrize(
    ("stderr", "nothing"),
    [
        ("fatal: Needed a single revision", True),
        ("error: short object ID a is ambiguous\nfatal: Needed a single revision", True),
        ("fatal: log for 'main' only has 2 entries", True),
        ("fatal: no upstream configured for branch 'main'", True),
        ("fatal: bad config line 1 in file .git/config", False),
        ("error: inflate: data stream error\nfatal: Needed a single revision", False),
    ],
)
def test_only_a_question_about_nothing_is_an_unknown_revision(stderr: str, *, nothing: bool) -> None:
    assert names_nothing(stderr) is nothing
