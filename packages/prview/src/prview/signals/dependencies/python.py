"""Python: `pyproject.toml` (PEP 621, dependency groups, Poetry, uv's sources) and requirements files."""

from __future__ import annotations

import re
import tomllib

from prview.signals.dependencies.lines import Lines
from prview.signals.dependencies.model import (
    PYTHON,
    Manifest,
    Requirement,
    UnreadableError,
    as_list,
    as_table,
    as_text,
    python_name,
)

_REQUIREMENT = re.compile(
    r"^\s*(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(?P<url>[^\s;]+)|(?P<wanted>[^;#@]*))"
)
_OPTION = re.compile(r"^\s*(?:-e|--editable)\s+(?P<url>\S+)")
_EGG = re.compile(r"#egg=([\w.-]+)")
_SOURCES = ("git", "url", "path")


def pyproject(text: str) -> Manifest:
    """Everything a `pyproject.toml` asks for. Raises UnreadableError."""
    data = load_toml(text)
    project, tool = as_table(data.get("project")), as_table(data.get("tool"))
    sources = _uv_sources(tool)
    lines = Lines(text)
    found = _texts(lines, "", project.get("dependencies"), sources)
    for group, items in as_table(project.get("optional-dependencies")).items():
        found += _texts(lines, group, items, sources)
    for group, items in as_table(data.get("dependency-groups")).items():
        found += _texts(lines, group, items, sources)
    found += _texts(lines, "build", as_table(data.get("build-system")).get("requires"), {})
    found += _poetry(lines, as_table(tool.get("poetry")))
    return Manifest(PYTHON, tuple(found))


def requirements(text: str) -> Manifest:
    """Everything a requirements file asks for itself; files it includes speak for themselves."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.split(" #", 1)[0].strip().rstrip("\\").strip()
        option = _OPTION.match(bare)
        if option or bare.startswith(("git+", "https:", "http:")):
            url = option["url"] if option else bare.split()[0]
            egg = _EGG.search(url)
            name = python_name(egg[1]) if egg else url
            found.append(Requirement(name, "", number, source=url))
        elif bare and not bare.startswith(("#", "-")):
            found += _one(bare, "", number, {})
    return Manifest(PYTHON, tuple(found))


def load_toml(text: str) -> dict[str, object]:
    """The document. Raises UnreadableError."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise UnreadableError(f"is not TOML: {exc}") from exc


def _texts(lines: Lines, group: str, items: object, sources: dict[str, str]) -> list[Requirement]:
    found: list[Requirement] = []
    for item in as_list(items):
        text = as_text(item)  # a table includes another group, which speaks for itself
        if text:
            found += _one(text, group, lines.first(rf"[\"']{re.escape(text)}[\"']"), sources)
    return found


def _one(text: str, group: str, line: int, sources: dict[str, str]) -> list[Requirement]:
    match = _REQUIREMENT.match(text)
    if not match:
        return []
    name = python_name(match["name"])
    wanted = " ".join((match["wanted"] or "").split("--hash")[0].split())
    return [Requirement(name, wanted, line, group, match["url"] or sources.get(name))]


def _uv_sources(tool: dict[str, object]) -> dict[str, str]:
    found = {}
    for name, value in as_table(as_table(tool.get("uv")).get("sources")).items():
        for item in as_list(value) or [value]:
            source = _source(as_table(item))
            if source:
                found[python_name(name)] = source
    return found


def _poetry(lines: Lines, poetry: dict[str, object]) -> list[Requirement]:
    groups = {"": poetry.get("dependencies"), "dev": poetry.get("dev-dependencies")}
    for group, value in as_table(poetry.get("group")).items():
        groups[group] = as_table(value).get("dependencies")
    return [
        _poetry_one(lines, group, name, value)
        for group, items in groups.items()
        for name, value in as_table(items).items()
        if name.lower() != "python"
    ]


def _poetry_one(lines: Lines, group: str, name: str, value: object) -> Requirement:
    line = lines.first(rf"^\s*[\"']?{re.escape(name)}[\"']?\s*=")
    table = as_table(value)
    wanted = as_text(value) or as_text(table.get("version"))
    return Requirement(python_name(name), wanted, line, group, _source(table))


def _source(table: dict[str, object]) -> str | None:
    return next((f"{key}: {as_text(table[key])}" for key in _SOURCES if table.get(key)), None)
