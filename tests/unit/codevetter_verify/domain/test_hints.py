"""What an owner declares, and what is done with what breaks a rule."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.hints import MAX_BYTES, read_hints


def test_every_declaration_is_read() -> None:
    found = read_hints(
        b'base_path = "/docs/"\nproject = "apps/web"\n[routes]\n"/[id]" = ["/1", "/\xc3\xbc"]\n'
        b'[[ignore_console]]\npattern = "DevTools"\n'
    )
    assert (found.base_path, found.project, found.problems) == ("/docs", "apps/web/", ())
    assert found.samples_of("/[id]") == ("/1", "/%C3%BC")
    assert found.ignore_console == ("DevTools",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("base_path = 'docs'", "base_path must be a path"),
        ("base_path = '//evil.example'", "base_path must be a path"),
        ("project = '../other'", "project must be a folder"),
        ("routes = 3", "routes must be a table"),
        ("[routes]\n'/[id]' = 'https://evil.example/'", "no plain path"),
        ("[routes]\n'/[id]' = '/a?token=1'", "no plain path"),
        ("[routes]\n'/[id]' = '/../a'", "no plain path"),
        ("[[ignore_console]]\npattern = ''", "has no pattern"),
        ("[[ignore_console]]\npattern = '*'", "has no pattern"),
        ("colour = 'red'", "'colour' is not known"),
        ("base_path = ", "is not TOML"),
        ("#" * (MAX_BYTES + 1), "is larger than"),
    ],
)
def test_what_breaks_a_rule_is_named_and_left_out(text: str, words: str) -> None:
    found = read_hints(text.encode())
    assert words in found.problems[0]
    assert (found.base_path, found.project, found.ignore_console) == ("", None, ())
    assert not any(found.samples.values())


@pytest.mark.parametrize(
    ("line", "ignored"),
    [
        ("Warning: DevTools at 12:30 are missing", True),
        ("DevTools missing", True),
        ("missing DevTools", False),
        ("another line", False),
    ],
)
def test_a_star_stands_for_anything(line: str, ignored: bool) -> None:
    found = read_hints(b'[[ignore_console]]\npattern = "DevTools*missing"\n')
    assert found.ignores(line) is ignored
