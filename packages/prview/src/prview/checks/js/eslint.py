"""ESLint on both sides of the change, as the project configures it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.checks.configured import always
from prview.checks.jobs import Job, Output, Reading
from prview.checks.js.tool import SCRIPTS, JsTool, local_reference, package_key
from prview.checks.records import Record, records, required_path
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PROGRAMS = tuple(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts"))
_OLD_PROGRAMS = (".eslintrc.js", ".eslintrc.cjs")
MARKERS: Mapping[str, Callable[[str], bool]] = {
    **dict.fromkeys((*_PROGRAMS, *_OLD_PROGRAMS), always),
    **dict.fromkeys((".eslintrc", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml"), always),
    "package.json": package_key("eslintConfig"),
}
_IGNORED = "File ignored"
_ERROR = 2


class _Message(Record):
    ruleId: str | None = None  # noqa: N815 - ESLint's name
    severity: int
    message: str
    fatal: bool = False
    line: int | None = None
    column: int | None = None
    endLine: int | None = None  # noqa: N815 - ESLint's name


class _File(Record):
    filePath: str  # noqa: N815 - ESLint's name
    messages: list[_Message]


class Eslint(JsTool):
    """Lints the changed files; everything when the configuration changed, and in the deep profile.

    A rule may look at other files (imports, types), so a look is reused only when none of them differs.
    """

    id = "eslint"
    name = "ESLint"
    kind = Kind.LINT
    program = "eslint"
    suffixes = SCRIPTS | {".vue", ".svelte"}
    configs = frozenset((*MARKERS, ".eslintignore"))
    also_read = JsTool.also_read | {".yml", ".yaml"}
    markers = MARKERS
    exits = frozenset({0, 1})

    def runs_code(self, name: str, text: str) -> bool:
        """Programs do, and data that names plugins of the repository."""
        return name in {*_PROGRAMS, *_OLD_PROGRAMS} or local_reference(text)

    async def command(self, job: Job) -> list[str]:
        """Its JSON; files that the configuration leaves out are named in it."""
        options = ["--format=json", "--no-error-on-unmatched-pattern", "--no-color"]
        return [str(job.tool.program), *options, "--", *job.arguments]

    async def examine(self, job: Job) -> Reading:
        """Say when plugins are of another version than the commit asks for."""
        reading = await super().examine(job)
        return replace(reading, unseen=await self.with_packages(job, reading))

    def read(self, job: Job, output: Output) -> Reading:
        """Every message of every file."""
        files = records(list[_File], output.stdout, job=job, output=output, tool="ESLint")
        findings: list[Finding] = []
        examined: set[str] = set()
        for file in files:
            path = required_path(file.filePath, job=job, output=output, tool="ESLint")
            if not any(_ignored(message) for message in file.messages):
                examined.add(path)
                findings += [_finding(message, path, job=job) for message in file.messages]
        if output.returncode and not findings:
            raise job.failed(f"ESLint failed and named nothing: {output.last_words}", output)
        return Reading(tuple(findings), frozenset(examined))


def _ignored(message: _Message) -> bool:
    """A named file that the configuration leaves out has one message, which is no finding."""
    return message.ruleId is None and not message.fatal and message.message.startswith(_IGNORED)


def _finding(message: _Message, path: str, *, job: Job) -> Finding:
    return job.finding(
        rule=message.ruleId or ("syntax" if message.fatal else "eslint"),
        level=Level.ERROR if message.severity == _ERROR else Level.WARNING,
        path=path,
        line=message.line or 1,
        column=message.column,
        end_line=message.endLine,
        message=message.message,
        help_uri=_help(message.ruleId),
    )


def _help(rule: str | None) -> str | None:
    """Rules of ESLint's own are documented in one place; plugins' are not."""
    return f"https://eslint.org/docs/latest/rules/{rule}" if rule and "/" not in rule else None
