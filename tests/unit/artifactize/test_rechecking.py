"""What was seen is rechecked by `stat`: it may say "look again" too often, and "still so" never too early."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from artifactize.errors import ConfigInvalidError, NotARepositoryError
from artifactize.execution.fingerprints import Fingerprinter
from artifactize.service import relooking
from artifactize.service.looking import look, read_graph
from artifactize.service.recalling import holds
from artifactize.service.relooking import look_at_all
from artifactize.service.tracing import traced_section
from artifactize.tree import digests, stamps, traces
from artifactize.tree import known as known_module
from artifactize.tree.artifactsum import ReadingDigests
from artifactize.tree.known import Known
from artifactize.tree.rechecking import Changed
from artifactize.tree.traces import Trace
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from artifactize.domain.graph import Graph

FILES = [
    "guide/a.txt",
    "guide/sub/b.txt",
    "guide/ignored.log",
    "glossary/terms",
    "outside.txt",
    "guide/new/n",
]
NAMED = st.sampled_from(FILES)
BYTES = st.sampled_from([b"one", b"two", b"six", b"longer"])
IGNORED = st.sampled_from(["", "*.log\n", "*.txt\n", "sub/\n", "new\n", "!ignored.log\n"])


class FakeClock:
    """The clock as our code sees it: ahead of the file system's by as much as was waited for."""

    def __init__(self) -> None:
        self.ahead = 0
        self.set_by = 0

    def time_ns(self) -> int:
        return time.time_ns() + self.ahead + self.set_by

    def clock_gettime_ns(self, clock: int) -> int:
        return time.clock_gettime_ns(clock) + self.ahead

    CLOCK_BOOTTIME = time.CLOCK_MONOTONIC
    CLOCK_MONOTONIC = time.CLOCK_MONOTONIC


def tick(folder: Path) -> None:
    """Return when the file system's clock has moved on."""
    place = folder / "tick"
    place.write_bytes(b"")
    first = place.stat().st_ctime_ns
    while place.stat().st_ctime_ns == first:
        place.write_bytes(b"")


def true_keys(project: ArtifactProject) -> dict[str, str | None] | None:
    """The keys as a look without any memory finds them; None where the declarations or inputs are refused."""
    try:
        with knowing(project.root, Known()):
            graph = anyio.run(read_graph, project.root)
    except (ConfigInvalidError, NotARepositoryError):
        return None
    found = anyio.run(Fingerprinter(project.root, graph, {}, ReadingDigests()).take, graph.project.artifacts)
    return None if found.failures else _keys(graph, found.values)


def _keys(graph: Graph, values: Any) -> dict[str, str | None]:
    from artifactize.domain.keys import reuse_key

    return {eval_id: reuse_key(graph.project, eval_id, values) for eval_id in graph.project.evals}


@contextmanager
def knowing(root: Path, known: Known) -> Iterator[None]:
    """Be a process that knows this."""
    known_module._known[root] = known
    try:
        yield
    finally:
        del known_module._known[root]


def remembered(project: ArtifactProject, known: Known) -> tuple[dict[str, Any], Any] | None:
    """What a look remembers, with the keys that it found; `known` is believed as far as stat allows."""
    trace = Trace()

    async def take() -> Any:
        graph = await read_graph(project.root, trace)
        return await look(project.root, graph, graph.project.artifacts, {}, trace=trace)

    try:
        with knowing(project.root, known):
            found = anyio.run(take)
    except (ConfigInvalidError, NotARepositoryError):
        return None
    if found.fingerprints.failures or trace.is_torn:
        return None
    return traced_section(trace, stamps.epoch()), dict(found.keys)


def looked_again(
    project: ArtifactProject, known: Known, last: relooking.Whole | None
) -> tuple[dict[str, str | None] | None, relooking.Whole | None]:
    """The keys that a process finds which has looked before, and what it keeps of this look."""
    relooking._last.pop(project.root, None)
    if last is not None:
        relooking._last[project.root] = last
    try:
        with knowing(project.root, known):
            whole = anyio.run(look_at_all, project.root, {})
    except (ConfigInvalidError, NotARepositoryError):
        return None, last
    keys = None if whole.seen.fingerprints.failures else dict(whole.seen.keys)
    return keys, relooking._last.pop(project.root, None)


