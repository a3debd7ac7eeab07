"""The page of a review store in a real Chromium: asked for a password, filtered, wide and narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.async_api import async_playwright

from codevetter_verify.browser.find import find_browser
from support.review_store import BOUND_S, ServedStore, entry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.anyio]
SAID = "<script>document.title = 'owned'</script> line 3 of terms.txt defines no such term " * 3


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[tuple[Any, str]]:
    """A page of a browser that knows the password, and the address."""
    with ServedStore(tmp_path) as store:
        token = store.token("ada", "read", "publish")
        for number in range(3):
            given = entry(str(number), verdict="RED" if number == 1 else "GREEN", message=SAID)
            headers = {"Authorization": f"Bearer {token}"}
            async with httpx.AsyncClient(base_url=store.url, headers=headers, timeout=BOUND_S) as http:
                assert (await http.put(f"/v1/entries/{given['key']}", json=given)).status_code == 201
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser()), args=["--no-sandbox"]
            )
            context = await browser.new_context(http_credentials={"username": "any", "password": token})
            yield await context.new_page(), store.url
            await browser.close()


async def test_verdicts_are_seen_filtered_and_harmless(page: tuple[Any, str]) -> None:
    shown, url = page
    complaints: list[str] = []
    shown.on("console", lambda message: complaints.append(message.text))
    await shown.goto(url)
    rows = shown.locator("tbody tr")
    assert await rows.count() == 3
    assert await shown.title() == "Review store"
    assert "document.title" in await rows.first.inner_text()
    await shown.get_by_role("link", name="RED").click()
    assert [await rows.count(), await rows.first.locator(".RED").count()] == [1, 1]
    await rows.first.get_by_role("link").click()
    assert await rows.count() == 1
    for width in (1280, 360):
        await shown.set_viewport_size({"width": width, "height": 800})
        assert await shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert complaints == []
