"""Export the published schemas of every installed server, and hold them against the committed ones.

    docs/schemas/<server>/<tool>.input.json   <tool>.output.json   <model>.json
    <package>/tools.json                      the answer to `tools/list`, brought by the package itself

A server is found by the entry point group `mcpkit.servers`, whose objects are `PublishedServer`s. Committed
files are a promise: an incompatible change is refused unless it comes with a new version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from mcpkit.compat import Side, incompatible
from mcpkit.errors import ToolError
from mcpkit.listing import FILE_NAME, listing_file, listing_of
from mcpkit.operation import PublishedServer
from mcpkit.schema import Schema, flat_schema

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint
    from pathlib import Path

GROUP = "mcpkit.servers"


@dataclass(frozen=True)
class Document:
    """One schema file: where it lies below the folder of schemas, and who relies on it how."""

    path: str
    side: Side
    schema: Schema

    @property
    def text(self) -> str:
        """The file's content."""
        return json.dumps(self.schema, ensure_ascii=False, indent=2) + "\n"


@dataclass(frozen=True)
class Difference:
    """How a committed file differs from the live schema. `breaking` are its incompatible changes."""

    path: str
    what: str
    breaking: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """One line a difference and one, indented, a breaking change."""
        return "\n".join(
            [f"{self.path}: {self.what}", *(f"    breaking: {change}" for change in self.breaking)]
        )


def published_servers() -> list[PublishedServer]:
    """Load every installed server, by name. Raises ToolError naming the one that cannot be loaded."""
    return [load(entry) for entry in installed()]


def installed() -> list[EntryPoint]:
    """Return the entry points of the installed servers, by name, without loading them."""
    return sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


def load(entry: EntryPoint) -> PublishedServer:
    """Load one server. Raises ToolError when it cannot be, or when it has another name of its own."""
    where = f"the server {entry.name} ({entry.value})"
    try:
        server = entry.load()
    except (ImportError, AttributeError) as exc:
        raise ToolError("server_not_loadable", f"{where} cannot be loaded: {exc}") from exc
    if not isinstance(server, PublishedServer):
        raise ToolError("server_not_loadable", f"{where} is a {type(server).__name__}, no PublishedServer")
    if server.name != entry.name:
        raise ToolError("server_not_loadable", f"{where} calls itself {server.name!r}; use one name")
    return server


def documents(server: PublishedServer) -> list[Document]:
    """Return every schema that a server publishes."""
    made: list[Document] = []
    for operation in server.operations:
        base = f"{server.name}/{operation.name}"
        made.append(Document(f"{base}.input.json", "input", operation.input_schema()))
        made.append(Document(f"{base}.output.json", "output", operation.output_schema()))
    for name, model in server.models.items():
        made.append(Document(f"{server.name}/{name}.json", "both", flat_schema(model, "output")))
    return made


def differences(servers: Iterable[PublishedServer], folder: Path) -> list[Difference]:
    """Compare the live schemas with the files below `folder`. Folders of other servers are left alone."""
    found: list[Difference] = []
    for server in servers:
        live = {document.path: document for document in documents(server)}
        gone = _committed(server, folder) - live.keys()
        found.extend(Difference(path, "no longer published", ("removed or renamed",)) for path in gone)
        found.extend(change for document in live.values() if (change := _difference(document, folder)))
        found.extend(_listing_difference(server))
    return sorted(found, key=lambda change: change.path)


def write(servers: Iterable[PublishedServer], folder: Path, *, new_version: bool = False) -> list[Difference]:
    """Bring the files up to date and return what changed.

    Nothing is written while there are breaking changes, unless they come with a `new_version`.
    """
    servers = list(servers)
    changed = differences(servers, folder)
    if any(change.breaking for change in changed) and not new_version:
        return changed
    for server in servers:
        _write_listing(server)
    live = {document.path: document for server in servers for document in documents(server)}
    for change in changed:
        if not change.path.endswith(f"/{FILE_NAME}"):
            _write_schema(folder / change.path, live.get(change.path))
    return changed


def _write_listing(server: PublishedServer) -> None:
    if server.package is not None and _listing_difference(server):
        listing_file(server.package).write_text(listing_of(server.operations).text, encoding="utf-8")


def _write_schema(target: Path, live: Document | None) -> None:
    if live is None:
        target.unlink()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(live.text, encoding="utf-8")


def _listing_path(server: PublishedServer) -> str:
    return f"{server.package}/{FILE_NAME}"


def _listing_difference(server: PublishedServer) -> list[Difference]:
    if server.package is None:
        return []
    file = listing_file(server.package)
    text = file.read_text(encoding="utf-8") if file.is_file() else None
    if text == listing_of(server.operations).text:
        return []
    return [Difference(_listing_path(server), "differs from the server's operations")]


def _committed(server: PublishedServer, folder: Path) -> set[str]:
    return {f"{server.name}/{file.name}" for file in (folder / server.name).glob("*.json")}


def _difference(document: Document, folder: Path) -> Difference | None:
    file = folder / document.path
    if not file.is_file():
        return Difference(document.path, "not committed yet")
    text = file.read_text(encoding="utf-8")
    if text == document.text:
        return None
    try:
        old = json.loads(text)
    except ValueError as exc:
        return Difference(document.path, f"the committed file is no JSON ({exc})")
    breaking = incompatible(cast("Schema", old), document.schema, side=document.side)
    return Difference(document.path, "differs from the committed file", tuple(breaking))
