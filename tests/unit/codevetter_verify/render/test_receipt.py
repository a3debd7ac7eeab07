"""A receipt as text says where its files are, and nothing that was not established."""

from __future__ import annotations

from pathlib import Path

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.domain.findings import Findings, Visited
from codevetter_verify.domain.order import accept
from codevetter_verify.domain.plan import plan_routes
from codevetter_verify.domain.receipt import RunFacts, assemble
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.models import Artifact, TrexPreviewReceipt
from codevetter_verify.render.receipt import render_receipt
from support.trex import observation, request_for

HOME = Path("/data/codevetter")
FACTS = RunFacts("trex-preview-1", "/somewhere", "2026-11-30T00:00:00.000Z", 12, "0.1.0", "Linux")


def found(*paths: str, commits: tuple[str, ...] = ("1" * 40,)) -> Findings:
    """What is known when the change was resolved."""
    known = Findings(accept(request_for("https://preview.example/")))
    files = tuple(map(ChangedFile, paths))
    known.change = Change("0" * 40, "1" * 40, None, commits, files, frozenset({*paths, "package.json"}))
    known.plan = plan_routes(known.change)
    return known


def text_of(known: Findings) -> str:
    """The receipt of it, as a person reads it."""
    receipt: TrexPreviewReceipt = assemble(known, FACTS)
    return render_receipt(receipt, home=HOME)


def test_a_screenshot_is_named_by_a_path_that_can_be_opened() -> None:
    known = found("app/about/page.tsx")
    picture = Artifact(kind="screenshot", path="artifacts/trex-preview-1/1.jpg", sha256="0" * 64, bytes=3)
    seen = observation("/")
    known.add(Visited(seen, known.judge(seen), picture))
    text = text_of(known)
    assert "screenshot: /data/codevetter/artifacts/trex-preview-1/1.jpg" in text
    assert "files    /data/codevetter/artifacts/trex-preview-1" in text
    assert "files " not in text_of(found("app/about/page.tsx"))


def test_one_path_is_one_path() -> None:
    assert "head 111111111111  (1 path)" in text_of(found("app/about/page.tsx"))
    assert "(2 paths)" in text_of(found("app/about/page.tsx", "lib/x.ts"))


def test_an_empty_range_has_a_head_and_no_count_of_paths() -> None:
    """`main..main` was resolved; its paths were never compared."""
    known = found(commits=())
    known.end(RunCause.NOTHING_TO_VERIFY, "empty")
    line = next(line for line in text_of(known).splitlines() if line.startswith("change"))
    assert line == "change   main..feature  head 111111111111"
    known.change = None
    assert "main..feature  (not resolved)" in text_of(known)


def test_what_a_route_transferred_is_said_where_it_is_known() -> None:
    known = found("app/about/page.tsx")
    seen = observation("/", transferred_bytes=20_500_000)
    known.add(Visited(seen, known.judge(seen)))
    assert "/  5 ms  20.5 MB" in text_of(known)
    assert "20.5 MB were transferred, more than 20.0 MB" in text_of(known)
    unknown = observation("/")
    known.add(Visited(unknown, known.judge(unknown)))
    assert "MB" not in text_of(known), "a receipt of an older version"
