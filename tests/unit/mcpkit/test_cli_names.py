"""`mcpkit.cli` gives out its names one by one, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from mcpkit import cli


@pytest.mark.parametrize("name", cli.__all__)
def test_every_public_name_is_what_its_module_defines(name: str) -> None:
    home = import_module(f"mcpkit.cli.{cli._MODULES[name]}")
    assert getattr(cli, name) is getattr(home, name)


def test_every_public_name_is_in_the_table_and_no_module_hides_one() -> None:
    """Importing a module sets it as an attribute of its package, in place of a name that is alike."""
    assert set(cli._MODULES) == set(cli.__all__)
    assert {module.name for module in iter_modules(cli.__path__)} & set(cli.__all__) == set()


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"mcpkit\.cli.*no attribute 'nonsense'"):
        cli.nonsense  # noqa: B018 - the look-up is the test


def test_the_way_into_a_tool_loads_no_module_that_only_a_failure_or_a_result_needs() -> None:
    code = "import sys, mcpkit.cli as c; c.LazyGroup, c.run_command_line, c.run; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=60, text=True
    )
    loaded = set(done.stdout.split())
    assert "click" in loaded
    assert (
        loaded & {"logging", "secrets", "json", "traceback", "difflib", "mcpkit.text", "mcpkit.hosts"}
        == set()
    )
