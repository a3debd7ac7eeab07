"""What the snapshot plugin wrote down during one pytest run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from prview.checks.base import ToolOutputError
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Failed(_Event):
    """A test that failed, or a file that could not be collected (`when` is collect)."""

    event: Literal["failed"]
    id: str
    when: str
    line: int
    message: str


class Ended(_Event):
    """How a test ended; `message` is why it was skipped or expected to fail."""

    event: Literal["ended"]
    id: str
    outcome: Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]
    line: int = 1
    message: str = ""


class _Planned(_Event):
    event: Literal["planned"]
    ids: tuple[str, ...]
    left_out: tuple[str, ...]


class _Collected(_Event):
    event: Literal["collected"]
    file: str


class _Foreign(_Event):
    event: Literal["foreign"]
    module: str
    file: str


class _Finished(_Event):
    event: Literal["finished"]
    exit: int
    reason: str = ""


_Line = Failed | Ended | _Planned | _Collected | _Foreign | _Finished
_EVENT: TypeAdapter[_Line] = TypeAdapter(Annotated[_Line, Field(discriminator="event")])


@dataclass(frozen=True)
class Session:
    """One run of pytest. `exit` is None when it did not end; `foreign` are modules of the checkout.

    `planned` are the tests that were to run (None: the collection did not end), `left_out` those that were
    found and deselected, `ended` how tests ended, and `reason` why the session did, if it said so.
    """

    failed: Mapping[str, Failed] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    foreign: tuple[str, ...] = ()
    exit: int | None = None
    planned: frozenset[str] | None = None
    left_out: frozenset[str] = frozenset()
    ended: Mapping[str, Ended] = field(default_factory=dict)
    reason: str = ""

    @property
    def passed(self) -> frozenset[str]:
        """The tests that ran and passed."""
        return self.having("passed", "xpassed")

    def having(self, *outcomes: str) -> frozenset[str]:
        """The tests that ended so."""
        return frozenset(name for name, event in self.ended.items() if event.outcome in outcomes)


def read_events(data: bytes) -> Session:
    """Read the lines. Raises ToolOutputError for a line that is none of the plugin's."""
    failed: dict[str, Failed] = {}
    ended: dict[str, Ended] = {}
    planned: set[str] | None = None
    left_out: set[str] = set()
    files: set[str] = set()
    foreign: list[str] = []
    end, reason = None, ""
    for line in data.splitlines():
        match _parsed(line):
            case Failed() as event:
                failed.setdefault(event.id, event)
            case Ended() as event:
                ended[event.id] = event
            case _Planned() as event:
                planned = (planned or set()) | set(event.ids)
                left_out |= set(event.left_out)
            case _Collected(file=name):
                files.add(name)
            case _Foreign(module=name, file=where):
                foreign.append(f"{name} ({where})")
            case _Finished() as event:
                end, reason = event.exit, event.reason
    return Session(
        failed=failed,
        files=frozenset(files),
        foreign=tuple(foreign),
        exit=end,
        planned=None if planned is None else frozenset(planned),
        left_out=frozenset(left_out),
        ended=ended,
        reason=reason,
    )


def _parsed(line: bytes) -> _Line:
    try:
        return _EVENT.validate_json(line)
    except ValidationError as exc:
        raise ToolOutputError(f"the record of the test run cannot be read: {exc.errors()[0]['msg']}") from exc


def failure_finding(event: Failed) -> Finding:
    """A failure as a finding; its anchor is the id without the file, so that renamed files are followed."""
    path, _, test = event.id.partition("::")
    what = f"{test} failed" if test else "the file cannot be collected"
    return Finding(
        check="pytest",
        rule="failed" if test else "collection",
        level=Level.ERROR,
        path=path,
        line=max(event.line, 1),
        message=f"{what}: {event.message}" if event.message else what,
        anchor=test,
    )
