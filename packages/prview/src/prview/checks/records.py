"""What tools write as JSON, as records: exactly what is understood, or an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.checks.jobs import Job, Output

R = TypeVar("R")


class Record(BaseModel):
    """A part of a tool's output; what is not named here is of no interest. Built when first used."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


def records(shape: type[R], data: bytes, *, job: Job, output: Output, tool: str) -> R:
    """Return `data` as `shape` (a Record, or a list of them). Raises ToolOutputError."""
    try:
        return TypeAdapter(shape).validate_json(data)
    except ValidationError as exc:
        raise unreadable(exc, job=job, output=output, tool=tool) from exc


def record(shape: type[R], value: Any, *, job: Job, output: Output, tool: str) -> R:  # noqa: ANN401 - parsed JSON
    """Return a value that was parsed already as `shape`. Raises ToolOutputError."""
    try:
        return TypeAdapter(shape).validate_python(value)
    except ValidationError as exc:
        raise unreadable(exc, job=job, output=output, tool=tool) from exc


def record_lines(shape: Any, data: bytes, *, job: Job, output: Output, tool: str) -> Iterator[Any]:  # noqa: ANN401 - a union of Records is no type to mypy
    """Every line that begins an object as `shape`, the others left out. Raises ToolOutputError."""
    adapter: TypeAdapter[Any] = TypeAdapter(shape)
    for line in data.splitlines():
        if line.startswith(b"{"):
            try:
                yield adapter.validate_json(line)
            except ValidationError as exc:
                raise unreadable(exc, job=job, output=output, tool=tool) from exc


def unreadable(exc: ValidationError, *, job: Job, output: Output, tool: str) -> Exception:
    """The error that says what was not understood."""
    first = exc.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return job.failed(
        f"{tool}'s output cannot be read: {f'{where}: ' if where else ''}{first['msg']}", output
    )


def required_path(name: str, *, job: Job, output: Output, tool: str) -> str:
    """The tree-relative path of a file that a tool reports on. Raises ToolOutputError outside of the tree."""
    path = job.path(name)
    if path is None:
        raise job.failed(f"{tool} reports {name}, which is not in the tree", output)
    return path
