"""What a person reads after a review: nothing that did not look is passed over, nothing clutters."""

from __future__ import annotations

from prview.models.results import Gate, RunsResult, RunSummary
from prview.render.terminal import run_lines, shown_gates


def skipped(name: str, reason: str) -> Gate:
    return Gate(id=name, status="SKIPPED", reason=reason)


def test_neutral_skips_are_one_line_that_says_why() -> None:
    gates = [
        Gate(id="ruff", status="PASS"),
        skipped("pytest", "left out by the quick profile"),
        skipped("mypy", "left out by --skip-types"),
        skipped("bandit", "the project does not use bandit"),
        skipped("ty", "no file that ty reads was changed"),
    ]
    shown = [(gate.id, gate.status, gate.reason) for gate in shown_gates(gates)]
    assert shown == [
        ("ruff", "PASS", None),
        (
            "4 checks",
            "SKIPPED",
            (
                "pytest: left out by the quick profile; mypy: left out by --skip-types; "
                "bandit, ty: not configured, or nothing to look at"
            ),
        ),
    ]


def test_a_skip_that_costs_confidence_keeps_its_line_and_its_reason() -> None:
    gates = [skipped("pytest", "needs --allow-code"), skipped("a", "x"), skipped("b", "x")]
    shown = shown_gates(gates, ["pytest was skipped: needs --allow-code"])
    assert shown[0].reason == "needs --allow-code"
    assert [gate.id for gate in shown] == ["pytest", "2 checks"]


def test_runs_are_listed_with_their_profile() -> None:
    run = RunSummary(
        run_id="r", commit="c", status="completed", profile="quick", base_used=["main"], merge_status="PASS"
    )
    assert run_lines(RunsResult(branch="topic", runs=[run])).split() == [
        "r",
        "quick",
        "PASS",
        "against",
        "main",
    ]
