"""A policy says what it means, or is refused at the line where it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Finding, Level
from prview.domain.located import ConfigError
from prview.domain.policy import Impact, Mode, Policy, Severity
from prview.domain.policy_reading import read_policy

CHECKS = ("ruff", "pytest", "secrets", "signal_breaking")


def read(text: str) -> Policy:
    return read_policy(text, path=".prview-policy.yml", source="here", checks=CHECKS)


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read(text)
    return caught.value


def refusal_line(text: str) -> int:
    """The line that is refused, 0 for none; any other exception passes."""
    try:
        read(text)
    except ConfigError as error:
        return error.line if error.line > 0 else -1
    return 0


def finding(rule: str, level: Level = Level.WARNING) -> Finding:
    return Finding("ruff", rule, level, "a.py", 1, "m")


def test_every_key_has_its_effect() -> None:
    policy = read(
        "# ours\nversion: 1\nmode: block\ndefault_severity: ignore\n"
        "checks:\n  ruff: warn\n  pytest: block\nrules:\n  ruff/F401: ignore\n"
    )
    assert (policy.mode, policy.default_severity, policy.source) == (Mode.BLOCK, Severity.IGNORE, "here")
    assert policy.checks == {"ruff": Severity.WARN, "pytest": Severity.BLOCK}
    assert policy.rules == {"ruff/F401": Severity.IGNORE}


def test_what_is_not_said_is_the_default() -> None:
    assert read("version: 1\n") == Policy(source="here")


@pytest.mark.parametrize(
    ("text", "line", "key", "hint"),
    [
        ("version: 1\nmod: warn\n", 2, "mod", "did you mean 'mode'?"),
        ("version: 1\nmode: blok\n", 2, "mode", "did you mean 'block'?"),
        ("version: 1\nchecks:\n  pytset: block\n", 3, "checks.pytset", "did you mean 'pytest'?"),
        ("version: 1\nchecks:\n  pip_audit: block\n", 3, "checks.pip_audit", "known are pytest, ruff"),
        ("version: 1\nrules:\n  ruf/F401: warn\n", 3, "rules.ruf/F401", "did you mean 'ruff'?"),
        ("version: 1\nrules:\n  ruff: warn\n", 3, "rules.ruff", "for all of it: ruff/*"),
        ("version: 1\nrules:\n  F401: warn\n", 3, "rules.F401", "known are"),
        ("version: 1\nchecks: [ruff]\n", 2, "checks", "correct"),
        ("version: 1\nchecks:\n  ruff: true\n", 3, "checks.ruff", "correct"),
        ("version: 1\nchecks:\n  ruff: warn\n\n  ruff: ignore\n", 5, "checks.ruff", "keep one"),
        ("mode: warn\n", 1, "", "begin with `version: 1`"),
        ("", 1, "", "begin with `version: 1`"),
        ("version: 2\n", 1, "version", "correct"),
        ("version: true\n", 1, "version", "correct"),
        ("version: 1\nmode: 'warn\n", 3, "", "correct"),
        ("version: 1\nmode: !!python/object/apply:os.system [true]\n", 2, "mode", "correct"),
        ("version: 1\nmode: !!binary aGk=\n", 2, "mode", "remove it"),
        ("just words\n", 1, "", "correct"),
        ("version: 1\nchecks: &a {ruff: *a}\n", 2, "checks" + 8 * ".ruff", "correct"),
        ("version: 1\n? [a]\n: b\n", 2, "", "correct"),
        ("version: 1\n---\nversion: 1\n", 2, "", "correct"),
    ],
)
def test_what_has_no_meaning_is_refused_where_it_stands(text: str, line: int, key: str, hint: str) -> None:
    error = refused(text)
    assert (error.line, error.key) == (line, key)
    assert error.message.startswith(f".prview-policy.yml:{line}: ")
    assert (error.hint or "").startswith(hint)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert refusal_line(text) >= 0


def test_a_rule_goes_before_its_check_and_the_longest_one_first() -> None:
    policy = read("version: 1\nchecks: {ruff: warn}\nrules: {ruff/S*: block, ruff/S101: ignore}\n")
    severities = [policy.finding_severity(finding(rule)) for rule in ("S602", "S101", "F401")]
    assert severities == [Severity.BLOCK, Severity.IGNORE, Severity.WARN]
    assert policy.worst_severity("ruff", [finding("S101"), finding("F401")]) is Severity.WARN
    assert policy.worst_severity("ruff", [finding("S101")]) is Severity.IGNORE
    assert policy.worst_severity("ruff", []) is Severity.WARN


def test_a_check_is_silenced_unless_one_of_its_rules_still_counts() -> None:
    assert read("version: 1\nchecks: {ruff: ignore}\n").silences("ruff")
    assert not read("version: 1\nchecks: {ruff: ignore}\nrules: {ruff/S602: block}\n").silences("ruff")
    assert not read("version: 1\ndefault_severity: ignore\n").silences("ruff")


@pytest.mark.parametrize(
    ("mode", "severity", "impact"),
    [
        (Mode.SHADOW, Severity.BLOCK, Impact.NONE),
        (Mode.SHADOW, Severity.WARN, Impact.NONE),
        (Mode.WARN, Severity.BLOCK, Impact.BLOCK),
        (Mode.WARN, Severity.WARN, Impact.REVIEW),
        (Mode.BLOCK, Severity.BLOCK, Impact.BLOCK),
        (Mode.BLOCK, Severity.WARN, Impact.BLOCK),
        *((mode, Severity.IGNORE, Impact.NONE) for mode in Mode),
    ],
)
def test_mode_and_severity_make_the_impact(mode: Mode, severity: Severity, impact: Impact) -> None:
    assert Policy(mode=mode).impact(severity) is impact
