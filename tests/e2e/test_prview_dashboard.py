"""The dashboard as somebody uses it: a real Chromium, its keyboard, both colour schemes, wide and narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import async_playwright

from codevetter_verify.browser.find import find_browser
from prview.domain.findings import Level
from support.prview_page import page_of
from support.prview_review import change_of, changed_file, commit, finding, result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.anyio]

WORDS = [
    f"+value_{line} = '{line}' or None  # a line that is long enough to need a narrow screen to wrap it"
    for line in range(300)
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A page about a change of three files, the last of which is folded at first."""
    files = [
        changed_file("a.py", " def f():", "-    return 1", "+    return two"),
        changed_file("docs/notes.md", "+<script>document.title = 'owned'</script>"),
        changed_file("src/large.py", *WORDS),
    ]
    items = (
        finding("a.py", 2, level=Level.ERROR, message="undefined name two"),
        finding("a.py", 70, new=False),
    )
    html = page_of(change_of(files, [commit(1, "Return two")]), result("ruff", *items))
    path = tmp_path / "dashboard.html"
    path.write_text(html, encoding="utf-8")
    return path


@pytest.fixture
async def browser() -> AsyncIterator[Any]:
    """A Chromium that is gone afterwards."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
        yield started
        await started.close()


async def opened(
    browser: Any, file: Path, *, width: int = 1440, scheme: str = "light"
) -> tuple[Any, list[str]]:
    """The page, and everything that went wrong on it."""
    context = await browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, trouble = await context.new_page(), []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda request: trouble.append(request.url) if request.url != file.as_uri() else None)
    await page.goto(file.as_uri())
    return page, trouble


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_the_screen_follows_the_system_s_colours_and_asks_nobody(
    browser: Any, file: Path, width: int, scheme: str
) -> None:
    page, trouble = await opened(browser, file, width=width, scheme=scheme)
    assert await page.evaluate("document.documentElement.scrollWidth") == width
    background = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(247, 246, 242)" if scheme == "light" else "rgb(20, 23, 26)")
    assert await page.title() == "BLOCK · topic · prview"
    assert trouble == []


async def test_the_theme_can_be_chosen_against_the_system_and_is_remembered(browser: Any, file: Path) -> None:
    page, _ = await opened(browser, file, scheme="light")
    await page.keyboard.press("t")
    await page.keyboard.press("t")
    assert await page.locator("#theme").inner_text() == "Theme: dark"
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
    await page.reload()
    assert await page.locator("#theme").inner_text() == "Theme: dark"


async def test_tab_reaches_what_can_be_used_in_the_order_of_the_page_and_shows_where_it_is(
    browser: Any, file: Path
) -> None:
    page, _ = await opened(browser, file)
    seen = []
    for _ in range(40):
        await page.keyboard.press("Tab")
        seen.append(
            await page.evaluate(
                "(() => { const e = document.activeElement;"
                " return [e.tagName, e.textContent.trim().slice(0, 40), getComputedStyle(e).outlineStyle]; })()"
            )
        )
    assert seen[0][1] == "Skip to the changes"
    assert [text for tag, text, outline in seen if outline == "none" and tag != "BODY"] == []
    told = [text for _, text, _ in seen]
    order = [told.index(text) for text in ("Theme: auto", "Verdict", "result", "a.py:2", "Unfold all")]
    assert order == sorted(order)
    assert sum(tag == "SUMMARY" for tag, _, _ in seen) >= 4


async def test_keys_go_from_file_to_file_and_from_finding_to_finding(browser: Any, file: Path) -> None:
    page, _ = await opened(browser, file)
    focused = "document.activeElement.textContent"
    for expected in ("a.py", "docs/notes.md", "src/large.py", "src/large.py"):
        await page.keyboard.press("j")
        assert expected in await page.evaluate(focused)
    assert not await page.locator("#f3").evaluate("element => element.open")
    await page.keyboard.press("Enter")
    assert await page.locator("#f3").evaluate("element => element.open")
    await page.keyboard.press("k")
    assert "docs/notes.md" in await page.evaluate(focused)
    await page.keyboard.press("p")
    assert "undefined name two" in await page.evaluate(focused)


async def test_a_link_to_a_finding_unfolds_its_file(browser: Any, file: Path) -> None:
    page, _ = await opened(browser, file)
    await page.locator("#fold").click()
    assert not await page.locator("#f1").evaluate("element => element.open")
    await page.locator("table.findings a", has_text="a.py:2").click()
    await page.locator("#f1L2").wait_for(state="visible", timeout=5000)
    assert await page.locator("#f1").evaluate("element => element.open")


async def test_the_filter_leaves_the_files_that_match(browser: Any, file: Path) -> None:
    page, _ = await opened(browser, file)
    await page.keyboard.press("/")
    await page.keyboard.type("notes")
    shown = await page.locator("details.file:not([hidden]) .path").all_inner_texts()
    assert shown == ["docs/notes.md"]
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    assert await page.locator("#help").is_visible()
    await page.keyboard.press("Escape")
    assert not await page.locator("#help").is_visible()
