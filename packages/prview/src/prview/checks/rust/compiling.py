"""rustc and clippy through cargo, on both sides of the change."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from prview.checks.rust.cargo import CargoTool
from prview.checks.rust.diagnostics import read_diagnostics
from prview.domain.checks import Kind

if TYPE_CHECKING:
    from prview.checks.jobs import Job, Output, Reading

_CLIPPY = "clippy::"


class Compiling(CargoTool):
    """All targets of a workspace, tests and examples among them."""

    exits = frozenset({0, 101})
    title: ClassVar[str]

    async def command(self, job: Job) -> list[str]:
        """JSON, and every target even when one of them fails."""
        options = ["--workspace", "--all-targets", "--message-format=json", "--keep-going", "--offline"]
        return [str(job.tool.program), self.subcommand, *options]

    @abstractmethod
    def wanted(self, rule: str) -> bool:
        """Whether a diagnostic is this check's to report."""

    def read(self, job: Job, output: Output) -> Reading:
        """Every diagnostic."""
        missing = self.not_there(output) if output.returncode else None
        if missing:
            raise missing
        return read_diagnostics(job, output, wanted=self.wanted, tool=self.title)


class CargoCheck(Compiling):
    """What the compiler says."""

    id = "cargo_check"
    name = "Cargo check"
    title = "cargo check"
    kind = Kind.TYPES
    subcommand = "check"

    def wanted(self, rule: str) -> bool:
        """Everything."""
        return not rule.startswith(_CLIPPY)


class Clippy(Compiling):
    """What clippy adds to that; the compiler's own messages are reported by `cargo check`."""

    id = "cargo_clippy"
    name = "Clippy"
    title = "clippy"
    kind = Kind.LINT
    subcommand = "clippy"
    component = "cargo-clippy"
    configs = CargoTool.configs | {"clippy.toml", ".clippy.toml"}

    def wanted(self, rule: str) -> bool:
        """Clippy's own lints."""
        return rule.startswith(_CLIPPY)
