"""The settings of checking tools, out of every file that can hold some: dotted names and values, by tool."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from functools import cache, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Document = Mapping[str, object]
    Reader = Callable[[str], "Settings"]

Keys = tuple[str, ...]
Settings = dict[str, dict[Keys, object]]
"""Tool to its settings."""

IGNORE_FILES = frozenset(
    {
        ".eslintignore",
        ".stylelintignore",
        ".semgrepignore",
        ".gitleaksignore",
        ".trivyignore",
        ".banditignore",
    }
)
"""Files whose every line is something that is not looked at."""

_TOOLS = {
    "ruff": "ruff",
    "mypy": "mypy",
    "pyright": "pyright",
    "basedpyright": "pyright",
    "ty": "ty",
    "pytest": "pytest",
    "coverage": "coverage",
    "bandit": "bandit",
    "pylint": "pylint",
    "flake8": "flake8",
}
_SECTIONS = (
    ("flake8", "flake8"),
    ("tool:pytest", "pytest"),
    ("pytest", "pytest"),
    ("mypy", "mypy"),
    ("coverage", "coverage"),
    ("bandit", "bandit"),
    ("pylint", "pylint"),
)
_WHOLE_INI = {
    "mypy.ini": "mypy",
    ".mypy.ini": "mypy",
    ".coveragerc": "coverage",
    ".pylintrc": "pylint",
    "pylintrc": "pylint",
    ".bandit": "bandit",
    "pytest.ini": "pytest",
    ".flake8": "flake8",
}
_WHOLE_TOML = {"ruff.toml": "ruff", ".ruff.toml": "ruff", "ty.toml": "ty"}
_WHOLE_JSON = {
    "pyrightconfig.json": "pyright",
    ".eslintrc": "eslint",
    ".eslintrc.json": "eslint",
    "biome.json": "biome",
    "biome.jsonc": "biome",
    ".stylelintrc": "stylelint",
    ".stylelintrc.json": "stylelint",
}
_WHOLE_YAML = {
    ".golangci.yml": "golangci-lint",
    ".golangci.yaml": "golangci-lint",
    ".eslintrc.yml": "eslint",
    ".eslintrc.yaml": "eslint",
    ".pre-commit-config.yaml": "pre-commit",
}
_IN_PACKAGE = {"eslintConfig": "eslint", "jest": "jest", "stylelint": "stylelint", "nyc": "nyc", "c8": "c8"}
_COMMENTS = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")
_NAMED_BY = ("module", "files", "includes", "include", "path", "id", "repo", "text")
_MAX_DEPTH = 12
_TSCONFIG = re.compile(r"tsconfig(?:\.[\w-]+)?\.json")


def reader_of(path: str) -> Reader | None:
    """What reads a file's settings; None when the file has none that we know. It raises ValueError."""
    name = PurePosixPath(path).name
    return partial(_whole, _json, "tsc") if _TSCONFIG.fullmatch(name) else _readers().get(name)


def reader_for(path: str, tool: str) -> Reader | None:
    """What reads a file that the settings of a tool take in; None where it is none of data."""
    end = PurePosixPath(path).suffix
    return partial(_whole, _PARSERS[end], tool) if end in _PARSERS else None


def extending_tool(path: str) -> str | None:
    """The tool that is set up by a file of this name, which can extend another; None for others."""
    name = PurePosixPath(path).name
    if name in {"pyproject.toml", "package.json"}:
        return "ruff" if name == "pyproject.toml" else "eslint"
    return "tsc" if _TSCONFIG.fullmatch(name) else _EXTENDING.get(name)


@cache
def _readers() -> Mapping[str, Reader]:
    return {
        "pyproject.toml": _pyproject,
        "package.json": _package,
        "Cargo.toml": _cargo,
        **dict.fromkeys(("setup.cfg", "tox.ini"), partial(_sections, whole=None)),
        **{name: partial(_sections, whole=tool) for name, tool in _WHOLE_INI.items()},
        **{name: partial(_whole, tomllib.loads, tool) for name, tool in _WHOLE_TOML.items()},
        **{name: partial(_whole, _json, tool) for name, tool in _WHOLE_JSON.items()},
        **{name: partial(_whole, _yaml, tool) for name, tool in _WHOLE_YAML.items()},
    }


def setting_names() -> tuple[str, ...]:
    """Every name of a file that can hold settings."""
    return (*_readers(), "tsconfig.json")


def _whole(read: Callable[[str], Document], tool: str, text: str) -> Settings:
    return {tool: dict(_flat(read(text)))}


def _pyproject(text: str) -> Settings:
    tables = tomllib.loads(text).get("tool", {})
    found = {
        tool: dict(_flat(tables[name])) for name, tool in _TOOLS.items() if isinstance(tables.get(name), dict)
    }
    if "pytest" in found:  # as in a file of its own
        found["pytest"] = {keys[1:] or keys: value for keys, value in found["pytest"].items()}
    return found


def _cargo(text: str) -> Settings:
    document = tomllib.loads(text)
    found = document.get("lints", document.get("workspace", {}).get("lints", {}))
    return {"cargo": dict(_flat(found, ("lints",)))}


def _package(text: str) -> Settings:
    document = _json(text)
    return {tool: dict(_flat(document[name])) for name, tool in _IN_PACKAGE.items() if name in document}


def _sections(text: str, *, whole: str | None) -> Settings:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error as exc:
        raise ValueError(str(exc)) from exc
    found: Settings = {}
    for section in parser.sections():
        known = next((tool for begin, tool in _SECTIONS if re.match(rf"{begin}(?:[:-]|$)", section)), None)
        tool = whole or known
        if tool:
            found.setdefault(tool, {}).update(
                {(*_below(section, tool), key): value or "" for key, value in parser.items(section)}
            )
    return found


def _below(section: str, tool: str) -> Keys:
    """A section without the tool's own name, so that settings can be compared when they move."""
    rest = section.removeprefix("tool:").removeprefix(tool).lstrip(":-")
    return (rest,) if rest else ()


def _json(text: str) -> Document:
    plain = _TRAILING.sub(r"\1", _COMMENTS.sub(lambda match: match[1] or " ", text))
    found = json.loads(plain)
    return found if isinstance(found, dict) else {}


def _yaml(text: str) -> Document:
    import yaml  # deferred: most changes touch no such file

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as exc:
        raise ValueError(str(exc)) from exc
    return found if isinstance(found, dict) else {}


def _flat(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, object]]:
    """Every value under its keys. Members of a list of tables are named by what they are about."""
    if len(keys) > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, (*keys, str(key)))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value):
            yield from _flat(item, (*keys, _name(item, number)))
    else:
        yield keys, value


def _name(item: object, number: int) -> str:
    if isinstance(item, dict):
        found = next((item[key] for key in _NAMED_BY if item.get(key)), number)
        return f"[{', '.join(map(str, found)) if isinstance(found, list) else found}]"
    return f"[{number}]"


_PARSERS: Mapping[str, Callable[[str], Document]] = {
    ".json": _json,
    ".jsonc": _json,
    ".json5": _json,
    ".toml": tomllib.loads,
    ".yml": _yaml,
    ".yaml": _yaml,
}
_EXTENDING = {**_WHOLE_TOML, **_WHOLE_JSON, ".eslintrc.yml": "eslint", ".eslintrc.yaml": "eslint"}
