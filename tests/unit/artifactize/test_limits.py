from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifactize.domain.limits import parse_limits
from artifactize.errors import StateError
from artifactize.execution.limits_file import FILE, read_limits

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "nothing else"),
        ('{"backend": {}}', "nothing else"),
        ('{"backends": []}', "must be an object"),
        ('{"backends": {"opensesame": 1}}', "no backend 'opensesame'"),
        ('{"backends": {"runtime": 0}}', "from 1 to"),
        ('{"backends": {"runtime": true}}', "whole number"),
        ('{"backends": {"runtime": "2"}}', "whole number"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text)

    with pytest.raises(StateError, match=said) as failure:
        read_limits(tmp_path)

    assert str(tmp_path / FILE) in failure.value.message


def test_without_the_file_nothing_is_limited(tmp_path: Path) -> None:
    assert read_limits(tmp_path) == {}
    assert parse_limits('{"backends": {"runtime": 2, "codex": 1}}') == {"runtime": 2, "codex": 1}
