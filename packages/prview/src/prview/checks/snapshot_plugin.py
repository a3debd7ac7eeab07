"""A pytest plugin that runs inside the reviewed project's interpreter. Nothing of prview is imported here.

A project's virtual environment usually points at the checkout (an editable install), so tests of an exported
commit would import the checkout's code. Before anything is imported, this plugin turns every such entry to
the snapshot, and at the end it names the modules that came from the checkout all the same. It also writes
down which tests there are, which of them pytest meant to run, and how each ended, with pytest's own ids,
which a JUnit report does not have: an exit code says nothing about tests that never ran.

Its orders are environment variables: PRVIEW_SNAPSHOT (the exported tree), PRVIEW_CHECKOUTS (work trees,
joined with the path separator), PRVIEW_EVENTS (where to append JSON lines), PRVIEW_SELECT (optional: which
files and ids to run).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

SNAPSHOT = Path(os.environ["PRVIEW_SNAPSHOT"])
CHECKOUTS = [Path(entry) for entry in os.environ["PRVIEW_CHECKOUTS"].split(os.pathsep) if entry]
EVENTS = os.environ["PRVIEW_EVENTS"]
SELECT = os.environ.get("PRVIEW_SELECT")
MESSAGE_CHARS = 500


def _write(**event: object) -> None:
    line = json.dumps(event).encode() + b"\n"
    descriptor = os.open(EVENTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)  # workers share the file
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _checkout_part(name: str) -> Path | None:
    """The path relative to the checkout it is in; None for other places and for installed packages."""
    path = Path(name)
    for checkout in CHECKOUTS:
        if path == checkout or checkout in path.parents:
            inside = path.relative_to(checkout)
            folders = [checkout / folder for folder in inside.parents]
            installed = "site-packages" in inside.parts or any((at / "pyvenv.cfg").exists() for at in folders)
            return None if installed else inside
    return None


def _turned(name: str) -> str | None:
    """The entry to use instead of `name`; None when the snapshot has nothing there."""
    inside = _checkout_part(name)
    if inside is None:
        return name
    moved = SNAPSHOT / inside
    return str(moved) if moved.exists() else None


def _turn_paths() -> None:
    turned = [(entry, _turned(entry)) for entry in sys.path]
    ours = [new for old, new in turned if new is not None and new != old]
    sys.path[:] = [new for _, new in turned if new is not None]
    if ours:  # for interpreters that the tests start
        os.environ["PYTHONPATH"] = os.pathsep.join([*ours, os.environ.get("PYTHONPATH", "")]).rstrip(
            os.pathsep
        )


def _turn_finders() -> None:
    """Editable finders of setuptools keep a mapping of names to folders in their module."""
    for finder in sys.meta_path:
        module = sys.modules.get(getattr(finder, "__module__", None) or type(finder).__module__)
        mapping = getattr(module, "MAPPING", None)
        if isinstance(mapping, dict):
            for package, folder in list(mapping.items()):
                turned = _turned(str(folder))
                if turned is None:
                    del mapping[package]
                else:
                    mapping[package] = turned


_turn_paths()
_turn_finders()


class _Selection:
    """Which files and tests to run; everything without PRVIEW_SELECT."""

    def __init__(self) -> None:
        chosen = json.loads(Path(SELECT).read_text(encoding="utf-8")) if SELECT else {}
        self.files = set(chosen["files"]) if SELECT else None
        self.ids = set(chosen["ids"]) if SELECT and chosen.get("ids") is not None else None

    def leaves_out(self, path: Path, root: Path) -> bool:
        if self.files is None or path.is_dir() or path.name in {"__init__.py", "conftest.py"}:
            return False
        try:
            return path.relative_to(root).as_posix() not in self.files
        except ValueError:
            return True


_SELECTION = _Selection()


def pytest_ignore_collect(collection_path: Path, config: Any) -> bool | None:  # noqa: ANN401 - pytest\'s own objects
    """Leave out files that were not selected."""
    return True if _SELECTION.leaves_out(collection_path, Path(config.rootpath)) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:  # noqa: ANN401 - pytest\'s own objects
    """Keep the selected tests."""
    ids = _SELECTION.ids
    if ids is None:
        return
    gone = [item for item in items if item.nodeid not in ids]
    items[:] = [item for item in items if item.nodeid in ids]
    if gone:
        config.hook.pytest_deselected(items=gone)


_FOUND: dict[str, None] = {}


def pytest_itemcollected(item: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
    """Remember every test, before anything deselects it."""
    _FOUND[item.nodeid] = None


def pytest_collection_finish(session: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
    """Write down which files have tests, which tests are to run, and which were left out."""
    for file in sorted({item.nodeid.split("::", 1)[0] for item in session.items}):
        _write(event="collected", file=file)
    planned = dict.fromkeys(item.nodeid for item in session.items)
    _write(event="planned", ids=list(planned), left_out=[name for name in _FOUND if name not in planned])


def pytest_collectreport(report: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
    """Write down what could not be collected."""
    if report.failed:
        _write(event="failed", id=report.nodeid, when="collect", line=1, message=_message(report))


class _Recorder:
    """Hears of every test; registered in the one process that hears of all (not in xdist's workers)."""

    _reason = ""

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
        if report.failed:
            _write(
                event="failed",
                id=report.nodeid,
                when=report.when,
                line=_failing_line(report),
                message=_message(report),
            )
        if (outcome := _outcome(report)) is not None:
            line = (report.location[1] or 0) + 1
            _write(event="ended", id=report.nodeid, outcome=outcome, line=line, message=_skip_reason(report))

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
        """Also called for `pytest.exit`."""
        self._reason = f"{excinfo.typename}: {excinfo.value}"

    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:  # noqa: ANN401 - pytest\'s own objects
        reason = self._reason or session.shouldfail or session.shouldstop or ""
        if session.config.option.collectonly:
            reason = "--collect-only"
        _write(event="finished", exit=int(exitstatus), reason=str(reason)[:MESSAGE_CHARS])


def pytest_configure(config: Any) -> None:  # noqa: ANN401 - pytest\'s own objects
    """Register the recorder."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(), "prview-recorder")


def pytest_sessionfinish() -> None:
    """Name modules that were imported from a checkout although the snapshot was meant."""
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and _checkout_part(file) is not None:
            _write(event="foreign", module=name, file=file)


def _outcome(report: Any) -> str | None:  # noqa: ANN401 - pytest\'s own objects
    """How a test ended, in pytest's words; None while it goes on."""
    expected = hasattr(report, "wasxfail")
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.skipped:
        return "xfailed" if expected else "skipped"
    if report.when == "call" and report.passed:
        return "xpassed" if expected else "passed"
    return None


def _skip_reason(report: Any) -> str:  # noqa: ANN401 - pytest\'s own objects
    if hasattr(report, "wasxfail"):
        return str(report.wasxfail)[:MESSAGE_CHARS]
    skipped = report.longrepr if report.skipped else None
    return str(skipped[2] if isinstance(skipped, tuple) else "")[:MESSAGE_CHARS]


def _failing_line(report: Any) -> int:  # noqa: ANN401 - pytest\'s own objects
    """The innermost line of the test file that the failure went through; where the test begins without one.

    Also from a worker of xdist, whose reports come without the exception.
    """
    file = Path(report.nodeid.partition("::")[0])
    entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", ())
    places = [getattr(entry, "reprfileloc", None) for entry in entries]
    for place in (getattr(report.longrepr, "reprcrash", None), *reversed(places)):
        if place is not None and place.lineno and _is_same(Path(place.path), file):
            return int(place.lineno)
    return (report.location[1] or 0) + 1


def _is_same(shown: Path, file: Path) -> bool:
    """Whether a traceback's path, absolute or relative to some folder, is the file of a test's id."""
    shorter = min(len(shown.parts), len(file.parts))
    return shown.parts[-shorter:] == file.parts[-shorter:]


def _message(report: Any) -> str:  # noqa: ANN401 - pytest\'s own objects
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    text = getattr(crash, "message", None) or str(report.longrepr or "")
    lines = [line for line in text.splitlines() if line.strip()]
    return (lines[-1] if report.when == "collect" and lines else next(iter(lines), ""))[:MESSAGE_CHARS]
