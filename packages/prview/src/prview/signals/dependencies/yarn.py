"""Node: `yarn.lock`, classic and berry."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from prview.signals.dependencies.model import NODE, Lock, Package

_VERSION = re.compile(r"^\s+version:?\s+\"?([^\"\s]+)\"?")
_RESOLVED = re.compile(r"^\s+resolved\s+\"?([^\"\s]+)\"?")
_DESCRIPTOR = re.compile(r"^(?P<name>@?[^@\s]+)@(?:npm:)?(?P<wanted>.*)$")
_FOREIGN = re.compile(r"^(?:git|https?:|file:|link:|portal:|[\w.-]+/[\w.-]+(?:#|$))")


def yarn_lock(text: str) -> Lock:
    """Its packages; `wants` has every descriptor (`name@range`) that it can answer."""
    packages: list[Package] = []
    answers: dict[str, str] = {}
    header, version, resolved, start = "", "", "", 1
    for number, line in enumerate([*text.split("\n"), "end:"], 1):
        if line and not line[0].isspace() and not line.startswith("#"):
            packages += _entry(header, version, resolved, start)
            answers |= dict.fromkeys(_descriptors(header), version)
            header, version, resolved, start = line, "", "", number
        elif match := _VERSION.match(line):
            version = version or match[1]
        elif match := _RESOLVED.match(line):
            resolved = match[1]
    return Lock(NODE, tuple(packages), {"descriptors": answers})


def _descriptors(header: str) -> list[str]:
    """`name@range` of every range that an entry answers, without berry's `npm:`."""
    parts = (part.strip().strip('"') for part in header.rstrip(":").strip('"').split(","))
    matches = (_DESCRIPTOR.match(part) for part in parts)
    return [f"{match['name']}@{match['wanted']}" for match in matches if match]


def _entry(header: str, version: str, resolved: str, line: int) -> list[Package]:
    descriptors = _descriptors(header)
    if not descriptors or not version or "workspace:" in header:
        return []
    name, _, wanted = descriptors[0].rpartition("@")
    source = wanted if _FOREIGN.match(wanted) else None
    return [
        Package(name, version, line, source=source, host=urlsplit(resolved).hostname if resolved else None)
    ]
