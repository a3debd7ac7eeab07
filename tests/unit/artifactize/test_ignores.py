from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from artifactize.tree.ignores import GitIgnores
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PATTERNS = [
    *(
        "a",
        "*.log",
        "!keep.log",
        "/a",
        "b/",
        "!b/",
        "a/b",
        "**/c",
        "a/**",
        "!a/keep.log",
        "# comment",
        "",
        "*",
        "!*/",
    ),
    *(
        "\\#x",
        "a?",
        "[ab]",
        "a/*",
        "!a/b",
        "**",
        "x\\ ",
        "/b/**/c",
        "!/a/",
        "[!a]*",
        "[^b]",
        "[a-c]",
        "[c-a]",
        "[[:alpha:]]",
    ),
    *(
        "a**",
        "**a",
        "a/**/",
        "[",
        "a\\",
        "b  ",
        "c\r",
        "?",
        "**/",
        "d/a",
        "/d/*",
        "[]a]",
        "[!]a]x",
        "\\!x",
        "k*.log",
        "é",
        "??",
    ),
]
NAMES = ["a", "b", "c", "keep.log", "x.log", "#x", "ab", "x ", "é", "]a"]
lines = st.lists(st.sampled_from(PATTERNS), max_size=6).map("\n".join)


def ours(root: Path) -> set[str]:
    ignores = GitIgnores(root)
    found: set[str] = set()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for entry in (root / folder).iterdir():
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name == ".git" or ignores.ignores(path, is_dir=entry.is_dir()):
                continue
            waiting += [path] if entry.is_dir() else []
            found |= set() if entry.is_dir() else {path}
    return found


def gits(root: Path) -> set[str]:
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--others", "--exclude-standard"],
        capture_output=True,
        check=True,
    )
    return {name for name in listed.stdout.decode().split("\0") if name}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines, lines, st.lists(st.tuples(*[st.sampled_from(NAMES)] * 3), min_size=3, max_size=8))
def test_nested_ignore_files_mean_what_git_says(
    tmp_path_factory: pytest.TempPathFactory,
    root_lines: str,
    nested_lines: str,
    paths: list[tuple[str, str, str]],
) -> None:
    root = GitRepo.create(tmp_path_factory.mktemp("repo")).path
    for parts in paths:
        for length in (1, 2, 3):
            place = root.joinpath("d", *parts[:length]) if length > 1 else root / f"{parts[0]}.file"
            if place.parent.is_dir() or not any(parent.is_file() for parent in place.parents):
                place.parent.mkdir(parents=True, exist_ok=True)
                if not place.exists():
                    place.write_text("x")
                    break
    (root / ".gitignore").write_text(root_lines)
    (root / "d").mkdir(exist_ok=True)
    (root / "d" / ".gitignore").write_text(nested_lines)

    assert ours(root) == gits(root)


def test_what_lies_below_an_ignored_folder_is_hidden(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("dist/\n")
    (tmp_path / "dist" / "sub").mkdir(parents=True)
    (tmp_path / "dist" / "sub" / ".gitignore").write_text("!*\n")
    ignores = GitIgnores(tmp_path)

    assert ignores.hides("dist")
    assert ignores.hides("dist/sub/app.js")
    assert not ignores.hides("src/app.js")


def test_an_ignore_file_that_is_a_link_means_nothing_as_git_says(tmp_path: Path) -> None:
    root = GitRepo.create(tmp_path / "repo").path
    (tmp_path / "rules").write_text("*.log\n")
    (root / ".gitignore").symlink_to(tmp_path / "rules")
    (root / "a.log").write_text("x")

    assert ours(root) == gits(root)
    assert "a.log" in ours(root)
