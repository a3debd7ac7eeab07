"""Log, status, tree, index and batch output is read back exactly, or refused."""

import contextlib
import mmap
import tempfile
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.git import Commit, TreeEntry, UnexpectedOutputError
from oskit.git._parse_batch import parse_batch
from oskit.git._parse_log import log_format, parse_log
from oskit.git._parse_status import parse_status
from oskit.git._parse_tree import parse_index, parse_tree

MARK = "0123456789abcdef" * 2
SHA = "a" * 40
text = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
names = st.binary(min_size=1, max_size=20).map(lambda raw: raw.replace(b"\0", b"?"))
commits = st.builds(
    Commit,
    sha=st.just(SHA),
    parents=st.lists(st.just("b" * 40), max_size=3).map(tuple),
    author=text,
    email=text,
    time=st.integers(0, 2**33).map(lambda seconds: datetime.fromtimestamp(seconds, tz=UTC)),
    subject=text,
    body=text.map(lambda body: body.rstrip("\n")),
    patch=st.binary(max_size=60).map(lambda raw: b"diff --git " + raw + b"\n") | st.just(b""),
)


def logged(commit: Commit) -> bytes:
    values = (
        commit.sha,
        " ".join(commit.parents),
        commit.author,
        commit.email,
        str(int(commit.time.timestamp())),
        commit.subject,
        commit.body + "\n",
    )
    header = MARK + "".join(f"{value}\0" for value in values) + MARK
    return header.encode() + (b"\n\n" + commit.patch if commit.patch else b"\n")


@given(st.lists(commits, max_size=5))
def test_a_log_is_read_back_whatever_its_texts_and_patches_hold(history: list[Commit]) -> None:
    assert list(parse_log(b"".join(map(logged, history)), MARK)) == history


@given(st.lists(commits, min_size=1, max_size=3), st.integers(0, 60))
def test_a_cut_log_is_refused(history: list[Commit], kept: int) -> None:
    whole = b"".join(map(logged, history[:-1]))
    with pytest.raises(UnexpectedOutputError):
        parse_log(whole + logged(history[-1])[: len(MARK) + kept], MARK)


@given(st.binary(max_size=100))
def test_other_bytes_are_no_log(output: bytes) -> None:
    with contextlib.suppress(UnexpectedOutputError):
        assert parse_log(output, MARK) == ()


def test_the_format_asks_for_what_is_read() -> None:
    assert log_format(MARK).count("%x00") == 7
    assert log_format(MARK).count(MARK) == 2


@given(st.lists(st.tuples(st.sampled_from(["1 .M", "1 M.", "1 MM", "u UU", "?"]), names), max_size=5))
def test_status_is_read_back(entries: list[tuple[str, bytes]]) -> None:
    tails = {
        "1": f" N... 100644 100644 100755 {SHA} {SHA} ".encode(),
        "u": f" N... 100644 100644 100644 100755 {SHA} {SHA} {SHA} ".encode(),
        "?": b" ",
    }
    output = b"".join(kind.encode() + tails[kind[0]] + name + b"\0" for kind, name in entries)
    parsed = parse_status(output)
    assert [entry.path for entry in parsed] == [name for _, name in entries]
    assert [(entry.staged, entry.unstaged, entry.mode) for entry in parsed] == [
        (kind in {"1 M.", "1 MM"}, kind != "1 M.", None if kind == "?" else "100755") for kind, _ in entries
    ]


@pytest.mark.parametrize(
    "output", [b"? a", b"2 R. x\0", b"1 .M N... 1 2\0", b"u UU\0", b"# branch\0", b"\0", b"! x\0"]
)
def test_status_of_another_form_is_refused(output: bytes) -> None:
    with pytest.raises(UnexpectedOutputError):
        parse_status(output)


entries = st.builds(
    TreeEntry,
    mode=st.sampled_from(["100644", "100755", "120000"]),
    kind=st.just("blob"),
    sha=st.just(SHA),
    path=names,
    size=st.none() | st.integers(0, 10**12),
)


@given(st.lists(entries, max_size=5))
def test_a_tree_is_read_back(tree: list[TreeEntry]) -> None:
    sizes: dict[int | None, str] = {
        None: "",
        **{entry.size: f" {entry.size:>7}" for entry in tree if entry.size is not None},
    }
    output = b"".join(f"{e.mode} {e.kind} {e.sha}{sizes[e.size]}\t".encode() + e.path + b"\0" for e in tree)
    assert list(parse_tree(output)) == tree


def test_a_submodule_has_no_size_and_conflicts_are_not_in_the_index() -> None:
    assert parse_tree(f"160000 commit {SHA}       -\tsub\0".encode())[0].size is None
    output = b"".join(
        f"{mode} {SHA} {stage}\t{name}".encode() + b"\0"
        for mode, stage, name in [
            ("100644", 0, "a"),
            ("100644", 1, "b"),
            ("100644", 2, "b"),
            ("160000", 0, "sub"),
        ]
    )
    assert [(entry.path, entry.kind) for entry in parse_index(output)] == [(b"a", "blob"), (b"sub", "commit")]


@pytest.mark.parametrize(
    "output", [b"100644 blob x\ta", b"100644 blob\ta\0", b"100644 blob x y z\ta\0", b"x\0", b"1 2 3\t\0"]
)
def test_trees_of_another_form_are_refused(output: bytes) -> None:
    with pytest.raises(UnexpectedOutputError):
        parse_tree(output)


@given(st.lists(st.binary(max_size=50) | st.none(), max_size=6))
def test_batches_are_read_back_from_bytes_and_from_a_file(contents: list[bytes | None]) -> None:
    output = b"".join(
        b"aa missing\n" if content is None else b"bb blob %d\n%b\n" % (len(content), content)
        for content in contents
    )
    assert [found.content for found in parse_batch(output)] == contents
    with tempfile.TemporaryFile() as stream:
        stream.write(output or b" ")
        stream.flush()
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as stored:
            if output:
                assert [found.content for found in parse_batch(stored)] == contents


@pytest.mark.parametrize(
    "output", [b"x", b"a blob 5\nabc\n", b"a blob x\n\n", b"a blob 1 2\na\n", b"a blob 1\nab", b"y" * 300]
)
def test_cut_batches_are_refused(output: bytes) -> None:
    with pytest.raises(UnexpectedOutputError):
        list(parse_batch(output))
