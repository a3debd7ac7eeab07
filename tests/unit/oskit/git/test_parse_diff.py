"""The three parts of one diff are read back exactly, or refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.git import ChangedPath, FileChange, UnexpectedOutputError
from oskit.git._parse_diff import assign_patches, parse_changes, parse_diff, split_patch

SHA, OTHER, ZERO = "1" * 40, "2" * 40, "0" * 40
names = st.binary(min_size=1, max_size=30).map(lambda raw: raw.replace(b"\0", b"?"))
lines = st.lists(
    st.sampled_from([b" same", b"+diff --git a/x b/x", b"-\0", b"+", b"\\ No newline at end of file"])
)


@st.composite
def changes(draw: st.DrawFn) -> FileChange:
    status = draw(st.sampled_from("ADMRT"))
    old = draw(names)
    new = draw(names) if status == "R" else old
    binary = draw(st.booleans())
    body = b"\n".join(draw(lines)) + b"\n"
    section = b"diff --git a/x b/x\n" + body
    return FileChange(
        status=status,
        old_path=old,
        new_path=new,
        old_mode="100644",
        new_mode="100755",
        old_sha=SHA,
        new_sha=OTHER,
        similarity=draw(st.integers(0, 100)) if status == "R" else None,
        added=None if binary else draw(st.integers(0, 10**9)),
        deleted=None if binary else draw(st.integers(0, 10**9)),
        binary=binary,
        patch=section * 2 if status == "T" else section,
    )


def written(files: list[FileChange]) -> bytes:
    """Write what git would."""
    raw = b"".join(raw_record(file) for file in files)
    counts = b"".join(count_record(file) for file in files)
    return raw + counts + (b"\0" if files else b"") + b"".join(file.patch for file in files)


def raw_record(file: ChangedPath) -> bytes:
    score = "" if file.similarity is None else f"{file.similarity:03}"
    header = f":{file.old_mode} {file.new_mode} {file.old_sha} {file.new_sha} {file.status}{score}".encode()
    paths = [file.old_path, file.new_path] if file.status == "R" else [file.new_path]
    return b"\0".join([header, *paths, b""])


def count_record(file: FileChange) -> bytes:
    added, deleted = (b"-" if count is None else str(count).encode() for count in (file.added, file.deleted))
    name = b"\0" + file.old_path + b"\0" + file.new_path if file.status == "R" else file.new_path
    return added + b"\t" + deleted + b"\t" + name + b"\0"


@given(st.lists(changes(), max_size=6))
def test_what_git_writes_is_read_back(files: list[FileChange]) -> None:
    parsed, patch = parse_diff(written(files))
    assert list(parsed) == files
    assert patch == b"".join(file.patch for file in files)


@given(st.lists(changes(), max_size=6))
def test_raw_records_alone_are_read_back(files: list[FileChange]) -> None:
    parsed = parse_changes(b"".join(raw_record(file) for file in files))
    assert [raw_record(change) for change in parsed] == [raw_record(file) for file in files]


@given(st.lists(changes(), min_size=1, max_size=4), st.data())
def test_cut_output_is_never_taken_for_fewer_files(files: list[FileChange], data: st.DataObject) -> None:
    output = written(files)
    head = len(output) - sum(len(file.patch) for file in files)
    cut = output[: data.draw(st.integers(1, head))]
    with pytest.raises(UnexpectedOutputError):
        parse_diff(cut)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(output: bytes) -> None:
    with contextlib.suppress(UnexpectedOutputError):
        files, patch = parse_diff(output)
        assert sum(len(file.patch) for file in files) == len(patch)


@given(
    st.lists(
        lines.map(lambda body: b"diff --git a/x b/x\n" + b"".join(line + b"\n" for line in body)), max_size=5
    )
)
def test_sections_joined_are_the_patch(sections: list[bytes]) -> None:
    assert list(split_patch(b"".join(sections))) == sections


def test_a_section_too_many_or_too_few_is_refused() -> None:
    change = ChangedPath("M", b"a", b"a", "100644", "100644", SHA, OTHER)
    with pytest.raises(UnexpectedOutputError, match="0 sections for 1 changes"):
        assign_patches([change], [])
    with pytest.raises(UnexpectedOutputError, match="2 sections for 1 changes"):
        assign_patches([change], [b"x", b"y"])


@pytest.mark.parametrize(
    "output",
    [
        b":100644 100644 1 2 X\0a\0" + b"1\t1\ta\0\0",
        b":100644 100644 1 2 M\0a\0" + b"1\t1\tb\0\0diff --git a/a b/a\n",
        b":100644 100644 1 2 M\0a\0" + b"x\t1\ta\0\0diff --git a/a b/a\n",
        b":100644 100644 1 2 M\0a\0" + b"1 1 a\0\0diff --git a/a b/a\n",
        b":100644 100644 1 2\0a\0",
        b"\x1b[1mdiff --git a/a b/a\n",
    ],
)
def test_records_that_contradict_each_other_are_refused(output: bytes) -> None:
    with pytest.raises(UnexpectedOutputError):
        parse_diff(output)
