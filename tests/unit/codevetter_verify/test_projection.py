"""What an agent's call does to the checkout: nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.records import Enablement
from codevetter_verify.projection import Projection
from oskit.clock import now
from support.preview_site import PreviewSite
from support.trex import StandIn, place, request_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode, and bytes or target, of everything below: refs, index, reflogs and configuration included."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            str(path.readlink()).encode() if path.is_symlink() else path.read_bytes(),
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


async def test_the_checkout_is_byte_identical_after_a_call(tmp_path: Path) -> None:
    where = await place(tmp_path)
    scope = where.scope
    where.repo.write("uncommitted.txt", "work in progress")
    await where.store.enable(Enablement(scope.repo_id, scope.key, scope.path, "enabled", now(), "ada"))
    before = snapshot(where.repo.path)
    with PreviewSite(revision=where.repo.resolve("feature")) as site:
        projection = Projection(scope, where.store, StandIn())
        receipt = await projection.verify_change_preview(request_for(site.url))
    assert receipt.verdict == "passed_with_limits"
    assert snapshot(where.repo.path) == before
    assert {".git/index", ".git/HEAD", ".git/config", "uncommitted.txt"} <= before.keys()
