"""The HTML page of a receipt: everything in one file, nothing of a preview's text alive in it."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.observation import NetworkProblem, ScriptError
from codevetter_verify.errors import ReceiptNotFoundError, StorageFailedError
from codevetter_verify.models import ReportRequest
from codevetter_verify.service.reporting import write_report
from codevetter_verify.service.run import Options
from codevetter_verify.trex import execute_trex_preview
from support.preview_site import PreviewSite
from support.trex import Place, StandIn, place, request_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.models import TrexPreviewReceipt

pytestmark = pytest.mark.anyio

JPEG = b"\xff\xd8\xff not really a picture"
HOSTILE = "</code></style><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & \u202e"


@dataclass
class Page(HTMLParser):
    """What a browser would make of the page."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def broken(seen: Observation) -> Observation:
    """A visit of a page that says hostile things, with a picture."""
    assert seen.state is not None
    return replace(
        seen,
        state=replace(seen.state, title=HOSTILE, text=HOSTILE),
        page_errors=(ScriptError(HOSTILE, "http://preview.example/app.js", 1, 2),),
        network=(NetworkProblem("http://preview.example/a.js", "script", "status 404", first_party=True),),
        screenshot=JPEG,
        watched_ms=1234,
    )


@pytest.fixture
async def where(tmp_path: Path) -> Place:
    return await place(tmp_path)


@pytest.fixture
def site(where: Place) -> Iterator[PreviewSite]:
    with PreviewSite(revision=where.repo.resolve("feature")) as running:
        yield running


async def ran(where: Place, site: PreviewSite) -> TrexPreviewReceipt:
    """A stored run whose `/about` failed."""
    return await execute_trex_preview(
        request_for(site.url),
        scope=where.scope,
        store=where.store,
        browser=StandIn({"/about": broken}, revision=where.repo.resolve("feature")),
        options=Options(screenshots="failures"),
    )


async def page_of(where: Place, receipt: TrexPreviewReceipt) -> Page:
    report = await write_report(ReportRequest(run_id=receipt.run_id), store=where.store)
    written = where.store.home / "artifacts" / receipt.run_id / "report.html"
    assert report.path == str(written)
    assert written.stat().st_mode & 0o077 == 0
    page = Page()
    page.feed(written.read_text("utf-8"))
    return page


async def test_the_page_holds_everything_loads_nothing_and_keeps_text_text(
    where: Place, site: PreviewSite
) -> None:
    receipt = await ran(where, site)
    page = await page_of(where, receipt)
    for words in (
        "Failed",
        receipt.summary.split("\u202e")[0],
        receipt.source.head_sha,
        receipt.preview.evidence,
        *(route.reason for route in receipt.routes),
        *(entry.path for entry in receipt.ledger),
        "watched for 1.2 s",
        receipt.run_id,
    ):
        assert words is not None
        assert words.replace("\u202e", "\\u202e") in page.text
    (image,) = page.all("img")
    assert image["src"] == f"data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"
    assert {tag for tag, _ in page.tags} & {"script", "link", "iframe", "object", "form", "a"} == set()
    (policy,) = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert receipt.limitations
    assert all(limit.replace("\u202e", "\\u202e") in page.text for limit in receipt.limitations)
    assert all(not name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "<script>alert(1)</script>" in page.text
    assert "\u202e" not in page.text
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@pytest.mark.parametrize("damage", ["changed", "gone"])
async def test_a_picture_that_is_not_the_one_of_the_run_is_not_shown(
    where: Place, site: PreviewSite, damage: str
) -> None:
    receipt = await ran(where, site)
    path = receipt.journeys[1].screenshot_path
    assert path is not None
    if damage == "gone":
        (where.store.home / path).unlink()
    else:
        (where.store.home / path).write_bytes(JPEG + b"!")
    page = await page_of(where, receipt)
    assert page.all("img") == []
    assert re.search(rf"cannot be shown: the file (is|was) {damage}", page.text)


async def test_a_page_goes_where_it_is_told_to(where: Place, site: PreviewSite, tmp_path: Path) -> None:
    receipt = await ran(where, site)
    asked = ReportRequest(run_id=receipt.run_id, output=str(tmp_path / "page.html"))
    assert (await write_report(asked, store=where.store)).path == str(tmp_path / "page.html")
    nowhere = ReportRequest(run_id=receipt.run_id, output=str(tmp_path / "missing" / "page.html"))
    with pytest.raises(StorageFailedError):
        await write_report(nowhere, store=where.store)
    with pytest.raises(ReceiptNotFoundError):
        await write_report(ReportRequest(run_id="trex-preview-0"), store=where.store)