class ChangingProject(RuleBasedStateMachine):
    """Edits, rewrites that restore size and times, touches, renames, replacements, links, ignore files, clocks."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="artifactize-test-"))
        self.patch = pytest.MonkeyPatch()
        self.clock = FakeClock()
        for module in (stamps, digests, traces):
            self.patch.setattr(module, "time", self.clock)
        self.project = ArtifactProject.create(self.folder)
        self.memories: list[tuple[dict[str, Any], Any]] = []
        self.known = [Known(), Known()]
        self.last: list[relooking.Whole | None] = [None, None]

    def teardown(self) -> None:
        self.patch.undo()
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        self.project.declare("glossary", evals={"sorted": runtime("true")}).write("glossary/terms", b"one")
        self.project.declare("guide", mounts={"terms": "glossary"}, evals={"uses": runtime("true")})
        self.project.write("guide/a.txt", b"one").write("guide/sub/b.txt", b"two")
        self.wait_and_look(0)

    def place(self, name: str) -> Path:
        return self.project.root / name

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            return

    @rule(name=NAMED, data=BYTES)
    def edit(self, name: str, data: bytes) -> None:
        self._try(lambda: self.project.write(name, data))

    @rule(name=NAMED, data=BYTES)
    def rewrite_in_place_and_restore_times(self, name: str, data: bytes) -> None:
        def act() -> None:
            before = self.place(name).stat()
            self.place(name).write_bytes(data[: before.st_size].ljust(before.st_size, b"x"))
            os.utime(self.place(name), ns=(before.st_atime_ns, before.st_mtime_ns))

        self._try(act)

    @rule(name=NAMED, other=NAMED)
    def rename_over(self, name: str, other: str) -> None:
        self._try(lambda: self.place(name).rename(self.place(other)))

    @rule(name=NAMED, data=BYTES)
    def replace_keeping_times(self, name: str, data: bytes) -> None:
        def act() -> None:
            before = self.place(name).stat()
            beside = self.place(name).with_name("beside.tmp")
            beside.write_bytes(data)
            os.utime(beside, ns=(before.st_atime_ns, before.st_mtime_ns))
            beside.replace(self.place(name))

        self._try(act)

    @rule(name=NAMED, when=st.sampled_from([0, 10**18, 4 * 10**18]))
    def touch(self, name: str, when: int) -> None:
        self._try(lambda: os.utime(self.place(name), ns=(when, when)))

    @rule(name=NAMED)
    def toggle_executable(self, name: str) -> None:
        self._try(lambda: self.place(name).chmod(self.place(name).stat().st_mode ^ 0o100))

    @rule(name=NAMED)
    def remove(self, name: str) -> None:
        self._try(lambda: self.place(name).unlink())

    @rule(name=NAMED, other=NAMED)
    def replace_by_a_link(self, name: str, other: str) -> None:
        def act() -> None:
            self.place(name).unlink()
            self.place(name).symlink_to(self.place(other))

        self._try(act)

    @rule(folder=st.sampled_from(["", "guide/"]), text=IGNORED)
    def edit_ignore_file(self, folder: str, text: str) -> None:
        self.project.write(f"{folder}.gitignore", text)

    @rule(command=st.sampled_from(["true", "false"]), mounted=st.booleans())
    def edit_declaration(self, command: str, mounted: bool) -> None:
        mounts = {"terms": "glossary"} if mounted else {}
        self.project.declare("guide", mounts=mounts, evals={"uses": runtime(command)})

    @rule(present=st.booleans())
    def declare_a_folder_inside(self, present: bool) -> None:
        if present:
            self.project.declare("guide/sub", name="sub", evals={"own": runtime("true")})
        else:
            self._try(lambda: self.place("guide/sub/index.artf").unlink())

    @rule()
    def move_the_project_away_and_copy_it_back(self) -> None:
        away = self.folder / "away"
        self.project.root.rename(away)
        shutil.copytree(away, self.project.root, symlinks=True)
        shutil.rmtree(away)

    @rule(by=st.sampled_from([-(10**10), -(10**9), 10**8, 10**10]))
    def set_the_clock(self, by: int) -> None:
        """The file system's clock cannot be set along: forward, it has to move on at least."""
        tick(self.folder)
        self.clock.set_by += by

    @rule(process=st.sampled_from([0, 1]))
    def wait_and_look(self, process: int) -> None:
        """Each of two processes has its own memory of digests, and both leave what they saw."""
        tick(self.folder)
        self.clock.ahead += stamps.SETTLED_NS + 10**9
        self.look(process)

    @rule(process=st.sampled_from([0, 1]))
    def look(self, process: int) -> None:
        truth = true_keys(self.project)
        again, self.last[process] = looked_again(self.project, self.known[process], self.last[process])
        assert again == truth
        found = remembered(self.project, self.known[process])
        if found is None:
            return
        assert found[1] == truth
        self.memories = [*self.memories[-2:], found]

    @invariant()
    def a_memory_that_holds_is_what_a_look_finds(self) -> None:
        truth: Any = ...
        kept: list[tuple[dict[str, Any], Any]] = []
        for section, keys in self.memories:
            contents = section["contents"]
            better: list[dict[str, Any]] = []
            try:
                still = holds(str(self.project.root), section, lambda c=contents: c, better.append)
            except (Changed, OSError, KeyError):
                still = False
            if still:
                truth = true_keys(self.project) if truth is ... else truth
                assert keys == truth
            kept += [({**section, **better[0]} if better else section, keys)]
        self.memories = kept
        if truth is ...:  # none holds: the next step shall have one to break
            self.wait_and_look(0)


