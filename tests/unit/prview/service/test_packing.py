"""What a pack holds: every file of the specification, no secret, and the same bytes for the same review."""

from __future__ import annotations

import json

import pytest

from prview.domain.checks import Kind, State
from prview.domain.signals import Artifact, Signal, SignalResult, SignalState
from prview.service.packing import pack_files
from prview.store import paths
from support.prview_review import change_of, changed_file, commit, finding, result, reviewed, timeless
from support.sarif import check_sarif
from support.secret_samples import KEY_BODY, PASSWORD, PRIVATE_KEY, SAMPLES

TOKEN = SAMPLES["github-token"]


def test_a_pack_has_every_file_of_its_specification() -> None:
    large = changed_file("src/large.py", *["+x"] * 80)
    change = change_of([large, changed_file("a.py", "+y")], [commit(1, "Add", large.patch)])
    broken = result("mypy", state=State.ERROR, reason="boom", log="Traceback\n")
    files = pack_files(reviewed(change, result("ruff", finding("a.py", 1), log="said\n"), broken))
    own = next(name for name in files if name.startswith("10_diff/per-file-diffs/"))
    assert files[own] == large.patch
    assert set(files) == {
        *(
            f"00_summary/{name}"
            for name in ("RUN.json", "MERGE_GATE.json", "MERGE_GATE.md", "FAILURES_SUMMARY.md")
        ),
        *(f"00_summary/{name}" for name in ("pr-metadata.txt", "file-status.txt", "commit-list.txt")),
        "10_diff/full.patch",
        f"10_diff/per-commit-diffs/0001-{'0' * 12}-Add.patch",
        own,
        *(f"20_quality/{name}" for name in ("ruff.result.json", "ruff.log", "mypy.result.json", "mypy.log")),
        "20_quality/full-checks.log",
        "20_quality/checks-errors.log",
        "30_context/INLINE_FINDINGS.sarif",
        *("report.json", "PR_REVIEW.md", "AI_INDEX.md", "dashboard.html"),
    }
    report = json.loads(files[paths.REPORT])
    assert [file["patch"] for file in report["files"]] == [own, None]
    check_sarif(files["30_context/INLINE_FINDINGS.sarif"])


def test_the_logs_of_all_checks_are_in_one_file_and_those_with_problems_in_another() -> None:
    checks = (
        result("ruff", log="fine\n"),
        result("mypy", state=State.UNAVAILABLE, reason="mypy is not installed"),
        result("pytest", finding("t.py", 1), kind=Kind.TESTS, log="1 failed\n"),
    )
    files = pack_files(reviewed(change_of([]), *checks))
    assert files[paths.ALL_LOGS].decode() == (
        "=== ruff: PASS\nfine\n\n=== mypy: UNAVAILABLE\nmypy is not installed\n\n"
        "=== pytest: FAIL\n1 introduced, 0 preexisting\n1 failed\n"
    )
    assert files[paths.PROBLEM_LOGS].decode().startswith("=== mypy: UNAVAILABLE")
    clean = pack_files(reviewed(change_of([]), result("ruff", log="fine\n")))
    assert clean[paths.PROBLEM_LOGS] == b"Every check looked, and none found anything new.\n"


def test_documents_of_signals_are_in_the_pack_and_their_data_in_the_report() -> None:
    signal = Signal("size", "Size", artifacts=(Artifact("30_context/size.txt", "big\n"),), data={"lines": 9})
    spoke = SignalResult("size", "Size", SignalState.SPOKE, signal=signal)
    silent = SignalResult("todo", "Notes", SignalState.SILENT)
    files = pack_files(reviewed(change_of([changed_file("a.py", "+y")]), signals=(spoke, silent)))
    assert files["30_context/size.txt"] == b"big\n"
    told = json.loads(files[paths.REPORT])["signals"]
    assert [(item["kind"], item["state"], item["data"]) for item in told] == [
        ("size", "spoke", {"lines": 9}),
        ("todo", "silent", {}),
    ]


def test_a_signal_cannot_replace_a_file_of_ours() -> None:
    signal = Signal("x", "X", artifacts=(Artifact(paths.GATE, "{}"),))
    files = pack_files(
        reviewed(change_of([]), signals=(SignalResult("x", "X", SignalState.SPOKE, signal=signal),))
    )
    assert json.loads(files[paths.GATE])["schema_version"] == "2.1"


def test_no_secret_is_in_any_file_whatever_carried_it() -> None:
    """Patches (added, removed and context lines), commits, findings, reasons, logs, documents, data."""
    key = [f"+{line}" for line in PRIVATE_KEY.split("\n")]
    file = changed_file("a.py", f' a = "{TOKEN}"', f'-db_password = "{PASSWORD}"', *key, *["+x"] * 80)
    judged = finding("a.py", 1, message=f"do not use {TOKEN}")
    checks = (
        result("ruff", judged, log=f"E {TOKEN}\n", unseen=f"not {TOKEN}", flaky=(f"test[{TOKEN}]",)),
        result("mypy", state=State.ERROR, reason=f"cannot read {TOKEN}", log=PRIVATE_KEY),
    )
    signal = Signal(
        "env",
        "Env",
        artifacts=(Artifact("30_context/env.txt", TOKEN),),
        data={"a": [{TOKEN: TOKEN}]},
        limits=(TOKEN,),
    )
    change = change_of([file], [commit(1, f"Use {TOKEN}", file.patch)], caveats=(f"odd {TOKEN}",))
    spoke = SignalResult("env", "Env", SignalState.SPOKE, signal=signal)
    files = pack_files(reviewed(change, *checks, signals=(spoke,)))
    for name, content in files.items():
        for secret in (TOKEN, PASSWORD, *KEY_BODY):
            assert secret.encode() not in content, name
            assert secret not in name
    gate = json.loads(files[paths.GATE])
    assert gate["files"]["masked"] == sorted(name for name in files if name.startswith("10_diff/"))
    assert len(gate["files"]["masked"]) == 3
    assert any("masked" in caveat and "full.patch" in caveat for caveat in gate["decision"]["review_caveats"])


def test_without_secrets_patches_are_git_s_bytes_and_nobody_says_otherwise() -> None:
    change = change_of([changed_file("a.py", "+ä", "-\udcff")], [commit(1, "x", b"\xff\r\n")])
    files = pack_files(reviewed(change))
    assert files[paths.PATCH] is change.patch
    gate = json.loads(files[paths.GATE])
    assert gate["files"]["masked"] == []
    assert not any("masked" in caveat for caveat in gate["decision"]["review_caveats"])


@pytest.mark.parametrize("generated", ["2026-01-02T00:00:01.000Z", "2026-05-05T05:05:05.000Z"])
def test_the_same_review_gives_the_same_bytes_but_for_times(generated: str) -> None:
    change = change_of([changed_file("a.py", "+y")], [commit(1, "x", b"p")])
    checks = (
        result("ruff", finding("a.py", 1), finding("a.py", 2, new=False)),
        result("mypy", duration_s=1.0),
    )
    again = (checks[0], result("mypy", duration_s=2.5))
    one = pack_files(reviewed(change, *checks))
    other = pack_files(reviewed(change, *again, generated_at=generated))
    assert one.keys() == other.keys()
    for name, content in one.items():
        assert timeless(content) == timeless(other[name]), name
