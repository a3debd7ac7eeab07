from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from artifactize.domain.declarations import FingerprintRule
from artifactize.tree import artifactsum as module
from artifactize.tree import own_files
from artifactize.tree.artifactsum import ReadingDigests, artifactsum
from artifactize.tree.discovery import check_project
from artifactize.tree.ignores import GitIgnores
from artifactize.tree.own_files import FingerprintError, Walker
from artifactize.tree.tracked import TrackedFiles
from support.artifacts import ArtifactProject
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


def summed(project: ArtifactProject, name: str = "guide") -> tuple[str, dict[str, str]]:
    found, problems = check_project(project.root)
    assert problems == ()
    declared = found.artifacts[name].declaration
    owned = frozenset(
        each.declaration.folder for each in found.artifacts.values() if each.declaration.target is None
    )
    rule = declared.fingerprint or FingerprintRule()
    walker = Walker(project.root, GitIgnores(project.root), TrackedFiles(project.root), owned)
    files = walker.files(declared, rule)
    return artifactsum(name, files, ReadingDigests())


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    return ArtifactProject.create(tmp_path)


def test_only_an_artifacts_own_files_count(project: ArtifactProject) -> None:
    project.declare("guide").declare("guide/inner").declare("guide/deep/er", name="er")
    for path in ("a.txt", "sub/b.txt", "deep/c.txt", "file.png", "folder.artf/inside.txt"):
        project.write(f"guide/{path}", path)
    project.write("guide/file.png.artf", 'name = "png"')
    for path in (
        *(
            "inner/x",
            "deep/er/x",
            "__pycache__/x.txt",
            "m.pyc",
            "target/x",
            "node_modules/x/y",
            ".git/config",
        ),
        *("ignored.log", "sub/ignored.tmp"),
    ):
        project.write(f"guide/{path}", "no")
    project.write(".gitignore", "*.log\n").write("guide/sub/.gitignore", "*.tmp\n")

    _, manifest = summed(project)

    assert sorted(manifest) == [
        "a.txt",
        "deep/c.txt",
        "file.png",
        "folder.artf/inside.txt",
        "sub/.gitignore",
        "sub/b.txt",
    ]
    assert list(summed(project, "png")[1]) == ["file.png"]


def test_named_files_and_ignore_patterns_choose_among_them(project: ArtifactProject) -> None:
    project.declare("guide", fingerprint={"files": ["src", "dist/app.js"], "ignore": ["*.md", "tmp/"]})
    for path in ("src/a.py", "src/tmp/x", "src/notes.md", "dist/app.js", "dist/other.js", "b.py"):
        project.write(f"guide/{path}", path)
    project.write(".gitignore", "dist/\n")

    _, manifest = summed(project)

    assert sorted(manifest) == ["dist/app.js", "src/a.py"]


def test_a_tracked_file_counts_whatever_the_ignore_files_say(project: ArtifactProject) -> None:
    project.declare("guide").write(".gitignore", "*.log\nbuild/\n")
    for path in ("kept.log", "other.log", "build/kept.js", "build/deep/kept.js", "build/other.js"):
        project.write(f"guide/{path}", path)
    assert sorted(summed(project)[1]) == []

    GitRepo(project.root).git(
        "add", "--force", "guide/kept.log", "guide/build/kept.js", "guide/build/deep/kept.js"
    )
    tracked = summed(project)[1]
    GitRepo(project.root).git("rm", "--cached", "-q", "guide/kept.log")

    assert sorted(tracked) == ["build/deep/kept.js", "build/kept.js", "kept.log"]
    assert sorted(summed(project)[1]) == ["build/deep/kept.js", "build/kept.js"]


