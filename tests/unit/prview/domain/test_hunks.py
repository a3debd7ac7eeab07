"""Added lines and their numbers, against what Python's own differ says was added."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from prview.domain.hunks import AddedLine, added_lines

TEXTS = st.lists(
    st.sampled_from(["a", "b", "", "-x", "+y", "@@ -1 +1 @@", "--- a", "+++ b", "\\ no"]), max_size=12
)


@given(TEXTS, TEXTS)
def test_numbers_and_texts_are_those_of_the_new_file(old: list[str], new: list[str]) -> None:
    """Content that looks like a header stays content."""
    patch = "\n".join(difflib.unified_diff(old, new, "a/f", "b/f", lineterm="")) + "\n"
    found = added_lines(f"diff --git a/f b/f\n{patch}".encode())
    for line in found:
        assert new[line.number - 1] == line.text
    kept = [text for number, text in enumerate(new, 1) if number not in {line.number for line in found}]
    remaining = iter(old)
    assert all(text in remaining for text in kept), "what was not added is in the old file, in order"


def test_a_count_that_git_leaves_out_is_one() -> None:
    assert added_lines(b"@@ -0,0 +1 @@\n+only\n\\ No newline at end of file\n") == (AddedLine(1, "only"),)


def test_line_ends_and_odd_bytes_do_not_stop_the_count() -> None:
    patch = b"@@ -1,1 +1,3 @@\n a\r\n+caf\xe9\r\n+\x0cb\n"
    assert added_lines(patch) == (AddedLine(2, "caf\ufffd"), AddedLine(3, "\x0cb"))


def test_a_binary_patch_adds_no_lines() -> None:
    assert added_lines(b"diff --git a/x b/x\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\n") == ()
