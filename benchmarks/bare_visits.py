"""The floor of a visit: Playwright alone opens the same routes and takes the same pictures, guarding nothing.

python -m benchmarks.bare_visits sequential|concurrent BROWSER ADDRESS…
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright


async def _visit(browser: Browser, address: str, picture: Path) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    page = await context.new_page()
    await page.goto(address, wait_until="load")
    await page.screenshot(path=picture, type="jpeg", quality=60)
    await context.close()


async def _main(mode: str, executable: str, addresses: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
            )
            visits = [
                _visit(browser, address, Path(folder) / f"{number}.jpg")
                for number, address in enumerate(addresses)
            ]
            if mode == "concurrent":
                await asyncio.gather(*visits)
            else:
                for visit in visits:
                    await visit
            await browser.close()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2], sys.argv[3:]))
