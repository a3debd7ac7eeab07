"""The dashboard: one bounded file that loads nothing, in which the repository's text is only ever text."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from prview.domain.change import ChangedFile
from prview.domain.checks import State
from prview.domain.findings import Level
from prview.domain.signals import Artifact, Signal, SignalResult, SignalState
from prview.render.dashboard.data import PastRun
from support.prview_page import page_of, read_page
from support.prview_review import change_of, changed_file, commit, finding, result

if TYPE_CHECKING:
    from pydantic import JsonValue

EVIL = """<script>alert(1)</script>"'><img src=x onerror=alert(2)>\u202e${alert(3)}</style></textarea>"""


def test_text_of_the_repository_is_never_markup() -> None:
    file = changed_file(f"{EVIL}.py", f"+{EVIL}", f" {EVIL}", old_path=EVIL, status="R")
    judged = finding(f"{EVIL}.py", 1, message=EVIL, rule=EVIL, check=EVIL, help_uri=f"javascript:{EVIL}")
    elsewhere = finding(f"{EVIL}.py", 99, message=EVIL, help_uri='https://x.invalid/"onclick="alert(4)')
    signal = Signal(
        "x", EVIL, artifacts=(Artifact("30_context/x.txt", EVIL),), limits=(EVIL,), findings=(judged.finding,)
    )
    html = page_of(
        change_of([file], [commit(1, EVIL)], caveats=(EVIL,)),
        result("a", judged, elsewhere, reason=EVIL, unseen=EVIL, log=EVIL),
        signals=(SignalResult("x", EVIL, SignalState.SPOKE, signal=signal),),
    )
    page = read_page(html)
    names = [name for name, _ in page.tags]
    assert names.count("script") == 1
    assert not {"img", "iframe", "object", "link", "textarea"} & set(names)
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert not page.attributes("style")
    assert all(re.match(r"#|https?://|[0-9a-z_]+/", address) for address in page.attributes("href"))
    assert "\u202e" not in html
    assert page.text.count("<script>alert(1)</script>") >= 8


def test_the_page_loads_nothing_and_its_policy_allows_only_its_own_style_and_script() -> None:
    page = read_page(page_of(change_of([changed_file("a.py", "+x")])))
    (policy,) = [
        attributes["content"]
        for name, attributes in page.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for asset in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.assets[asset].encode()).digest()).decode()
        assert f"{asset}-src 'sha256-{digest}'" in policy
    assert not page.attributes("src")
    assert "@import" not in page.assets["style"]
    assert "url(" not in page.assets["style"]
    assert not re.search(r"fetch|XMLHttp|import\(|eval|innerHTML", page.assets["script"])


def test_findings_stand_at_their_lines_and_every_link_into_the_page_arrives() -> None:
    file = changed_file("a.py", " one", "+two", "-gone", "+three")
    items = (finding("a.py", 2, message="at two"), finding("a.py", 90, new=False, message="far away"))
    other = finding("not/changed.py", 5, message="broken elsewhere")
    html = page_of(change_of([file]), result("ruff", *items, other))
    rows = re.findall(r"<tr class=[ad][^>]*>.*?(?=<tr|</table>)", html)
    at = next(number for number, row in enumerate(rows) if row.endswith(">two"))
    assert 'id="f1L2"' in rows[at] or "id=f1L2" in rows[at]
    assert re.search(
        r'id="f1L2"><td><td>2<td>two<tr class="f"><td colspan="3"><div class="remark warning">.*?at two', html
    )
    assert "On lines outside of this diff" in html
    page = read_page(html)
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    assert {address[1:] for address in page.attributes("href") if address.startswith("#")} <= set(ids)
    assert "not/changed.py" in page.text


def test_the_verdict_checks_commits_and_signals_are_told() -> None:
    signal = Signal("size", "Size of the change", escalates=True, limits=("half was read",))
    html = page_of(
        change_of([changed_file("src/a.py", *["+x"] * 30)], [commit(1, "Add a thing")]),
        result("ruff", finding("src/a.py", 3, level=Level.ERROR)),
        result("mypy", state=State.UNAVAILABLE, reason="mypy is not installed"),
        signals=(SignalResult("size", "Size of the change", SignalState.SPOKE, signal=signal),),
    )
    page = read_page(html)
    for words in ("BLOCK", "Do not merge", "ruff: 1 introduced finding: src/a.py:3 F401", "mypy is not installed",
                  "UNAVAILABLE", "Add a thing", "Size of the change", "asks for a look", "half was read",
                  "1 new finding, 30 changed lines", "This is the first review"):  # fmt: skip
        assert words in page.text, words
    assert page.text.startswith("BLOCK · topic · prview")


