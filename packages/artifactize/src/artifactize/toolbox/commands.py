"""Declared tools: commands that get a call's checked arguments and answer with text or JSON."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifactize.domain.cleaning import clean, telling_words
from artifactize.domain.tool_declarations import PLACEHOLDER, Protocol
from artifactize.execution.environment import private_environment
from artifactize.toolbox.contract import ToolAnswer, ToolFault, ToolSpec
from artifactize.toolbox.pins import check_files, check_version
from artifactize.toolbox.schemas import check_arguments, schema_fault
from artifactize.tree.operands import OperandError
from oskit.files import StorageError
from oskit.process import ProcessError, find_program, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from artifactize.domain.declarations import Json
    from artifactize.domain.tool_declarations import ToolDeclaration
    from artifactize.tree.operands import Prepared
    from oskit.process import Completed

_MS = 1000


@dataclass
class DeclaredTool:
    """A declared command, ready to be called.

    `prepared` is its argument list with the Artifact's folder as its working directory, or what is wrong with
    it; `private` is a folder of ours in which each call gets its HOME and TMPDIR; `environment` is what PATH
    and LANG are taken from.
    """

    declared: ToolDeclaration
    prepared: Prepared | OperandError
    private: Path
    environment: Mapping[str, str]
    _calls: int = field(default=0, init=False)
    _version_holds: bool = field(default=False, init=False)

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model is told of it."""
        return ToolSpec(self.declared.name, self.declared.description, self.declared.input_schema)

    async def call(self, arguments: Mapping[str, Json]) -> ToolAnswer:
        """Run the command with arguments that its schema allows. Raises ToolFault."""
        prepared = self.found()
        argv = (prepared.argv[0], *_filled(prepared.argv[1:], self.declared, arguments))
        with self._private_environment() as env:
            await self.check_pins(prepared, env)
            done = await self._run(argv, prepared.cwd, env, arguments)
        return _answer(self.declared, done)

    def found(self) -> Prepared:
        """Return what would run. Raises ToolFault `PROGRAM_MISSING` when its program is not there."""
        if isinstance(self.prepared, OperandError):
            raise ToolFault("PROGRAM_MISSING", f"{self.declared.name}: {self.prepared}")
        program = self.prepared.argv[0]
        if "/" not in program and find_program(program, self.environment.get("PATH")) is None:
            raise ToolFault("PROGRAM_MISSING", f"{self.declared.name}: {program} is not on the PATH")
        return self.prepared

    async def try_example(self) -> ToolAnswer:
        """Call the tool with its example, as a reviewer would. Raises ToolFault."""
        example = self.declared.example or {}
        check_arguments(self.declared.input_schema, dict(example))
        return await self.call(example)

    def check_still(self) -> None:
        """Check all that can be checked without running anything. Raises ToolFault."""
        fault = schema_fault(self.declared.input_schema)
        if fault is not None:
            raise ToolFault("INVALID_ARGUMENTS", f"its input schema: {fault}")
        if self.declared.example is not None:
            check_arguments(self.declared.input_schema, dict(self.declared.example))
        check_files(self.found().cwd, self.declared.pin)

    async def check_pins(self, prepared: Prepared, env: Mapping[str, str]) -> None:
        """Check that the tool is the pinned one: its files each time, its version once. Raises ToolFault."""
        check_files(prepared.cwd, self.declared.pin)
        version = self.declared.pin.version
        if version is not None and not self._version_holds:
            await check_version(prepared.argv[0], version, cwd=prepared.cwd, env=env)
            self._version_holds = True

    async def _run(
        self, argv: tuple[str, ...], cwd: Path, env: Mapping[str, str], arguments: Mapping[str, Json]
    ) -> Completed:
        sent = json.dumps(arguments, ensure_ascii=False).encode()
        try:
            return await run(
                argv,
                cwd=cwd,
                env=env,
                input=sent if self.declared.protocol is Protocol.JSON else None,
                deadline_s=self.declared.timeout_ms / _MS,
                capture_limit=self.declared.max_output_bytes,
            )
        except ProcessError as failure:
            raise ToolFault("PROGRAM_MISSING", f"{self.declared.name}: {failure.message}") from failure

    @contextmanager
    def _private_environment(self) -> Iterator[Mapping[str, str]]:
        self._calls += 1
        base = self.private / f"tool-{self.declared.name}-{self._calls}"
        try:
            with private_environment(base, self.environment, ()) as env:
                yield env
        except StorageError as failure:
            raise ToolFault("TOOL_FAILED", f"{self.declared.name}: {failure.message}") from failure


def _filled(args: tuple[str, ...], declared: ToolDeclaration, arguments: Mapping[str, Json]) -> Iterator[str]:
    """Yield a `plain` tool's arguments with the call's values; one whose value is absent is left out."""
    options_ended = False
    for argument in args:
        names = PLACEHOLDER.findall(argument) if declared.protocol is Protocol.PLAIN else []
        if any(name not in arguments for name in names):
            continue
        value = (
            PLACEHOLDER.sub(lambda found: _worded(found[1], arguments[found[1]]), argument)
            if names
            else argument
        )
        if names and value.startswith("-") and not argument.startswith("-") and not options_ended:
            raise ToolFault(
                "INVALID_ARGUMENTS", f"{names[0]}: {value[:80]!r} starts with '-', and would be an option"
            )
        options_ended = options_ended or argument == "--"
        yield value


def _worded(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (str, int, float)):
        raise ToolFault("INVALID_ARGUMENTS", f"{name} goes into an argument, so it is text or a number")
    worded = str(value)
    if "\0" in worded:
        raise ToolFault("INVALID_ARGUMENTS", f"{name} holds a NUL character")
    return worded


def _answer(declared: ToolDeclaration, done: Completed) -> ToolAnswer:
    if done.timed_out:
        raise ToolFault("TOOL_TIMEOUT", f"{declared.name} did not end within {declared.timeout_ms} ms")
    if done.returncode != 0:
        said = telling_words(clean(done.stderr), clean(done.stdout))
        raise ToolFault("TOOL_FAILED", f"{declared.name} ended with {done.returncode}: {said}")
    text = clean(done.stdout)
    left_out = done.stdout_total - len(done.stdout)
    if left_out:
        text = f"[the first {len(done.stdout)} bytes; {left_out} more left out: ask for less]\n{text}"
    return ToolAnswer(text or "[no output]")
