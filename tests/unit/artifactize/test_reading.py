"""`read`, `list`, `glob`, `section`, `open`: bounded answers that say what they left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.toolbox.contract import MAX_ANSWER_BYTES, ToolFault
from artifactize.toolbox.lines import clipped
from artifactize.toolbox.listing import glob, list_folder
from artifactize.toolbox.reading import read
from artifactize.toolbox.sections import section
from artifactize.toolbox.viewing import open_path
from support.toolboxes import scope_of

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT = """# One
intro
```sh
# no heading
```
## Two ##
text
Under
-----
more
# One
last
"""


def test_reading_on_from_where_an_answer_says_gives_every_line_once(tmp_path: Path) -> None:
    lines = [f"line {number} " + "y" * (number % 700) for number in range(1, 501)]
    scope = scope_of(tmp_path, a="\r\n".join(lines))
    found: list[str] = []
    start = 1
    while start:
        text = read(scope, "guide/a", start=start, lines=90).text
        assert len(text.encode()) <= MAX_ANSWER_BYTES
        note, *shown = text.split("\n")
        found += [line.partition("\t")[2] for line in shown]
        going_on = re.search(r"start = (\d+)", note)
        start = int(going_on[1]) if going_on else 0
    assert found == lines
    with pytest.raises(ToolFault, match="500 lines"):
        read(scope, "guide/a", start=501)


def test_a_long_line_keeps_its_ends_and_a_huge_one_is_never_held(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, a=b"begin" + "\u00fc".encode() * 300_000 + b"finis\nnext\n")
    text = read(scope, "guide/a").text
    assert "1\tbegin\u00fc" in text
    assert text.endswith("finis\n2\tnext")
    left_out = re.search(r"…(\d+) bytes", text)
    assert left_out is not None
    assert int(left_out[1]) + text.count("\u00fc") * 2 + len("beginfinis") == 600_010
    assert "\ufffd" not in text


@given(st.text(alphabet="aü€😀", min_size=500, max_size=3000))
def test_a_clipped_line_is_cut_between_characters(line: str) -> None:
    shown = clipped(1, line.encode())
    assert line.startswith(shown.head.decode())
    assert line.endswith(shown.tail.decode())


def test_what_is_no_text_is_refused_or_shown_for_what_it_is(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, b=b"\x7fELF\0", bad=b"a\xff\x1b[31m\xe2\x80\xae\n", none="")
    with pytest.raises(ToolFault) as refused:
        read(scope, "guide/b")
    assert refused.value.code == "NOT_TEXT"
    text = read(scope, "guide/bad").text
    assert "\ufffd stands for" in text
    assert text.endswith("1\ta\ufffd\\u001b[31m\\u202e")
    assert "empty" in read(scope, "guide/none").text
    assert "binary, 5 bytes" in open_path(scope, "guide/b").text


def test_a_list_goes_on_behind_the_entry_it_names(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, **{f"f{number:03}": "x" * number for number in range(30)}, sub__x="")
    first = list_folder(scope, "guide", limit=20).text
    assert first.startswith("[guide: 31 entries; more follow: go on with after = 'f019']\nf000\t0 bytes\n")
    rest = list_folder(scope, "guide/", after="f019", limit=20).text.split("\n")
    assert rest[1] == "f020\t20 bytes"
    assert rest[-1] == "sub/"
    assert open_path(scope).text == "[the outermost folder: 1 entries]\nguide/\tArtifact guide: a folder"


@pytest.mark.parametrize(
    ("pattern", "matching"),
    [
        ("guide/*.md", "guide/a.md"),
        ("**/*.md", "guide/a.md guide/s/b.md"),
        ("guide/**/b.md", "guide/s/b.md"),
        ("guide/[!a]*", "guide/c+d"),
        ("guide/c+?", "guide/c+d"),
        ("guide/[x", ""),
        ("*", ""),
        ("*a*a*a*a*a*a*a*a*a*a*a*b" * 20, ""),
    ],
    ids=range(8),
)
def test_a_glob_matches_whole_paths(tmp_path: Path, pattern: str, matching: str) -> None:
    scope = scope_of(tmp_path, a_dot_md="", s__b_dot_md="", **{"c+d": ""})
    assert " ".join(glob(scope, pattern).text.split("\n")[1:]) == matching


def test_sections_follow_the_headings_of_markdown(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, d=DOCUMENT, plain="no heading\n")
    outline = section(scope, "guide/d").text.split("\n")[1:]
    assert outline == ["1\t# One", "6\t## Two", "8\t## Under", "11\t# One"]
    assert section(scope, "guide/d", heading="## two").text.split("\n")[1:] == ["6\t## Two ##", "7\ttext"]
    assert section(scope, "guide/d", line=11).text.split("\n")[1:] == ["11\t# One", "12\tlast"]
    with pytest.raises(ToolFault, match="in the lines 1, 11"):
        section(scope, "guide/d", heading="One")
    with pytest.raises(ToolFault, match="no heading 'x'"):
        section(scope, "guide/d", heading="x")
    with pytest.raises(ToolFault, match="no Markdown headings"):
        section(scope, "guide/plain")
