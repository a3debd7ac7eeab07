"""What is public, and what importing it costs."""

import subprocess
import sys

import pytest

import oskit.git


def test_every_public_name_is_there() -> None:
    assert sorted(oskit.git.__all__, key=str.lower) == sorted(set(oskit.git.__all__), key=str.lower)
    for name in oskit.git.__all__:
        assert getattr(oskit.git, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(oskit.git, "nothing")  # noqa: B009 - the point is that it is absent


def test_errors_and_models_come_without_an_event_loop() -> None:
    script = "import sys, oskit.git; oskit.git.GitError; print([m for m in ('anyio', 'asyncio') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
