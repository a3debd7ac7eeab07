from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.logical_paths import path_fault


@pytest.mark.parametrize("path", [".", "a", "a/b.txt", "a/", ".hidden", "..x", "a b/ü"])
def test_paths_inside_the_folder_are_taken(path: str) -> None:
    assert path_fault(path) is None


@pytest.mark.parametrize(
    "path", ["", "/a", "..", "a/../b", "a//b", "./a", "a\\b", "c:x", "a\nb", "a\x7f", "x" * 4097]
)
def test_every_other_path_is_refused(path: str) -> None:
    assert path_fault(path) is not None


@given(st.text(st.sampled_from("./a\\:\n"), max_size=12))
def test_an_accepted_path_never_leaves_its_folder(path: str) -> None:
    if path_fault(path) is None:
        joined = posixpath.normpath(posixpath.join("/project", path))
        assert joined == "/project" or joined.startswith("/project/")
