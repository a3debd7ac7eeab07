"""Lock files that are lists of `[[package]]`: uv.lock, poetry.lock, pdm.lock, Cargo.lock."""

from __future__ import annotations

from urllib.parse import urlsplit

from prview.signals.dependencies.lines import Lines
from prview.signals.dependencies.model import (
    PYTHON,
    RUST,
    Lock,
    Package,
    as_list,
    as_table,
    as_text,
    python_name,
)
from prview.signals.dependencies.python import load_toml

_NAME = r'^name = "([^"]+)"'
_LOCAL = ("editable", "virtual", "directory", "path")


def uv_lock(text: str) -> Lock:
    """Raises UnreadableError."""
    packages = [as_table(item) for item in as_list(load_toml(text).get("package"))]
    lines = Lines(text).numbered(_NAME)
    found = [_uv_package(item, lines) for item in packages if not _is_local(item)]
    wants = {_folder(item): _wanted(item) for item in packages if _is_local(item)}
    return Lock(PYTHON, tuple(found), wants)


def poetry_lock(text: str) -> Lock:
    """Also pdm.lock. Raises UnreadableError."""
    return Lock(PYTHON, _packages(text, python=True))


def cargo_lock(text: str) -> Lock:
    """Raises UnreadableError."""
    return Lock(RUST, _packages(text, python=False))


def _packages(text: str, *, python: bool) -> tuple[Package, ...]:
    lines = Lines(text).numbered(_NAME)
    found = []
    for item in map(as_table, as_list(load_toml(text).get("package"))):
        name = as_text(item.get("name"))
        table = as_table(item.get("source"))
        source = as_text(item.get("source")) or as_text(table.get("url"))
        git = source.startswith("git+") or table.get("type") in {"git", "url"}
        found.append(
            Package(
                python_name(name) if python else name,
                as_text(item.get("version")),
                lines.get(name, 1),
                source=source if git else None,
                host=urlsplit(source.partition("+")[2] or source).hostname,
                local=not python and not source,
            )
        )
    return tuple(found)


def _uv_package(item: dict[str, object], lines: dict[str, int]) -> Package:
    name, source = as_text(item.get("name")), as_table(item.get("source"))
    foreign = next((f"{kind}: {as_text(source[kind])}" for kind in ("git", "url") if source.get(kind)), None)
    registry = as_text(source.get("registry"))
    return Package(
        python_name(name),
        as_text(item.get("version")),
        lines.get(name, 1),
        source=foreign,
        host=urlsplit(registry).hostname if registry else None,
    )


def _is_local(item: dict[str, object]) -> bool:
    return any(key in as_table(item.get("source")) for key in _LOCAL)


def _folder(item: dict[str, object]) -> str:
    source = as_table(item.get("source"))
    place = next((as_text(source[key]) for key in _LOCAL if key in source), "")
    return "" if place == "." else place


def _wanted(item: dict[str, object]) -> dict[str, str]:
    """The requirements as uv keeps them: `metadata.requires-dist` and `metadata.requires-dev`."""
    metadata = as_table(item.get("metadata"))
    listed = as_list(metadata.get("requires-dist"))
    for group in as_table(metadata.get("requires-dev")).values():
        listed += as_list(group)
    tables = [as_table(entry) for entry in listed]
    return {python_name(as_text(table.get("name"))): as_text(table.get("specifier")) for table in tables}
