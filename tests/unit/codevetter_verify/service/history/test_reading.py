"""What the history server answers, asked in-process: masked, dated, bounded, and only while it is allowed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from codevetter_verify.domain.observation import PageState
from codevetter_verify.domain.records import Enablement
from codevetter_verify.errors import (
    InvalidInputError,
    NotEnabledError,
    ReceiptNotFoundError,
    RevokedError,
)
from codevetter_verify.history.projection import History
from codevetter_verify.models.history import (
    ChangePathsRequest,
    HistoryLogRequest,
    ReceiptGetRequest,
    ReceiptsListRequest,
)
from codevetter_verify.service.history.access import Archive, veil_of
from codevetter_verify.store.reading import ReadingStore
from codevetter_verify.trex import execute_trex_preview
from mcpkit.canonical import canonical_json, compact_json, sha256_hex
from mcpkit.errors import InvalidCursorError, ToolError
from oskit.clock import now
from support.preview_site import PreviewSite
from support.secret_samples import SAMPLES
from support.trex import Place, StandIn, place, request_for

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.models import TrexPreviewReceipt

pytestmark = pytest.mark.anyio
TOKEN = SAMPLES["github-token"]
NOWHERE = "http://127.0.0.1:9/"
WIRE_BYTES = 62 * 1024


@pytest.fixture
async def where(tmp_path: Path) -> Place:
    return await place(tmp_path)


async def allow(where: Place, **changes: object) -> None:
    scope = where.scope
    given = Enablement(scope.repo_id, scope.key, scope.path, "enabled", now(), "ada")
    await where.store.enable(replace(given, **changes), permission="history")  # type: ignore[arg-type]


@pytest.fixture
async def history(where: Place) -> History:
    await allow(where)
    return reader(where)


def reader(where: Place) -> History:
    home = where.store.home
    return History(Archive(where.scope, ReadingStore(home), veil_of(where.scope, home)))


async def verified(where: Place, range_: str = "main..feature") -> TrexPreviewReceipt:
    """A stored receipt of a preview that does not answer: quick."""
    return await execute_trex_preview(
        request_for(NOWHERE, range_), scope=where.scope, store=where.store, browser=StandIn()
    )


async def test_receipts_are_listed_newest_first_and_say_whose_head_they_are(
    where: Place, history: History
) -> None:
    where.repo.git("checkout", "-q", "feature")
    old = await verified(where)
    where.repo.write("web/src/pages/new.html", "x").commit("more")
    new = await verified(where)
    found = await history.receipts_list(ReceiptsListRequest())
    assert [(row.run_id, row.of_current_head) for row in found.receipts] == [
        (new.run_id, True),
        (old.run_id, False),
    ]
    assert (found.current_head, found.total, found.next_cursor) == (where.repo.resolve("HEAD"), 2, None)
    assert found.as_of >= new.ran_at
    assert found.limits
    of_old = await history.receipts_list(ReceiptsListRequest(head=str(old.source.head_sha)[:8]))
    assert [row.run_id for row in of_old.receipts] == [old.run_id]
    assert (await history.receipts_list(ReceiptsListRequest(verdict="failed"))).receipts == ()


async def test_pages_join_to_the_whole_and_a_cursor_dies_with_what_it_paged(
    where: Place, history: History
) -> None:
    made = [(await verified(where)).run_id for _ in range(3)]
    first = await history.receipts_list(ReceiptsListRequest(limit=2))
    rest = await history.receipts_list(ReceiptsListRequest(limit=2, cursor=first.next_cursor))
    assert [row.run_id for row in (*first.receipts, *rest.receipts)] == made[::-1]
    await verified(where)
    with pytest.raises(ToolError) as caught:
        await history.receipts_list(ReceiptsListRequest(limit=2, cursor=first.next_cursor))
    assert caught.value.error_class == InvalidCursorError().error_class


async def test_a_receipt_is_the_stored_one_but_for_what_belongs_to_the_machine(
    where: Place, history: History
) -> None:
    stored = await verified(where)
    found = await history.receipt_get(ReceiptGetRequest(run_id=stored.run_id))
    assert found.sha256 == sha256_hex(canonical_json(stored))
    masked = json.loads(compact_json(stored))
    masked["repo_path"] = "<repository>"
    assert (found.receipt, found.redacted, found.of_current_head) == (masked, True, True)


def leaking(where: Place) -> Callable[[Observation], Observation]:
    text = f"failed at {where.repo.path}/src/a.ts with {TOKEN}; see /about and {Path.home()}/notes"
    return lambda seen: replace(seen, state=PageState(title="Widget", text=text, heading="Widget"))


async def test_places_and_secrets_are_masked_in_place_and_routes_stay(where: Place, history: History) -> None:
    with PreviewSite(revision=where.repo.resolve("feature")) as site:
        receipt = await execute_trex_preview(
            request_for(site.url),
            scope=where.scope,
            store=where.store,
            browser=StandIn(seen={"/about": leaking(where)}),
        )
    found = await history.receipt_get(ReceiptGetRequest(run_id=receipt.run_id))
    text = compact_json(found)
    for secret in (TOKEN, str(where.repo.path), str(where.store.home)):
        assert secret not in text
    about = found.receipt["journeys"][1]  # type: ignore[index]
    assert about["route"] == "/about"  # type: ignore[index,call-overload]
    assert about["trace"]["body_text"] == (  # type: ignore[index,call-overload]
        "failed at <repository>/src/a.ts with ***; see /about and ~/notes"
    )


async def test_the_log_names_subjects_verdicts_and_no_address(where: Place, history: History) -> None:
    receipt = await verified(where)
    where.repo.git("checkout", "-q", "feature")
    head = where.repo.resolve("feature")
    where.repo.commit(f"rotate {TOKEN}", author="Zoë <zoe@example.org>")
    found = await history.history_log(HistoryLogRequest(limit=2))
    newest, verified_one = found.commits
    assert (newest.subject, newest.author, newest.verdict) == ("rotate ***", "Zoë", None)
    assert (verified_one.sha, verified_one.run_id) == (head, receipt.run_id)
    assert "zoe@example.org" not in compact_json(found)
    rest = await history.history_log(HistoryLogRequest(cursor=found.next_cursor))
    assert [commit.subject for commit in rest.commits] == ["first"]


async def test_changed_paths_carry_their_status_and_the_newest_verdict(
    where: Place, history: History
) -> None:
    receipt = await verified(where)
    found = await history.change_paths(ChangePathsRequest(range="main..feature"))
    assert [(entry.path, entry.status) for entry in found.paths] == [
        ("README.md", "added"),
        ("web/src/pages/about.html", "added"),
    ]
    assert (found.total, found.commit_count, found.run_id) == (2, 1, receipt.run_id)
    page = await history.change_paths(ChangePathsRequest(range="main...feature", limit=1))
    assert (page.merge_base_sha, len(page.paths)) == (where.repo.resolve("main"), 1)
    assert page.next_cursor is not None


async def test_a_page_of_long_names_fits_the_wire(where: Place, history: History) -> None:
    folder = "/".join(["ä" * 60] * 6)
    for number in range(200):
        where.repo.write(f"{folder}/{number}.txt", "x")
    where.repo.commit("many " + "ü" * 5000)
    found = await history.change_paths(ChangePathsRequest(range="HEAD~1..HEAD", limit=200))
    assert (found.total, len(found.paths) < 200) == (200, True)
    for answer in (found, await history.history_log(HistoryLogRequest(limit=50))):
        text = compact_json(answer)
        assert len(text.encode()) + len(json.dumps(text, ensure_ascii=False).encode()) < WIRE_BYTES


async def test_the_permission_to_verify_is_none_to_read_nor_the_other_way_round(where: Place) -> None:
    scope = where.scope
    given = Enablement(scope.repo_id, scope.key, scope.path, "enabled", now(), "ada")
    await where.store.enable(given)
    with pytest.raises(ToolError) as caught:
        await reader(where).receipts_list(ReceiptsListRequest())
    assert caught.value.error_class == NotEnabledError("x").error_class
    await allow(where)
    assert await where.store.disable(scope.repo_id, at=now(), by="ada")
    assert (await reader(where).receipts_list(ReceiptsListRequest())).total == 0


CALLS: dict[str, Callable[[History], Awaitable[object]]] = {
    "receipts_list": lambda history: history.receipts_list(ReceiptsListRequest()),
    "receipt_get": lambda history: history.receipt_get(ReceiptGetRequest(run_id="x")),
    "history_log": lambda history: history.history_log(HistoryLogRequest()),
    "change_paths": lambda history: history.change_paths(ChangePathsRequest(range="main..feature")),
}


@pytest.mark.parametrize("call", CALLS)
async def test_every_call_reads_the_permission_anew(where: Place, history: History, call: str) -> None:
    await where.store.disable(where.scope.repo_id, at=now(), by="ada", permission="history")
    with pytest.raises(ToolError, match="reading history is no longer enabled") as caught:
        await CALLS[call](history)
    assert caught.value.error_class == RevokedError("x").error_class
    assert "codevetter history enable" in (caught.value.hint or "")


async def test_a_time_that_has_passed_ends_reading(where: Place, history: History) -> None:
    await allow(where, expires_at=now())
    with pytest.raises(ToolError, match="its time ended"):
        await history.history_log(HistoryLogRequest())


async def test_a_repository_that_is_gone_is_refused_without_its_path(where: Place, history: History) -> None:
    shutil.rmtree(where.repo.path)
    with pytest.raises(ToolError, match="not at <repository>") as caught:
        await history.history_log(HistoryLogRequest())
    assert str(where.repo.path) not in caught.value.text


async def test_a_receipt_of_another_repository_is_not_found(where: Place, history: History) -> None:
    receipt = await verified(where)
    other = "trex-preview-other"
    await where.store.finish_run(receipt.model_copy(update={"run_id": other}), "another-key")
    with pytest.raises(ToolError) as caught:
        await history.receipt_get(ReceiptGetRequest(run_id=other))
    assert caught.value.error_class == ReceiptNotFoundError("x").error_class
    assert (await history.receipts_list(ReceiptsListRequest())).total == 1


async def test_what_names_no_commit_is_an_argument_that_is_wrong(history: History) -> None:
    with pytest.raises(ToolError, match="names no commit in <repository>") as caught:
        await history.history_log(HistoryLogRequest(revision="--all"))
    assert caught.value.error_class == InvalidInputError("x").error_class
    with pytest.raises(ToolError, match=r"one A\.\.B or A\.\.\.B"):
        await history.change_paths(ChangePathsRequest(range="main"))


async def test_the_readers_connection_cannot_write(where: Place) -> None:
    store = ReadingStore(where.store.home)
    with store._reading() as connection, pytest.raises(OperationalError, match="readonly"):
        connection.exec_driver_sql("DELETE FROM enablements")
