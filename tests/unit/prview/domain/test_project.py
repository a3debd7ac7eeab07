"""`prview.toml` is read whole, or refused at the line where it is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.foreign import ForeignFiles
from prview.domain.located import ConfigError
from prview.domain.policy import Impact
from prview.domain.project import Project, read_project


def read(text: str) -> Project:
    return read_project(text, path="prview.toml")


def refusal_line(text: str) -> int:
    """The line that is refused, 0 for none; any other exception passes."""
    try:
        read(text)
    except ConfigError as error:
        return error.line if error.line > 0 else -1
    return 0


def test_every_key_has_its_effect() -> None:
    text = 'paths = ["src/"]\nignores = ["src/gen/"]\n[gate]\nbreaking_escalation = "block"\n'
    assert read(text) == Project(("src/",), ("src/gen/",), Impact.BLOCK)
    assert read("") == Project()


@pytest.mark.parametrize(
    ("said", "impact"), [("true", Impact.REVIEW), ("false", Impact.NONE), ('"none"', Impact.NONE)]
)
def test_escalation_can_be_said_in_one_word(said: str, impact: Impact) -> None:
    assert read(f"gate.breaking_escalation = {said}").breaking is impact


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("path = []\n", 1, "path"),
        ("\n[gat]\n", 2, "gat"),
        ("ignores = []\n\n[gate]\nbreaking_escalaton = true\n", 4, "gate.breaking_escalaton"),
        ('[gate]\nbreaking_escalation = "blok"\n', 2, "gate.breaking_escalation"),
        ('ignores = ["a",\n  "!b"]\n', 1, "ignores"),
        ('paths = "src"\n', 1, "paths"),
        ("paths = [1]\n", 1, "paths[0]"),
        ("paths = [\n", 1, ""),
        ("when = 2026-01-01\n", 1, "when"),
    ],
)
def test_what_has_no_meaning_is_refused_where_it_stands(text: str, line: int, key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert (caught.value.line, caught.value.key) == (line, key)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert refusal_line(text) >= 0


@pytest.mark.parametrize(
    ("path", "reviewed"),
    [
        ("src/a.py", True),
        ("src/deep/er/a.py", True),
        ("lib/src/a.py", True),
        ("src/gen/a.py", False),
        ("docs/a.md", False),
        ("README.md", False),
        ("tools/x.sh", True),
    ],
)
def test_only_paths_are_reviewed_and_ignores_are_not(path: str, *, reviewed: bool) -> None:
    project = read('paths = ["src", "*.sh"]\nignores = ["gen/"]\n')
    assert (ForeignFiles({}, ignored=project.ignored).reason(path) is None) is reviewed
