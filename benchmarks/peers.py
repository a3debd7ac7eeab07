"""Ready-made smoke checks of the same routes, where npm can install them: `@playwright/test`, `pa11y-ci`."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PACKAGES = ("@playwright/test@1", "pa11y-ci@4")
_SPEC = """\
const { test, expect } = require('@playwright/test');
for (const address of ADDRESSES) {
  test(address, async ({ page }) => {
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
    const response = await page.goto(address);
    expect(response.ok()).toBe(true);
    await page.screenshot({ type: 'jpeg', quality: 60 });
    expect(errors).toEqual([]);
  });
}
"""


@dataclass(frozen=True)
class Peer:
    """How to run one of them; `codes` are its exit codes for "looked at everything"."""

    name: str
    argv: tuple[str, ...]
    codes: frozenset[int]


def installed_peers(folder: Path, browser: str, addresses: Sequence[str]) -> list[Peer]:
    """Install them below `folder`, ready for these addresses; none of them without npm."""
    npm = shutil.which("npm")
    if npm is None:
        return []
    command = [
        npm,
        "install",
        "--silent",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(folder),
    ]
    done = subprocess.run([*command, *PACKAGES], check=False, capture_output=True)
    if done.returncode:
        return []
    return [_playwright_test(folder, browser, addresses), _pa11y(folder, browser, addresses)]


def _playwright_test(folder: Path, browser: str, addresses: Sequence[str]) -> Peer:
    launch = {"executablePath": browser, "args": ["--no-sandbox", "--disable-gpu"]}
    options = {
        "testDir": str(folder),
        "fullyParallel": True,
        "reporter": "line",
        "use": {"launchOptions": launch},
    }
    (folder / "playwright.config.js").write_text(f"module.exports = {json.dumps(options)};")
    (folder / "smoke.spec.js").write_text(_SPEC.replace("ADDRESSES", json.dumps(list(addresses))))
    return Peer("@playwright/test", (str(folder / "node_modules/.bin/playwright"), "test"), frozenset({0}))


def _pa11y(folder: Path, browser: str, addresses: Sequence[str]) -> Peer:
    launch = {"executablePath": browser, "args": ["--no-sandbox", "--disable-gpu"]}
    defaults = {"chromeLaunchConfig": launch, "concurrency": 1, "timeout": 30000}
    config = folder / "pa11yci.json"
    config.write_text(json.dumps({"defaults": defaults, "urls": list(addresses)}))
    argv = (str(folder / "node_modules/.bin/pa11y-ci"), "--config", str(config))
    return Peer("pa11y-ci", argv, frozenset({0, 2}))  # 2: it has remarks on accessibility
