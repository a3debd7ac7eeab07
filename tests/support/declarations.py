"""Projects made of declaration texts, linked without touching a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from artifactize.domain.linking import link
from artifactize.domain.parsing import parse_declaration
from support.artifacts import as_toml

if TYPE_CHECKING:
    from artifactize.domain.project import Project


def linked(**artifacts: dict[str, Any]) -> Project:
    """A project of folder Artifacts `name={fields}`; `at` gives the folder, else it is the name."""
    project, problems = link(parsed(artifacts))
    assert problems == ()
    return project


def mistakes(**artifacts: dict[str, Any]) -> list[str]:
    """The mistakes of such a project."""
    return [str(problem) for problem in link(parsed(artifacts))[1]]


def parsed(artifacts: dict[str, dict[str, Any]]) -> list[Any]:
    """Each Artifact's declaration, parsed."""
    found = []
    for name, fields in artifacts.items():
        rest = {key: value for key, value in fields.items() if key != "at"}
        folder = fields.get("at", name)
        file = f"{folder}/index.artf" if folder else "index.artf"
        found.append(parse_declaration(as_toml({"name": name, **rest}), file=file))
    return found
