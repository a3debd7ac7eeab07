"""What the snapshot plugin wrote down during one pytest run."""

from __future__ import annotations

from dataclasses import dataclass
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


class _Passed(_Event):
    event: Literal["passed"]
    id: str


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


_EVENT: TypeAdapter[Failed | _Passed | _Collected | _Foreign | _Finished] = TypeAdapter(
    Annotated[Failed | _Passed | _Collected | _Foreign | _Finished, Field(discriminator="event")]
)


@dataclass(frozen=True)
class Session:
    """One run of pytest. `exit` is None when it did not end; `foreign` are modules of the checkout."""

    failed: Mapping[str, Failed]
    passed: frozenset[str]
    files: frozenset[str]
    foreign: tuple[str, ...]
    exit: int | None


def read_events(data: bytes) -> Session:
    """Read the lines. Raises ToolOutputError for a line that is none of the plugin's."""
    failed: dict[str, Failed] = {}
    passed: set[str] = set()
    files: set[str] = set()
    foreign: list[str] = []
    end: int | None = None
    for line in data.splitlines():
        match _parsed(line):
            case Failed() as event:
                failed.setdefault(event.id, event)
            case _Passed(id=name):
                passed.add(name)
            case _Collected(file=name):
                files.add(name)
            case _Foreign(module=name, file=where):
                foreign.append(f"{name} ({where})")
            case _Finished(exit=code):
                end = code
    return Session(failed, frozenset(passed), frozenset(files), tuple(foreign), end)


def _parsed(line: bytes) -> Failed | _Passed | _Collected | _Foreign | _Finished:
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
