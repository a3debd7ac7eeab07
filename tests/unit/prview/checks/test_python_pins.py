"""Which versions are pinned where: requirement files and the lock files of Python's package managers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.checks.python_pins import Pin, pins_versions, read_pins


@pytest.mark.parametrize(
    ("path", "pins"),
    [
        ("requirements.txt", True),
        ("a/requirements-dev.txt", True),
        ("dev-requirements.txt", True),
        ("constraints.txt", True),
        ("uv.lock", True),
        ("x/poetry.lock", True),
        ("pylock.toml", True),
        ("pylock.dev.toml", True),
        ("package-lock.json", False),
        ("Cargo.lock", False),
        ("my_requirements.py", False),
    ],
)
def test_files_that_pin_are_known_by_name(path: str, *, pins: bool) -> None:
    assert pins_versions(path) is pins


def test_only_exact_versions_of_a_requirement_file_count() -> None:
    text = (
        "# head\nFlask==0.5\nzope.interface[test] == 5.0 ; python_version > '3'\n-r other.txt\nloose>=1\n"
        "star==1.*\n./local\nhashed==1.0 \\\n    --hash=sha256:00\nexact===2.0 # why\ngit+https://x/y@1\n"
    )
    assert read_pins("requirements.txt", text) == (
        Pin("flask", "0.5", 2),
        Pin("zope-interface", "5.0", 3),
        Pin("hashed", "1.0", 8),
        Pin("exact", "2.0", 10),
    )


UV = """version = 1

[[package]]
name = "me"
version = "0.1"
source = { editable = "." }
dependencies = [{ name = "flask" }]

[[package]]
name = "flask"
version = "0.5"
source = { registry = "https://index.invalid/simple" }

[[package]]
name = "forked"
version = "1"
source = { git = "https://git.invalid/x" }
"""
POETRY = """[[package]]
name = "Flask"
version = "0.5"

[[package]]
name = "forked"
version = "1"

[package.source]
type = "git"
url = "https://git.invalid/x"
"""
PYLOCK = """lock-version = "1.0"

[[packages]]
name = "flask"
version = "0.5"
wheels = [{ url = "https://index.invalid/f.whl" }]

[[packages]]
name = "here"
version = "1"
directory = { path = "." }
"""


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [("uv.lock", UV, 10), ("poetry.lock", POETRY, 2), ("pylock.toml", PYLOCK, 4)],
)
def test_a_lock_file_pins_what_an_index_has(path: str, text: str, line: int) -> None:
    assert read_pins(path, text) == (Pin("flask", "0.5", line),)


def test_two_versions_of_a_package_have_their_own_lines() -> None:
    text = '[[package]]\nname = "a"\nversion = "1"\n[[package]]\nname = "a"\nversion = "2"\n'
    assert read_pins("uv.lock", text) == (Pin("a", "1", 2), Pin("a", "2", 5))


@given(st.text(), st.sampled_from(["requirements.txt", "uv.lock", "pylock.toml"]))
def test_any_text_is_read(text: str, path: str) -> None:
    for pin in read_pins(path, text):
        assert pin.name
        assert pin.version
        assert pin.line >= 1