ChangingProject.TestCase.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
TestChangingProject = ChangingProject.TestCase


def test_an_unchanged_project_is_believed_without_reading_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine above would pass if nothing were ever believed."""
    clock = FakeClock()
    for module in (stamps, digests, traces):
        monkeypatch.setattr(module, "time", clock)
    project = ArtifactProject.create(tmp_path).declare("guide", evals={"a": runtime("true")})
    project.write("guide/a.txt", "one")
    tick(tmp_path)
    clock.ahead += 10**10
    found = remembered(project, Known())
    assert found is not None

    def unexpected() -> Any:
        raise AssertionError("a file is read again")

    assert holds(str(project.root), found[0], unexpected, unexpected)
    before = (project.root / "guide/a.txt").stat()
    project.write("guide/a.txt", "two")
    os.utime(project.root / "guide/a.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not holds(str(project.root), found[0], lambda: found[0]["contents"], unexpected)


def test_a_process_that_has_looked_looks_only_at_the_artifact_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    for module in (stamps, digests, traces):
        monkeypatch.setattr(module, "time", clock)
    project = ArtifactProject.create(tmp_path).write("b/text", "one").write("a/text", "one")
    project.declare("a", evals={"of": runtime("true")})
    project.declare("b", mounts={"a": "a"}, evals={"of": runtime("true")})
    tick(tmp_path)
    clock.ahead += 10**10
    known = Known()
    first, last = looked_again(project, known, None)
    project.write("a/text", "two")
    looked: list[list[str]] = []

    async def noted(root: Path, graph: Graph, names: Any, environment: Any, **options: Any) -> Any:
        looked.append(list(names))
        return await look(root, graph, names, environment, **options)

    monkeypatch.setattr(relooking, "look", noted)
    second, last = looked_again(project, known, last)
    assert looked == [["a"]]
    assert first is not None
    assert second is not None
    assert [second[each] == first[each] for each in ("a/of", "b/of")] == [False, False]
    third, _ = looked_again(project, known, last)
    assert third == second
    assert looked == [["a"]]  # the stamp of what was read vouches for it from now on


def test_a_touched_file_is_read_once_and_believed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    for module in (stamps, digests, traces):
        monkeypatch.setattr(module, "time", clock)
    project = ArtifactProject.create(tmp_path).declare("guide", evals={"a": runtime("true")})
    project.write("guide/a.txt", "one")
    found = remembered(project, Known())
    assert found is not None
    (project.root / "guide/a.txt").touch()
    tick(tmp_path)
    clock.ahead += 10**10
    better: list[dict[str, Any]] = []
    assert holds(str(project.root), found[0], lambda: found[0]["contents"], better.append)

    def unexpected() -> Any:
        raise AssertionError("a file is read again")

    assert holds(str(project.root), better[0], unexpected, unexpected)
