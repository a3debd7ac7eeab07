"""What a run leaves on disk: metadata of the access, a receipt, and no secret of anybody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from codevetter_verify.domain.observation import PageState
from codevetter_verify.domain.records import Enablement
from codevetter_verify.errors import InvalidInputError, NotEnabledError
from codevetter_verify.projection import Projection
from codevetter_verify.tools import _tool
from codevetter_verify.trex import execute_trex_preview
from mcpkit.errors import InvalidArgumentsError
from oskit.clock import now
from support.preview_site import Answer, PreviewSite, document
from support.secret_samples import PASSWORD, PRIVATE_KEY, SAMPLES
from support.trex import Place, StandIn, place, request_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codevetter_verify.domain.observation import Observation

pytestmark = pytest.mark.anyio
BYPASS = f"{PASSWORD}42"
HEADER = f"{PASSWORD}77"


@pytest.fixture
async def where(tmp_path: Path) -> Place:
    return await place(tmp_path)


@pytest.fixture
def site(where: Place) -> Iterator[PreviewSite]:
    with PreviewSite(revision=where.repo.resolve("feature")) as running:
        secret = {"set-cookie": f"session={HEADER}", "x-internal-token": HEADER}
        running.answer("/", Answer(document("<h1>Widget</h1>"), headers=secret))
        yield running


def leaking(seen: Observation) -> Observation:
    """A page that shows a credential of every kind."""
    shown = " ".join([*SAMPLES.values(), PRIVATE_KEY, f"password={BYPASS}"])
    return replace(seen, state=PageState(title=f"token: {BYPASS}", text=shown, heading="Widget"))


async def enabled(where: Place) -> Projection:
    scope = where.scope
    await where.store.enable(Enablement(scope.repo_id, scope.key, scope.path, "enabled", now(), "ada"))
    return Projection(scope, where.store, StandIn(seen={"/about": leaking}))


async def test_no_planted_secret_is_anywhere_below_the_state_directory(
    where: Place, site: PreviewSite
) -> None:
    projection = await enabled(where)
    receipt = await projection.verify_change_preview(request_for(f"{site.url}?bypass={BYPASS}"))
    assert "***" in (receipt.journeys[1].trace.body_text or "")
    kept = b"".join(path.read_bytes() for path in where.store.home.rglob("*") if path.is_file())
    assert receipt.run_id.encode() in kept  # so this is where a secret would be
    planted = {**SAMPLES, "bypass": BYPASS, "header": HEADER, "key": PRIVATE_KEY.splitlines()[1]}
    assert [name for name, secret in planted.items() if secret.encode() in kept] == []


async def test_an_access_is_kept_with_how_it_ended_and_for_how_long(where: Place, site: PreviewSite) -> None:
    projection = await enabled(where)
    receipt = await projection.verify_change_preview(request_for(site.url))
    with pytest.raises(InvalidInputError):
        await projection.verify_change_preview(request_for("ftp://preview.example/"))
    await where.store.disable(where.scope.repo_id, at=now(), by="ada")
    refused, answered = await where.store.audited(repo_key=where.scope.key, limit=9)
    assert (answered.face, answered.status, answered.verdict) == ("mcp", "answered", receipt.verdict)
    assert answered.run_id == receipt.run_id
    assert answered.result_bytes > answered.request_bytes > 0
    assert (refused.status, refused.verdict, refused.run_id) == ("invalid_arguments", None, None)


async def test_a_call_that_the_closed_input_refuses_is_kept_without_what_it_said(where: Place) -> None:
    projection = await enabled(where)
    operation = _tool(projection.verify_change_preview, refused=projection.refused)
    for arguments in (
        {"preview_url": f"https://x.example/?t={BYPASS}", BYPASS: 1},
        [BYPASS],
        float("nan"),
        None,
    ):
        with pytest.raises(InvalidArgumentsError):
            await operation.call(arguments)
    rows = await where.store.audited(repo_key=where.scope.key, limit=9)
    assert [(row.face, row.status, row.run_id, row.result_bytes) for row in rows] == [
        ("mcp", "invalid_arguments", None, 0)
    ] * 4
    assert rows[-1].request_bytes > len(BYPASS)
    kept = b"".join(path.read_bytes() for path in where.store.home.rglob("*") if path.is_file())
    assert BYPASS.encode() not in kept


async def test_an_access_without_a_permission_is_kept_too(where: Place) -> None:
    projection = Projection(where.scope, where.store, StandIn())
    with pytest.raises(NotEnabledError):
        await projection.verify_change_preview(request_for("http://127.0.0.1:9/"))
    assert [row.status for row in await where.store.audited(repo_key=None, limit=9)] == ["not_enabled"]


async def test_the_owners_own_run_and_a_cancelled_one_are_kept_as_what_they_were(
    where: Place, site: PreviewSite
) -> None:
    begun = anyio.Event()

    async def forever() -> None:
        begun.set()
        await anyio.sleep_forever()

    async def owners() -> None:
        await execute_trex_preview(
            request_for(site.url), scope=where.scope, store=where.store, browser=StandIn(during=forever)
        )

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(owners)
        with anyio.fail_after(30):
            await begun.wait()
        tasks.cancel_scope.cancel()
    (row,) = await where.store.audited(repo_key=None, limit=9)
    assert (row.face, row.status, row.verdict) == ("command", "cancelled", None)
