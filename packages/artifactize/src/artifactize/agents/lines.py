"""What the command lines of coding agents have in common."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from artifactize.agents.contract import AgentFault, Usage
from artifactize.agents.http_faults import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from artifactize.agents.contract import AgentTask
    from artifactize.domain.declarations import Json
    from artifactize.toolbox.handing_over import HandedOver

SERVER = "artifactize-tools"
_INHERITED = (
    "PATH",
    "LANG",
    "HOME",
    "USER",
    "XDG_CONFIG_HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
)
_WORDS = (
    ("QUOTA", ("insufficient_quota", "usage limit", "credit balance", "quota", "billing")),
    (
        "AUTHENTICATION",
        ("401", "403", "unauthorized", "authentication", "not logged in", "/login", "api key"),
    ),
    ("RATE_LIMIT", ("429", "rate limit", "rate_limit")),
    ("TRANSIENT", ("overloaded", "500", "502", "503", "529", "stream disconnected", "connection")),
)


@dataclass(slots=True)
class Said:
    """What a command line printed: its final message, and what came on the way to it."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    models: list[str] = field(default_factory=list)
    foreign_tools: set[str] = field(default_factory=set)
    events: list[Json] = field(default_factory=list)
    fault: AgentFault | None = None
    ended: bool = False


class CommandLine(Protocol):
    """How one command line is asked and read. `names_model`: it says which model answered."""

    names_model: bool

    def arguments(self, task: AgentTask, folder: Path, tools: HandedOver | None) -> tuple[str, ...]:
        """Return the arguments of one answer; the prompt goes to its standard input."""
        ...

    def environment(self, task: AgentTask) -> dict[str, str]:
        """Return the environment that it runs in."""
        ...

    def read(self, output: bytes) -> Said:
        """Return what it printed."""
        ...


def inherited(environment: Mapping[str, str], *names: str) -> dict[str, str]:
    """Return what every command line gets of an environment, and the variables that one of them asks for."""
    return {name: environment[name] for name in (*_INHERITED, *names) if name in environment}


def events(output: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand on lines of their own; what else is printed says nothing to us."""
    for line in output.decode("utf-8", "replace").splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def fault_of(message: str) -> AgentFault:
    """Return the fault that a command line reports in words."""
    words = message.lower()
    code = next((code for code, marks in _WORDS if any(mark in words for mark in marks)), "PROVIDER_ERROR")
    return AgentFault(code, shown(message) or "it failed without a word")
