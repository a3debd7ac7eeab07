"""Known vulnerabilities of the crates that `Cargo.lock` pins, as cargo-audit knows them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pydantic import Field

from prview.checks.audits import LockFileAudit
from prview.checks.base import ToolUnavailableError
from prview.checks.jobs import Job, Output, Reading
from prview.checks.lines import line_of
from prview.checks.records import Record, records
from prview.checks.rust.cargo import LOCK, cargo_environment
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_DATABASE = ("couldn't fetch advisory database", "error loading advisory database", "failed to fetch")


class _Advisory(Record):
    id: str
    title: str
    url: str | None = None


class _Package(Record):
    name: str
    version: str


class _Versions(Record):
    patched: tuple[str, ...] = ()


class _Vulnerability(Record):
    advisory: _Advisory
    package: _Package
    versions: _Versions = _Versions()


class _Vulnerabilities(Record):
    found: list[_Vulnerability] = Field(alias="list")


class _Warning(Record):
    kind: str
    package: _Package
    advisory: _Advisory | None = None


class _Report(Record):
    vulnerabilities: _Vulnerabilities
    warnings: dict[str, list[_Warning]] = Field(default_factory=dict)


class CargoAudit(LockFileAudit):
    """Asks about every changed `Cargo.lock`; its database of advisories may have to be fetched: deep only."""

    id = "cargo_audit"
    name = "cargo audit"
    program = "cargo-audit"
    nothing_left = "no Cargo.lock is left"

    def concerns(self, path: str) -> bool:
        """Lock files."""
        return posixpath.basename(path) == LOCK

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Where its database is; it may go online for it."""
        return {k: v for k, v in cargo_environment(job).items() if k != "CARGO_NET_OFFLINE"}

    async def command(self, job: Job) -> list[str]:
        """JSON about one lock file."""
        return [str(job.tool.program), "audit", "--json", *_files(job)]

    def read(self, job: Job, output: Output) -> Reading:
        """Every advisory, vulnerabilities and warnings (unmaintained, unsound, yanked) alike."""
        said = output.stderr.decode("utf-8", "replace")
        if not output.stdout.strip() and any(words in said for words in _NO_DATABASE):
            raise ToolUnavailableError("the advisory database cannot be reached", log=output.log)
        report = records(_Report, output.stdout, job=job, output=output, tool="cargo audit")
        (path,) = job.targets or (LOCK,)
        lock = (job.tree / path).read_text("utf-8", "replace")
        found = [
            _finding(job, path, item.package, item.advisory, lock=lock, remark=_fixed(item))
            for item in report.vulnerabilities.found
        ]
        found += [
            _finding(job, path, item.package, item.advisory, lock=lock, remark=item.kind)
            for items in report.warnings.values()
            for item in items
            if item.advisory is not None
        ]
        return Reading(tuple(found), frozenset({path}))


def _files(job: Job) -> list[str]:
    return ["--file", *(job.targets or (LOCK,))]


def _fixed(item: _Vulnerability) -> str:
    patched = ", ".join(item.versions.patched)
    return f"vulnerable; fixed in {patched}" if patched else "vulnerable; not fixed yet"


def _finding(
    job: Job, path: str, package: _Package, advisory: _Advisory, *, lock: str, remark: str
) -> Finding:
    return job.finding(
        rule=advisory.id,
        level=Level.WARNING,
        path=path,
        line=line_of(lock, f'name = "{package.name}"\nversion = "{package.version}"'),
        message=f"{package.name} {package.version}: {advisory.title} ({remark})",
        anchor=f"{package.name} {advisory.id}",
        help_uri=advisory.url or f"https://rustsec.org/advisories/{advisory.id}",
    )
