"""`help`: what there is to see, and with what."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from artifactize.toolbox.answers import Lines
from artifactize.toolbox.contract import ToolAnswer, ToolFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifactize.toolbox.contract import ToolSpec

_MOST = 1000


def helped(specs: Sequence[ToolSpec], about: Mapping[str, str], tool: str = "") -> ToolAnswer:
    """Return what a review covers and its tools, or what one tool takes. Raises ToolFault."""
    return _explained(specs, tool) if tool else _overview(specs, about)


def _overview(specs: Sequence[ToolSpec], about: Mapping[str, str]) -> ToolAnswer:
    lines = Lines(_MOST)
    for name, what in about.items():
        lines.takes(f"{name or '.'}\t{what}")
    for spec in specs:
        lines.takes(f"{spec.name}\t{spec.description}")
    return ToolAnswer(lines.text("first what this review covers, where paths start; then the tools"))


def _explained(specs: Sequence[ToolSpec], tool: str) -> ToolAnswer:
    spec = next((each for each in specs if each.name == tool), None)
    if spec is None:
        raise ToolFault("INVALID_ARGUMENTS", f"there is no tool {tool!r}; help without tool lists them")
    schema = json.dumps(spec.input_schema, ensure_ascii=False, indent=1)
    return ToolAnswer(f"{spec.name}: {spec.description}\nIts arguments, as JSON Schema:\n{schema}")
