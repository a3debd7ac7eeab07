"""Known vulnerabilities of the versions that npm's lock files pin, as npm's registry knows them.

Only in the deep profile: names and versions of packages are sent to the registry. npm is started on a copy
of the manifest and the lock file alone, so that neither the tree's `.npmrc` nor its scripts have a say.
"""

from __future__ import annotations

import json
import posixpath
from typing import TYPE_CHECKING

from prview.checks.audits import LockFileAudit, way_to_the_network
from prview.checks.base import ToolUnavailableError
from prview.checks.jobs import Job, Output, Reading
from prview.checks.js.locks import MANIFEST
from prview.checks.lines import line_of
from prview.checks.records import Record, records
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LOCKS = frozenset({"package-lock.json", "npm-shrinkwrap.json"})


class _Advisory(Record):
    source: int | str
    name: str
    title: str = ""
    url: str = ""
    severity: str = ""
    range: str = ""


class _Vulnerable(Record):
    name: str
    via: list[_Advisory | str]
    nodes: tuple[str, ...] = ()


class _Report(Record):
    auditReportVersion: int  # noqa: N815 - npm's name
    vulnerabilities: dict[str, _Vulnerable]


class NpmAudit(LockFileAudit):
    """Asks about every changed lock file of npm."""

    id = "npm_audit"
    name = "npm audit"
    program = "npm"
    nothing_left = "no lock file is left"

    def concerns(self, path: str) -> bool:
        """Lock files of npm."""
        return posixpath.basename(path) in _LOCKS

    async def environment(self, job: Job) -> Mapping[str, str]:
        """The way to the registry, and npm's own files out of the user's home."""
        usual = way_to_the_network("NODE_EXTRA_CA_CERTS", "NPM_CONFIG_REGISTRY")
        quiet = {"npm_config_cache": str(job.scratch / "npm"), "npm_config_update_notifier": "false"}
        return {**usual, **quiet}

    async def command(self, job: Job) -> list[str]:
        """Nothing but the lock file."""
        return [str(job.tool.program), "audit", "--json", "--package-lock-only", f"--prefix={_place(job)}"]

    async def examine(self, job: Job) -> Reading:
        """One run a lock file."""
        findings: list[Finding] = []
        for path in job.targets or ():
            place = _place(job)
            place.mkdir(exist_ok=True)
            manifest = await job.text(posixpath.join(posixpath.dirname(path), MANIFEST))
            lock = await job.text(path) or ""
            (place / MANIFEST).write_text(manifest or "{}")
            (place / "package-lock.json").write_text(lock)
            output = await job.run(await self.command(job))
            findings += read_audit(job, output, path, lock)
        return Reading(tuple(findings), frozenset(job.targets or ()))

    def read(self, job: Job, output: Output) -> Reading:
        """The answer about the only target."""
        (path,) = job.targets or ("",)
        return Reading(tuple(read_audit(job, output, path, "")), frozenset({path}))


def read_audit(job: Job, output: Output, path: str, lock: str) -> list[Finding]:
    """What the registry answered about a lock file. Raises a CheckProblem when it did not."""
    if output.returncode not in NpmAudit.exits:
        raise job.failed(f"npm audit failed with exit code {output.returncode}: {output.last_words}", output)
    refused = _refusal(output.stdout)
    if refused is not None:
        raise ToolUnavailableError(
            f"the registry does not answer about advisories: {refused}", log=output.log
        )
    report = records(_Report, output.stdout, job=job, output=output, tool="npm audit")
    return [
        _finding(job, item, advisory, path, lock)
        for item in report.vulnerabilities.values()
        for advisory in item.via
        if isinstance(advisory, _Advisory)  # a name alone: it uses the vulnerable one, which is listed itself
    ]


def _refusal(data: bytes) -> str | None:
    """What npm says when the registry did not answer."""
    try:
        said = json.loads(data)
    except ValueError:
        return None
    if not isinstance(said, dict) or "auditReportVersion" in said or "error" not in said:
        return None
    return str(said.get("message") or said["error"])[:200]


def _finding(job: Job, item: _Vulnerable, advisory: _Advisory, path: str, lock: str) -> Finding:
    rule = advisory.url.rpartition("/")[2] or str(advisory.source)
    line = min((line_of(lock, f'"{node}": {{') for node in item.nodes), default=1)
    return job.finding(
        rule=rule,
        level=Level.WARNING,
        path=path,
        line=line,
        message=f"{advisory.name} {advisory.range} has a known vulnerability "
        f"({advisory.severity or 'no severity'}): {advisory.title}",
        anchor=f"{advisory.name} {rule}",
        help_uri=advisory.url or None,
    )


def _place(job: Job) -> Path:
    return job.scratch / "lock"
