"""The plugins for hosts: what they start is installed, and the tools that their skills name are offered."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points, version
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "integrations"
PACKAGES = ("artifactize", "prview")


def test_the_marketplace_lists_every_plugin() -> None:
    listed = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())["plugins"]
    assert {each["name"]: each["source"] for each in listed} == {
        name: f"./integrations/{name}" for name in PACKAGES
    }
    assert {folder.name for folder in PLUGINS.iterdir()} == set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_plugin_is_of_the_packages_version_and_starts_its_server(name: str) -> None:
    manifest = json.loads((PLUGINS / name / ".claude-plugin/plugin.json").read_text())
    servers = json.loads((PLUGINS / name / ".mcp.json").read_text())["mcpServers"]
    assert (manifest["name"], manifest["version"]) == (name, version(name))
    assert servers == {name: {"command": name, "args": ["mcp"]}}
    assert entry_points(group="console_scripts", name=name)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_skill_names_tools_and_fields_that_there_are(name: str) -> None:
    (skill,) = (PLUGINS / name / "skills").glob("*/SKILL.md")
    _, head, body = skill.read_text().split("---\n", 2)
    tools = json.loads(files(name).joinpath("tools.json").read_text())["tools"]
    known = set(re.findall(r"\w+", json.dumps(tools)))
    named = set(re.findall(r"`([a-z_]+)`", body))
    assert f"name: {skill.parent.name}\n" in head
    assert "description: " in head
    assert named & {tool["name"] for tool in tools}
    assert named <= known
