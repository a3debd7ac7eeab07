"""Known vulnerabilities of the versions that requirement and lock files pin, as pip-audit knows them.

Only in the deep profile: names and versions of packages are sent to the advisory service. Nothing is
resolved, built or installed; packages without a pinned version have nothing to ask about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from prview.checks.audits import LockFileAudit, way_to_the_network
from prview.checks.base import ToolUnavailableError
from prview.checks.jobs import Job, Output, Reading
from prview.checks.python_pins import Pin, normalized, pins_versions, read_pins
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NETWORK = ("ConnectionError", "ProxyError", "SSLError", "Timeout", "ServiceError", "HTTPError")


class _Vulnerability(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    fix_versions: list[str] = []
    aliases: list[str] = []
    description: str = ""


class _Dependency(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    version: str | None = None
    vulns: list[_Vulnerability] = []
    skip_reason: str | None = None


class _Report(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    dependencies: list[_Dependency]


class PipAudit(LockFileAudit):
    """Asks about the pinned versions of every changed requirement or lock file, one project a file."""

    id = "pip_audit"
    name = "pip-audit"
    program = "pip-audit"
    nothing_left = "no pinned versions are left"

    def concerns(self, path: str) -> bool:
        """Requirement files and lock files."""
        return pins_versions(path)

    async def environment(self, job: Job) -> Mapping[str, str]:
        """The way to the network, where there is only one."""
        del job
        return way_to_the_network("REQUESTS_CA_BUNDLE")

    async def command(self, job: Job) -> list[str]:
        """Pinned names alone, so that pip is not started."""
        options = ["--no-deps", "--disable-pip", "--format=json", "--desc=on", "--progress-spinner=off"]
        return [str(job.tool.program), *options, "-r", str(job.scratch / "requirements.txt")]

    async def examine(self, job: Job) -> Reading:
        """One run a target; a base may be asked about several."""
        findings: list[Finding] = []
        unseen: list[str] = []
        for path in job.targets or ():
            pins = read_pins(path, await job.text(path) or "")
            if pins:
                reading = await self._ask(job, path, pins)
                findings += reading.findings
                unseen += [reading.unseen] if reading.unseen else []
        return Reading(tuple(findings), frozenset(job.targets or ()), "; ".join(unseen) or None)

    async def _ask(self, job: Job, path: str, pins: Sequence[Pin]) -> Reading:
        wanted = "".join(
            f"{name}=={version}\n" for name, version in dict.fromkeys((p.name, p.version) for p in pins)
        )
        (job.scratch / "requirements.txt").write_text(wanted)
        return read_answer(job, await job.run(await self.command(job)), path, pins)

    def read(self, job: Job, output: Output) -> Reading:
        """The answer about the only target."""
        (path,) = job.targets or ("",)
        return read_answer(job, output, path, ())


def read_answer(job: Job, output: Output, path: str, pins: Sequence[Pin]) -> Reading:
    """What the service answered about the pins of a file. Raises a CheckProblem when it did not."""
    if output.returncode not in PipAudit.exits or not output.stdout.strip():
        raise _failure(job, output)
    try:
        report = _Report.model_validate_json(output.stdout)
    except ValidationError as exc:
        raise job.failed(f"pip-audit's output cannot be read: {exc.errors()[0]['msg']}", output) from exc
    lines = {(pin.name, pin.version): pin.line for pin in pins}
    skipped = [item.name for item in report.dependencies if item.skip_reason]
    if skipped and len(skipped) == len(report.dependencies):
        reason = next(item.skip_reason for item in report.dependencies if item.skip_reason)
        raise ToolUnavailableError(
            f"the advisory service knows none of the packages: {reason}", log=output.log
        )
    findings = tuple(
        _finding(job, path, item, vulnerability, lines.get((normalized(item.name), item.version or ""), 1))
        for item in report.dependencies
        for vulnerability in item.vulns
    )
    unseen = f"the advisory service does not know {', '.join(skipped)} ({path})" if skipped else None
    return Reading(findings, frozenset({path}), unseen)


def _finding(job: Job, path: str, item: _Dependency, vulnerability: _Vulnerability, line: int) -> Finding:
    fixed = (
        f"fixed in {', '.join(vulnerability.fix_versions)}" if vulnerability.fix_versions else "not fixed yet"
    )
    words = " ".join(vulnerability.description.split())[:300]
    names = ", ".join([vulnerability.id, *sorted(vulnerability.aliases)])
    return job.finding(
        rule=vulnerability.id,
        level=Level.WARNING,
        path=path,
        line=line,
        message=f"{item.name} {item.version} has a known vulnerability ({names}; {fixed}): {words}".rstrip(
            ": "
        ),
        anchor=f"{normalized(item.name)} {vulnerability.id}",
        help_uri=f"https://osv.dev/vulnerability/{vulnerability.id}",
    )


def _failure(job: Job, output: Output) -> Exception:
    """No answer of the service is no defect of the project."""
    if any(name in output.last_words for name in _NETWORK):
        return ToolUnavailableError("the advisory service cannot be reached", log=output.log)
    return job.failed(f"pip-audit failed with exit code {output.returncode}: {output.last_words}", output)
