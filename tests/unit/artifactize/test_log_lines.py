from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.log_lines import FORWARD_LINES, LINE_BYTES, Line, Query, choose_lines

lines = st.lists(st.text(st.sampled_from("abc "), max_size=5), max_size=30)


def pieces(output: bytes, size: int) -> list[bytes]:
    return [
        line[at : at + size] for line in output.splitlines(keepends=True) for at in range(0, len(line), size)
    ]


def texts(found: list[Line]) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in found]


@given(lines, st.integers(1, 8), st.none() | st.sampled_from(["a", "ab", "c "]), st.integers(1, 4))
def test_the_tail_is_the_last_matching_lines(
    content: list[str], tail: int, search: str | None, size: int
) -> None:
    output = "\n".join(content).encode()
    wanted = [
        (n, text)
        for n, text in enumerate(output.decode().splitlines(), 1)
        if search is None or search in text
    ]

    found, more = choose_lines(
        pieces(output, size), Query(tail=tail, search=search.encode() if search else None)
    )

    assert (texts(found), more) == (wanted[-tail:], None)


@given(lines, st.integers(1, 12), st.none() | st.integers(1, 30))
def test_a_range_is_the_lines_from_start_to_end(content: list[str], start: int, end: int | None) -> None:
    output = "\n".join(content).encode()
    numbered = list(enumerate(output.decode().splitlines(), 1))
    wanted = [(n, text) for n, text in numbered if n >= start and (end is None or n <= end)]

    found, more = choose_lines(pieces(output, 3), Query(tail=None, start=start, end=end))

    assert (texts(found), more) == (wanted, None)


def test_a_forward_query_continues_where_it_was_cut() -> None:
    output = b"".join(b"%d\n" % number for number in range(1, 451))
    found: list[tuple[int, str]] = []
    start: int | None = 1
    while start is not None:
        part, start = choose_lines(pieces(output, 64), Query(tail=None, start=start))
        assert len(part) <= FORWARD_LINES
        found += texts(part)

    assert found == [(number, str(number)) for number in range(1, 451)]


def test_a_long_line_is_clipped_and_still_searched_in_its_middle() -> None:
    long = b"x" * 3000 + b"needle" + b"y" * 3000 + b"\nshort\n"

    (line,), _ = choose_lines(pieces(long, 1000), Query(tail=5, search=b"needle"))

    assert (line.number, line.clipped) == (1, True)
    assert line.text.startswith("xxx")
    assert line.text.endswith("yyy")
    assert len(line.text.encode()) <= LINE_BYTES + 16
