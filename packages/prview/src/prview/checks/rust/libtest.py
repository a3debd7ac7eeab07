"""The words of Rust's test harness. Only nightly toolchains write JSON about tests; text is counted instead.

A target says `running N tests`, one line for each, and sums them up. What does not add up is an error: a
test that prints in the middle of such a line must not make its result disappear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNNING = re.compile(r"^running (\d+) tests?$")
_TEST = re.compile(
    r"^test (?P<name>.+?)(?: - should panic)? \.\.\. (?P<end>ok|FAILED|ignored)(?:, (?P<why>.*))?$"
)
_DOC = re.compile(r"^(?P<path>\S.*?\.\w+) - (?P<what>.*?)\s*\(line (?P<line>\d+)\)(?P<rest>.*)$")
_SUM = re.compile(
    r"^test result: (?:ok|FAILED)\. (?P<ok>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ignored; "
)
_DETAILS = re.compile(r"^---- (?P<name>.+) stdout ----$")
_PANIC = re.compile(r"^thread '.*' (?:\(\d+\) )?panicked at (?P<path>.+?):(?P<line>\d+):\d+:$")
_OLD_PANIC = re.compile(r"^thread '.*' panicked at '(?P<text>.*)', (?P<path>.+?):(?P<line>\d+):\d+$")
_MESSAGE_LINES = 3


class NotCountedError(ValueError):
    """The text does not add up; the message says where."""


@dataclass(frozen=True)
class Test:
    """One test of a target as the harness names it; `why` it was ignored or failed, and where it panicked."""

    name: str
    end: str
    why: str = ""
    panic: tuple[str, int] | None = None

    @property
    def doc(self) -> tuple[str, str, int] | None:
        """File, name and line of an example in a documentation."""
        found = _DOC.match(self.name)
        return (
            (found["path"], f"doc {found['what']}{found['rest']}".strip(), int(found["line"]))
            if found
            else None
        )


def read_targets(text: str) -> list[list[Test]]:
    """The tests of every target, in order. Raises NotCountedError."""
    targets: list[list[Test]] = []
    lines = iter(text.splitlines())
    for line in lines:
        found = _RUNNING.match(line)
        if found:
            targets.append(_target(int(found[1]), lines))
    return targets


def _target(count: int, lines: Iterator[str]) -> list[Test]:
    tests: dict[str, Test] = {}
    details: dict[str, list[str]] = {}
    about: list[str] | None = None
    for line in lines:
        if total := _SUM.match(line):
            _count(count, tests, total)
            return [_explained(test, details.get(test.name, [])) for test in tests.values()]
        if found := _DETAILS.match(line):
            about = details.setdefault(found["name"], [])
        elif about is not None:
            about.append(line)
        elif found := _TEST.match(line):
            tests[found["name"]] = Test(found["name"], found["end"], found["why"] or "")
    raise NotCountedError(f"a target with {count} tests did not come to an end")


def _count(count: int, tests: dict[str, Test], total: re.Match[str]) -> None:
    ends = [test.end for test in tests.values()]
    seen = ends.count("ok"), ends.count("FAILED"), ends.count("ignored")
    said = int(total["ok"]), int(total["failed"]), int(total["ignored"])
    if seen != said or sum(seen) != count:
        raise NotCountedError(f"of {count} tests {sum(seen)} can be told apart in what was printed")


def _explained(test: Test, said: list[str]) -> Test:
    """A failed test with its panic."""
    if test.end != "FAILED":
        return test
    for number, line in enumerate(said):
        if old := _OLD_PANIC.match(line):
            return Test(test.name, test.end, old["text"], (old["path"], int(old["line"])))
        if found := _PANIC.match(line):
            rest = []
            for words in said[number + 1 : number + 1 + _MESSAGE_LINES]:
                if words.startswith(("stack backtrace", "note: ")) or not words.strip():
                    break
                rest.append(words.strip())
            return Test(test.name, test.end, " ".join(rest)[:300], (found["path"], int(found["line"])))
    others = [line.strip() for line in said if line.strip() and not line.startswith("failures:")]
    return Test(test.name, test.end, " ".join(others)[:300])
