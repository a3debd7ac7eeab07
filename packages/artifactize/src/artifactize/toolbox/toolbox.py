"""The toolbox of one eval: its built-in and declared tools, called one at a time and recorded."""

from __future__ import annotations

import hashlib
import json
from time import monotonic_ns
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from artifactize.domain.tool_declarations import BUILT_INS
from artifactize.toolbox.builtins import HELP, READERS
from artifactize.toolbox.contract import MAX_SUMMARY_CHARS, ToolAnswer, ToolFault, ToolRecord, ToolSpec
from artifactize.toolbox.helping import helped
from artifactize.toolbox.schemas import check_arguments
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from artifactize.domain.declarations import Json
    from artifactize.toolbox.commands import DeclaredTool
    from artifactize.toolbox.scope import Scope

_NS_PER_MS = 1_000_000
_BUILT_IN = {each.spec.name: each for each in READERS}


class EvalToolbox:
    """Offers `specs`, answers `call`, keeps `records`. Safe to share: calls wait for each other.

    `scope` finds what the tools see, when the first of them is called; `most_calls` is how many calls are
    answered, None for any number; `on_record` gets each record when its call has been answered.
    """

    def __init__(
        self,
        scope: Callable[[], Scope],
        declared: Iterable[DeclaredTool] = (),
        *,
        most_calls: int | None = None,
        on_record: Callable[[ToolRecord], None] | None = None,
    ) -> None:
        self._find_scope = scope
        self._scope: Scope | None = None
        self._most_calls = most_calls
        self._on_record = on_record
        self._declared = {each.spec.name: each for each in declared}
        self._turn = anyio.Lock()
        self._records: list[ToolRecord] = []
        readers = {each.spec.name: each.spec for each in READERS} | {HELP.name: HELP}
        self.specs: tuple[ToolSpec, ...] = (
            *(readers[name] for name in BUILT_INS),
            *(each.spec for each in self._declared.values()),
        )

    @property
    def records(self) -> tuple[ToolRecord, ...]:
        """Every call so far, refused and failed ones too."""
        return tuple(self._records)

    @property
    def declared(self) -> tuple[DeclaredTool, ...]:
        """The declared tools."""
        return tuple(self._declared.values())

    @property
    def calls_left(self) -> int | None:
        """How many calls will still be answered; None for any number."""
        return None if self._most_calls is None else max(0, self._most_calls - len(self._records))

    def scope(self) -> Scope:
        """Return what the built-in tools see, found once; blocks. Raises ToolFault."""
        if self._scope is None:
            self._scope = self._find_scope()
        return self._scope

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolAnswer:
        """Answer one call. A refused or failed one is an answer with `error`, never an exception."""
        async with self._turn:
            began = monotonic_ns()
            try:
                answer = await self._answer(name, arguments)
            except ToolFault as fault:
                answer = ToolAnswer(f"{fault.code}: {fault.message}", error=fault.code)
            self._record(name, arguments, answer, (monotonic_ns() - began) // _NS_PER_MS)
            return answer

    async def _answer(self, name: str, arguments: Mapping[str, Json]) -> ToolAnswer:
        spec = next((each for each in self.specs if each.name == name), None)
        if self.calls_left == 0:
            raise ToolFault("BUDGET", f"all {self._most_calls} tool calls of this review are used; conclude")
        if spec is None:
            known = ", ".join(each.name for each in self.specs)
            raise ToolFault(
                "UNKNOWN_TOOL", f"there is no tool {escape_untrusted(name[:80])!r}; there are {known}"
            )
        check_arguments(spec.input_schema, arguments)
        declared = self._declared.get(name)
        if declared is not None:
            return await declared.call(arguments)
        scope = await to_thread.run_sync(self.scope)
        if name == HELP.name:
            return helped(self.specs, scope.about, str(arguments.get("tool", "")))
        # whole numbers are numbers without a fraction in JSON Schema, as 1.0
        given = {key: int(value) if isinstance(value, float) else value for key, value in arguments.items()}
        return await to_thread.run_sync(_BUILT_IN[name].call, scope, given)

    def _record(self, name: str, arguments: Mapping[str, Json], answer: ToolAnswer, duration_ms: int) -> None:
        text = _canonical(arguments)
        record = ToolRecord(
            number=len(self._records) + 1,
            name=escape_untrusted(name[:MAX_SUMMARY_CHARS]),
            arguments_sha256=hashlib.sha256(text.encode()).hexdigest(),
            summary=escape_untrusted(text[:MAX_SUMMARY_CHARS]),
            duration_ms=duration_ms,
            answer_bytes=answer.size,
            error=answer.error,
        )
        self._records.append(record)
        if self._on_record is not None:
            self._on_record(record)


def _canonical(arguments: object) -> str:
    # ASCII: a model may send lone surrogates, which have no UTF-8
    return json.dumps(arguments, sort_keys=True, separators=(",", ":"), default=repr)
