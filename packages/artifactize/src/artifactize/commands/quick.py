"""The commands that may be answered before the command line is even parsed.

`verify --all` and `status` of a project in which nothing changed are asked all day long. Only words that are
listed here are understood; with any other, or when nothing is remembered, click gets them as if nothing had
been tried.
"""

from __future__ import annotations

import os
import sys

from artifactize.service.recalling import recall
from artifactize.tree.git_index import find_git

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from collections.abc import Sequence

OFF = "ARTIFACTIZE_NO_MEMO"
"""Set to anything, every question is answered in full: for comparing the two, and for tests."""

_FLAGS = frozenset({"--all", "--json", "--watch", "verify", "status"})
_FOLDERS = frozenset({"--repo", "--state-dir"})


class Words:
    """A command line made of known words."""

    def __init__(self, flags: frozenset[str], repo: str | None, state_dir: str | None) -> None:
        self.flags = flags
        self.repo = repo
        self.state_dir = state_dir

    @property
    def verify(self) -> bool:
        """Whether it is `verify`, else `status`."""
        return "verify" in self.flags

    @property
    def form(self) -> str | None:
        """How the answer is worded, None when it is not one that is remembered."""
        if "--watch" in self.flags:
            return "events" if self.verify else None
        if "--json" in self.flags:
            return "json"
        if not self.verify:
            return "text"
        return "text" if _is_live() else "lines"


def read_words(words: Sequence[str]) -> Words | None:
    """Return a command line of the known words, each at most once; None for every other."""
    flags: list[str] = []
    folders: dict[str, str] = {}
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        if word in _FLAGS:
            flags.append(word)
        elif word in _FOLDERS and word not in folders and waiting and not waiting[-1].startswith("-"):
            folders[word] = waiting.pop()
        else:
            return None
    found = frozenset(flags)
    if len(found) != len(flags) or len(found & {"verify", "status"}) != 1:
        return None
    at = min(flags.index(word) for word in ("verify", "status") if word in found)
    if at or ("verify" in found and "--all" not in found):
        return None  # flags belong behind their command, and verify needs a selection
    return Words(found, folders.get("--repo"), folders.get("--state-dir"))


def answer_quickly(words: Sequence[str]) -> None:
    """Answer and leave the process, or return having done nothing at all."""
    known = read_words(words)
    if known is None or OFF in os.environ or (form := known.form) is None:
        return
    places = _places(known.repo, known.state_dir)
    if places is None:
        return
    found = recall(*places, os.environ, verify=known.verify, form=form)
    as_json = form in {"json", "events"}
    if found is not None:
        _print(found.text, as_json=as_json)
        raise SystemExit(found.exit_code)
    if known.verify:
        _ask(places, form, as_json=as_json)


def _ask(places: tuple[str, str], form: str, *, as_json: bool) -> None:
    from artifactize.commands.asking import ask_worker  # deferred: as a rule nothing has changed

    exit_code = ask_worker(places, os.environ, form, lambda text: _print(text, as_json=as_json))
    if exit_code is not None:
        raise SystemExit(exit_code)


def prepare_worker(repo: str | os.PathLike[str] | None, state_dir: str | os.PathLike[str] | None) -> None:
    """Have a worker loaded while the question is answered in full: something will be executed, as a rule."""
    from artifactize.service.early_worker import prepare  # deferred: what is remembered needs no worker

    folders = (None if each is None else os.fspath(each) for each in (repo, state_dir))
    places = _places(*folders)
    if places is not None:
        prepare(*places)


def _places(repo: str | None, state_dir: str | None) -> tuple[str, str] | None:
    """Return project and state as `wiring.open_workspace` finds them; None where it may complain."""
    try:
        root = repo or _root_around(os.getcwd())  # noqa: PTH109 - pathlib is not loaded
        state = state_dir or _state_of_environment()
        if root is None or state is None:
            return None
        root, state = os.path.realpath(root), os.path.realpath(state)
        return None if _is_inside(state, root) else (root, state)
    except OSError:
        return None


def _root_around(folder: str) -> str | None:
    git = find_git(folder)
    return None if git is None else os.path.dirname(git)  # noqa: PTH120 - as above


def _state_of_environment() -> str | None:
    """Return what `oskit.locations.state_dir` returns, which takes as long to load as all this to run."""
    if named := os.environ.get("ARTIFACTIZE_STATE_HOME"):
        return named if named.startswith("/") else None
    if sys.platform != "linux":
        return None
    base = os.environ.get("XDG_STATE_HOME", "").strip() or os.path.expanduser("~/.local/state")  # noqa: PTH111 - as above
    return f"{base}/artifactize"


def _is_inside(place: str, root: str) -> bool:
    project = os.stat(root)  # noqa: PTH116 - as above
    while not _is_same(place, project):
        above = os.path.dirname(place)  # noqa: PTH120 - as above
        if above == place:
            return False
        place = above
    return True


def _is_same(place: str, project: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(place), project)  # noqa: PTH116 - as above
    except FileNotFoundError:
        return False  # the first `verify` makes it


def _is_live() -> bool:
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        return False
    from oskit.terminal import Terminal  # deferred: nothing redraws on a pipe

    return Terminal.detect(sys.stdout).live and Terminal.detect(sys.stderr).live


def _print(text: str, *, as_json: bool) -> None:
    """Print; a reader that has gone is no failure, a disk that is full is one."""
    encoding = "utf-8" if as_json else sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as failure:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"error: cannot write the result to stdout: {failure.strerror or failure}\n")
        raise SystemExit(2) from failure
