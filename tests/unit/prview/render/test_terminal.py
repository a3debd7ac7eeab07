"""What a person reads after a review: nothing that did not look is passed over, nothing clutters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.models.report import CheckRecord, FindingRecord
from prview.models.results import (
    ArtifactPaths,
    FindingItem,
    FindingsResult,
    Gate,
    RunReviewResult,
    RunsResult,
    RunSummary,
    StateResult,
)
from prview.render.terminal import finding_lines, review_lines, run_lines, shown_gates, state_lines
from prview.service.explaining import top_findings
from prview.store.documents import document

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_check_that_policy_ignores_keeps_its_own_reason() -> None:
    """It has no note that would speak for it; it was not that it had nothing to look at."""
    gates = [
        skipped("eslint", "eslint would execute eslint.config.js"),
        skipped("jest", "the project does not use Jest"),
        skipped("pytest", "left out by the quick profile"),
    ]
    (told,) = shown_gates(gates)
    assert told.reason == (
        "pytest: left out by the quick profile; eslint: eslint would execute eslint.config.js; "
        "jest: not configured, or nothing to look at"
    )


def reviewed(pack: Path, findings: list[tuple[str, str, str]]) -> RunReviewResult:
    """A run with these findings of ruff: path, level, what the policy makes of it."""
    records = tuple(
        FindingRecord(
            path=path, line=1, column=None, end_line=None, rule="ruff/R", level=level, policy=policy,
            message="m", provenance="introduced", on_added_line=True, fingerprint="f", help_uri=None,
        )
        for path, level, policy in findings
    )  # fmt: skip
    record = CheckRecord(
        id="ruff", name="Ruff", status="FAIL", execution_state="executed", outcome="introduced", reason=None,
        unseen=None, tool=None, examined=(), flaky=(), findings=records,
    )  # fmt: skip
    (pack / "20_quality").mkdir()
    (pack / "20_quality/ruff.result.json").write_bytes(document(record))
    return RunReviewResult(
        run_id="RUN", status="completed", commit="c", base_used=["main"], base_fallback=False, caveats=["n " * 40],
        verdict="BLOCK", gates=[Gate(id="ruff", status="FAIL")],
        artifact_paths=ArtifactPaths(pack=str(pack), merge_gate="g"),
    )  # fmt: skip


def test_findings_that_block_come_first_ignored_ones_never_and_the_rest_is_counted(tmp_path: Path) -> None:
    many = [(f"w{number}.py", "warning", "warn") for number in range(6)]
    result = reviewed(tmp_path, [("a.py", "error", "ignore"), *many, ("z.py", "warning", "block")])
    text = review_lines(result, top_findings(result))
    shown = [line.split(":")[0].strip() for line in text.splitlines() if "ruff/R" in line]
    assert shown == ["z.py", "w0.py", "w1.py", "w2.py", "w3.py"]
    assert "  and 2 more: prview findings RUN" in text.splitlines()


def test_a_note_that_the_policy_lets_block_is_shown_though_its_check_passes(tmp_path: Path) -> None:
    result = reviewed(tmp_path, [("a.py", "note", "block"), ("b.py", "note", "ignore")])
    passed = result.model_copy(update={"gates": [Gate(id="ruff", status="PASS", evidence="e")]})
    assert [item.file for item in top_findings(passed).shown] == ["a.py"]


def test_notes_are_wrapped_on_a_narrow_terminal_and_whole(tmp_path: Path) -> None:
    result = reviewed(tmp_path, [])
    lines = review_lines(result, width=40).splitlines()
    assert max(map(len, lines[1:-2])) <= 40
    assert sum(line.count("n ") + line.endswith("n") for line in lines if "pack" not in line) >= 40


def test_a_state_shows_no_column_for_what_it_does_not_know() -> None:
    run = RunSummary(run_id="r", commit="c", status="completed", base_used=["main"], merge_status="PASS")
    result = StateResult(
        branch="b", commit="c", default_branch="main", base_fallback=False, base_caveats=[], dirty=False,
        files_changed=1, latest_run_for_head=run,
    )  # fmt: skip
    assert "latest run for HEAD: r  PASS  against main" in state_lines(result)


def test_a_page_of_findings_says_how_many_there_are() -> None:
    item = FindingItem(file="a.py", line=3, severity="error", rule="ruff/R", message="m\nn", artifact_ref="x")
    shown = finding_lines(FindingsResult(items=[item], total=2, next_cursor="abc")).splitlines()
    assert shown[0].startswith("error    a.py:3  ruff/R  m")
    assert shown[1] == "1 of 2; more with --limit, or --cursor abc"
    assert finding_lines(FindingsResult(items=[], total=0)) == "no findings"
