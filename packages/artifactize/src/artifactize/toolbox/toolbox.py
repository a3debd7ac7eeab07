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
    from collections.abc import Iterable, Mapping

    from artifactize.domain.declarations import Json
    from artifactize.toolbox.commands import DeclaredTool
    from artifactize.toolbox.scope import Scope

_NS_PER_MS = 1_000_000
_BUILT_IN = {each.spec.name: each for each in READERS}


class EvalToolbox:
    """Offers `specs`, answers `call`, keeps `records`. Safe to share: calls wait for each other."""

    def __init__(self, scope: Scope, declared: Iterable[DeclaredTool] = ()) -> None:
        self._scope = scope
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
        if spec is None:
            known = ", ".join(each.name for each in self.specs)
            raise ToolFault(
                "UNKNOWN_TOOL", f"there is no tool {escape_untrusted(name[:80])!r}; there are {known}"
            )
        check_arguments(spec.input_schema, arguments)
        if name == HELP.name:
            return helped(self.specs, self._scope.about, str(arguments.get("tool", "")))
        declared = self._declared.get(name)
        if declared is not None:
            return await declared.call(arguments)
        # whole numbers are numbers without a fraction in JSON Schema, as 1.0
        given = {key: int(value) if isinstance(value, float) else value for key, value in arguments.items()}
        return await to_thread.run_sync(_BUILT_IN[name].call, self._scope, given)

    def _record(self, name: str, arguments: Mapping[str, Json], answer: ToolAnswer, duration_ms: int) -> None:
        text = _canonical(arguments)
        self._records.append(
            ToolRecord(
                number=len(self._records) + 1,
                name=escape_untrusted(name[:MAX_SUMMARY_CHARS]),
                arguments_sha256=hashlib.sha256(text.encode()).hexdigest(),
                summary=escape_untrusted(text[:MAX_SUMMARY_CHARS]),
                duration_ms=duration_ms,
                answer_bytes=answer.size,
                error=answer.error,
            )
        )


def _canonical(arguments: object) -> str:
    # ASCII: a model may send lone surrogates, which have no UTF-8
    return json.dumps(arguments, sort_keys=True, separators=(",", ":"), default=repr)