def test_earlier_runs_are_drawn_and_listed() -> None:
    past = tuple(
        PastRun(f"2026010{day}-000000-abcdef0", "a" * 40, "PASS", f"2026-01-0{day}T00:00:00.000Z", day, 0, 3)
        for day in (1, 2)
    )
    page = read_page(page_of(change_of([changed_file("a.py", "+x")]), history=past))
    assert (
        "New findings of the last 3 runs, the oldest first: PASS with 1 new, PASS with 2 new, CONDITIONAL with 0 new"
        in page.attributes("aria-label")
    )
    assert "2026-01-01 00:00" in page.text


def test_what_is_not_shown_is_listed_with_the_reason_and_where_to_read_it() -> None:
    files = [
        changed_file("logo.png", binary=True, added=None, deleted=None),
        ChangedFile(
            "run.sh", "M", old_mode="100644", new_mode="100755", patch=b"old mode 100644\nnew mode 100755\n"
        ),
        changed_file("huge.py", *["+" + "x" * 90] * 20_000),
        changed_file("long.js", "+" + "y" * 5_000),
    ]
    html = page_of(change_of(files))
    page = read_page(html)
    assert "It is binary. Not shown here: see 10_diff/full.patch." in page.text
    assert "its mode went from 100644 to 100755" in page.text
    assert re.search(
        r"Its diff of 1\.8 MB is more than this page shows of one file\. Not shown here: see 10_diff/per-file",
        page.text,
    )
    assert "… 3,000 more characters" in page.text
    assert len(html.encode()) < 100_000


@pytest.mark.parametrize("count", [3_000, 20_000])
def test_the_page_is_bounded_whatever_the_size_of_the_change(count: int) -> None:
    """Files with new findings are the last to lose their diff."""
    body = [f"+value_{line} = {line}  # some words" for line in range(60 if count == 3_000 else 1)]
    files = [changed_file(f"some/long/folder/name/module_{n}.py", *body) for n in range(count)]
    last = files[-1].path
    judged = [finding(last, 1)] + [finding(files[n].path, 1, new=False) for n in range(500)]
    html = page_of(change_of(files), result("ruff", *judged))
    assert len(html.encode()) <= 5_000_000
    if count == 3_000:
        assert "This page has no more room for its" in html
        assert re.search(rf'id="f{count}L1"><td><td>1<td>', html)
    else:
        assert "more files: see" in html


def test_a_line_ending_with_a_cr_says_so() -> None:
    assert 'one<i class="cut"> CR</i>' in page_of(change_of([changed_file("a.txt", "+one\r")]))


def test_files_with_a_past_come_before_files_that_are_only_large() -> None:
    known: list[JsonValue] = [
        {"path": "old.py", "score": 90, "commits": 12, "fixes": 7},
        {"path": "new.py", "score": 1, "commits": 0, "fixes": 0},
        {"path": 5},
    ]
    spoke = SignalResult(
        "hotspots",
        "Hotspots",
        SignalState.SPOKE,
        signal=Signal("hotspots", "Hotspots", data={"files": known}),
    )
    files = [changed_file("new.py", *["+x"] * 300), changed_file("old.py", "+x")]
    looked = result("ruff", examined=frozenset({"new.py", "old.py"}))
    page = read_page(page_of(change_of(files), looked, signals=(spoke,)))
    assert (
        "old.py100%1 changed line, 12 earlier commits (7 of them fixes)new.py1%300 changed lines" in page.text
    )


def test_checks_with_nothing_to_look_at_are_folded_away_below_those_that_looked() -> None:
    idle = [
        result(name, state=State.SKIPPED, neutral=True, reason="no file was changed")
        for name in ("tsc", "jest")
    ]
    broken = result("ruff", state=State.ERROR, reason="its output is no JSON")
    html = page_of(change_of([changed_file("a.py", "+x")]), idle[0], broken, idle[1])
    shown, folded = html.split('id="findings"')[0].split("<details><summary>")
    assert "2 checks had nothing to look at, or were left out" in folded
    assert [name for name in ("Ruff", "Tsc", "Jest") if f">{name}<" in shown] == ["Ruff"]
    assert [name for name in ("Ruff", "Tsc", "Jest") if f">{name}<" in folded] == ["Tsc", "Jest"]
