"""What a package's manifest offers to those who install it: commands, entry points, features."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Offer:
    """One thing a manifest offers. `rule` names its removal, `what` is its kind, `effect` who notices."""

    rule: str
    what: str
    name: str
    effect: str


_COMMAND = ("command-removed", "command", "whoever runs it fails")
_ENTRY = ("entry-removed", "entry point", "whoever imports or loads it fails")
_FEATURE = ("feature-removed", "optional feature", "installations that ask for it fail")


def is_manifest(path: str) -> bool:
    """Whether a file is read as a manifest."""
    return PurePosixPath(path).name in _READERS


def offers(path: str, text: str) -> dict[str, Offer]:
    """What a manifest offers, by kind and name. Raises ValueError when it is not valid TOML or JSON."""
    read = _READERS[PurePosixPath(path).name]
    return {f"{offer.rule} {offer.name}": offer for offer in read(text)}


def line_of_name(text: str, name: str) -> int:
    """The first line that names an offer, else the first of the file."""
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.search(line)), 1)


def _python(text: str) -> Iterator[Offer]:
    project = _table(tomllib.loads(text), "project")
    for section in ("scripts", "gui-scripts"):
        yield from (Offer(*_COMMAND[:2], name, _COMMAND[2]) for name in _table(project, section))
    for group, entries in _table(project, "entry-points").items():
        if isinstance(entries, dict):
            yield from (Offer(*_ENTRY[:2], f"{group}: {name}", _ENTRY[2]) for name in entries)
    extras = _table(project, "optional-dependencies")
    yield from (Offer(*_FEATURE[:2], name, _FEATURE[2]) for name in extras)


def _node(text: str) -> Iterator[Offer]:
    manifest = json.loads(text)
    if not isinstance(manifest, dict):
        return
    bins = manifest.get("bin")
    name = str(manifest.get("name", ""))
    commands = [name.rpartition("/")[2]] if isinstance(bins, str) else bins if isinstance(bins, dict) else []
    yield from (Offer(*_COMMAND[:2], str(command), _COMMAND[2]) for command in commands)
    exports = manifest.get("exports")
    if isinstance(exports, dict):
        yield from (Offer(*_ENTRY[:2], key, _ENTRY[2]) for key in exports if key.startswith("."))


def _rust(text: str) -> Iterator[Offer]:
    manifest = tomllib.loads(text)
    bins = manifest.get("bin")
    for item in bins if isinstance(bins, list) else ():
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            yield Offer(*_COMMAND[:2], item["name"], _COMMAND[2])
    yield from (Offer(*_FEATURE[:2], name, _FEATURE[2]) for name in _table(manifest, "features"))


def _table(parent: dict[str, object], key: str) -> dict[str, object]:
    found = parent.get(key)
    return found if isinstance(found, dict) else {}


_READERS: dict[str, Callable[[str], Iterator[Offer]]] = {
    "pyproject.toml": _python,
    "package.json": _node,
    "Cargo.toml": _rust,
}
