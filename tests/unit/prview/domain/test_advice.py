"""What `prview explain` advises can be pasted, changes nothing, and is whole."""

from __future__ import annotations

from prview.domain.advice import advice


def told(check: str, *paths: str, rules: tuple[str, ...] = ()) -> str:
    return "\n".join(advice(check, state="executed", paths=paths, rules=rules))


def test_the_type_checker_of_a_project_is_not_given_files() -> None:
    assert "`npx tsc --noEmit` shows" in told("tsc", "src/money.ts")


def test_a_linter_is_given_the_files() -> None:
    assert "`ruff check a.py 'b c.py'` shows" in told("ruff", "a.py", "b c.py")


def test_what_shows_again_rewrites_nothing() -> None:
    assert "`ruff format --diff a.py` shows" in told("ruff_format", "a.py")


def test_an_exception_names_every_rule() -> None:
    rules = ("TS2552", "TS2363", "TS2552", "TS2554")
    assert "`rules: {TS2552: ignore, TS2363: ignore, TS2554: ignore}`" in told("tsc", rules=rules)