def test_a_tracked_file_counts_in_a_folder_of_derived_files_too(project: ArtifactProject) -> None:
    """Somebody committed it, so an eval may read it: leaving it out would keep a verdict that no longer holds."""
    project.declare("guide")
    for path in ("target/kept.txt", "target/other.txt", "node_modules/m/kept.js", "kept.pyc", "other.pyc"):
        project.write(f"guide/{path}", path)
    assert sorted(summed(project)[1]) == []

    kept = ("target/kept.txt", "node_modules/m/kept.js", "kept.pyc")
    GitRepo(project.root).git("add", "--force", *(f"guide/{path}" for path in kept))

    before, manifest = summed(project)
    project.write("guide/target/kept.txt", "edited")
    assert sorted(manifest) == sorted(kept)
    assert summed(project)[0] != before


def test_outside_of_git_the_ignore_files_still_count(project: ArtifactProject) -> None:
    (project.root / ".git").rename(project.root / "not-git")
    project.declare("guide").write(".gitignore", "*.log\n").write("guide/a.log", "x").write("guide/b", "x")

    assert sorted(summed(project)[1]) == ["b"]


def test_when_git_cannot_say_what_it_tracks_nothing_is_summed(project: ArtifactProject) -> None:
    project.declare("guide").write(".gitignore", "*.log\n").write("guide/a.log", "x")
    project.write(".git/index", "damaged")

    with pytest.raises(FingerprintError, match="cannot ask git which files it tracks"):
        summed(project)


def test_a_named_file_that_is_missing_is_an_error(project: ArtifactProject) -> None:
    project.declare("guide", fingerprint={"files": ["gone.txt"]})

    with pytest.raises(
        FingerprintError, match=r"guide: guide/gone\.txt is missing; correct fingerprint\.files"
    ):
        summed(project)


@pytest.mark.parametrize("kind", ["link", "folder link", "pipe", "link on the way"])
def test_links_and_special_files_fail_unless_ignored(project: ArtifactProject, kind: str) -> None:
    project.declare("guide").write("elsewhere/x", "x")
    place = project.root / "guide/odd"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(project.root / ("elsewhere" if "folder" in kind or "way" in kind else "elsewhere/x"))
    if kind == "link on the way":
        project.declare("guide", fingerprint={"files": ["odd/x"]})

    with pytest.raises(FingerprintError, match="guide: guide/odd"):
        summed(project)

    if kind != "link on the way":
        project.declare("guide", fingerprint={"ignore": ["odd"]})
        assert summed(project)[1] == {}


def test_too_many_entries_and_too_many_bytes_are_errors(
    project: ArtifactProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.declare("guide").write("guide/a", "12345").write("guide/b", "12345")

    monkeypatch.setattr(module, "MAX_BYTES", 9)
    with pytest.raises(FingerprintError, match="more than 1 GiB"):
        summed(project)
    monkeypatch.setattr(own_files, "MAX_ENTRIES", 1)
    with pytest.raises(FingerprintError, match="more than 1 entries"):
        summed(project)


def test_a_name_that_is_no_utf_8_is_summed_and_shown(project: ArtifactProject) -> None:
    project.declare("guide")
    (project.root / os.fsdecode(b"guide/\xff.txt")).write_text("x")

    assert list(summed(project)[1]) == ["\\xff.txt"]


paths = st.sampled_from(["a", "b", "sub/a", "sub/b", "sub/deep/a", "ab", "su/ba"])
trees = st.dictionaries(
    paths, st.tuples(st.sampled_from([b"", b"x", b"xy", b"a\0b"]), st.booleans()), max_size=5
)


def made(project: ArtifactProject, tree: dict[str, Any]) -> str:
    for path, (content, executable) in tree.items():
        project.write(f"guide/{path}", content)
        (project.root / "guide" / path).chmod(0o755 if executable else 0o644)
    return summed(project)[0]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees, trees)
def test_two_trees_have_one_sum_only_when_paths_bytes_and_executable_bits_agree(
    tmp_path_factory: pytest.TempPathFactory, one: dict[str, Any], other: dict[str, Any]
) -> None:
    sums = []
    for tree in (one, other):
        project = ArtifactProject.create(tmp_path_factory.mktemp("tree")).declare("guide")
        sums.append(made(project, tree))

    assert (sums[0] == sums[1]) == (one == other)
