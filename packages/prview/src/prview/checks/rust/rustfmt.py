"""Rust's formatter: files that it would lay out differently are noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.base import Profile
from prview.checks.jobs import Job, Output, Reading
from prview.checks.rust.cargo import CargoTool
from prview.domain.checks import Kind
from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

_READ, _TIMES = "Formatting ", "Spent "
_AFTER = "rustfmt would format this file differently"


class Rustfmt(CargoTool):
    """Says which files `cargo fmt` would change; never more than a note. It compiles nothing."""

    id = "cargo_fmt"
    name = "rustfmt"
    kind = Kind.LINT
    subcommand = "fmt"
    component = "cargo-fmt"
    compiles = False
    since = Profile.QUICK
    configs = CargoTool.configs | {"rustfmt.toml", ".rustfmt.toml"}
    exits = frozenset({0, 1})

    async def command(self, job: Job) -> list[str]:
        """Looks only. Its JSON is the nightly toolchain's alone; the list of names is everybody's."""
        return [str(job.tool.program), "fmt", "--all", "--check", "--", "-l", "-v", "--color=never"]

    def read(self, job: Job, output: Output) -> Reading:
        """The listed files. A file that cannot be parsed is the compiler's to name."""
        said = output.stderr.decode("utf-8", "replace")
        missing = self.not_there(output) if output.returncode else None
        if missing:
            raise missing
        lines = [line for line in output.text.splitlines() if line.strip() and not line.startswith(_TIMES)]
        read = [line.removeprefix(_READ) for line in lines if line.startswith(_READ)]
        names = [line for line in lines if not line.startswith(_READ)]
        if output.returncode and not names:
            raise job.failed(f"cargo fmt failed: {_first_error(said) or output.last_words}", output)
        paths = sorted(set(_paths(job, output, names)))
        notes = tuple(
            job.finding(rule="unformatted", level=Level.NOTE, path=path, message=_AFTER, anchor="")
            for path in paths
        )
        return Reading(notes, frozenset(_paths(job, output, read)))


def _paths(job: Job, output: Output, names: list[str]) -> Iterator[str]:
    for name in names:
        path = job.path(name)
        if path is None or path not in job.listing:
            raise job.failed(f"cargo fmt's output cannot be read: {name[:200]}", output)
        yield path


def _first_error(said: str) -> str | None:
    return next((line for line in said.splitlines() if line.startswith("error")), None)
