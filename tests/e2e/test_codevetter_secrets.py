"""A real page that spills secrets in every way a browser reports, and what is kept and answered of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.canonical import compact_json
from mcpkit.testing import RawServer
from support.codevetter import Bench, bench
from support.preview_site import Answer, Logged, PreviewSite, document, script

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser
WAYS = (
    "bypass",
    "fragment",
    "header",
    "cookie",
    "title",
    "text",
    "json",
    "bearer",
    "link",
    "console",
    "said",
    "console_address",
    "console_fragment",
    "thrown",
    "rejected",
    "fetched",
    "fetched_elsewhere",
    "redirect",
    "redirect_fragment",
)
SECRETS = {way: f"Zq{way.replace('_', '')}7x9K4{number}" for number, way in enumerate(WAYS)}
SPILLING = """
console.error("failed password={console} here");
console.error("token {said} was rejected");
console.error("GET https://cdn.example/a?sig={console_address}#access_token={console_fragment} failed");
console.error("{bypass} was given to the page");
fetch("/missing?apikey={fetched}").catch(() => 0);
fetch("http://elsewhere.invalid/x?k={fetched_elsewhere}").catch(() => 0);
Promise.reject(new Error("denied secret={rejected}"));
setTimeout(() => {{ throw new Error("boom access_key={thrown}"); }}, 20);
"""
SHOWN = """<p>your api_key: {text}</p><p>{{"token":"{json}"}}</p><p>Authorization: Bearer {bearer}</p>
<p>https://ada:{link}@host.example/</p>"""


def spilling(request: Logged) -> Answer:
    if "step" not in request.query:
        where = "/about?step=1&code={redirect}#id_token={redirect_fragment}".format(**SECRETS)
        return Answer("", 302, {"location": where})
    return Answer(document(SHOWN.format(**SECRETS) + script(SPILLING.format(**SECRETS))))


def spilled(found: str | bytes) -> list[str]:
    """The ways whose secret is in there."""
    text = found if isinstance(found, str) else found.decode("latin-1")
    return [way for way, secret in SECRETS.items() if secret in text]


def verified(machine: Bench, site: PreviewSite) -> dict[str, Any]:
    preview = "{site}?x-bypass={bypass}#{fragment}".format(site=site.url, **SECRETS)
    change = {"source": {"kind": "range", "value": "main..feature"}, "preview_url": preview}
    with RawServer(machine.server(machine.enable()), env=machine.env) as server:
        server.handshake()
        receipt: dict[str, Any] = server.call("verify_change_preview", change)["structuredContent"]
        assert spilled(server.log) == []
    return receipt


def test_secrets_that_a_real_page_spills_are_kept_and_answered_nowhere(tmp_path: Path) -> None:
    machine = bench(tmp_path)
    with PreviewSite(revision=machine.repo.resolve("feature")) as site:
        headers = {"x-internal-token": SECRETS["header"], "set-cookie": f"session={SECRETS['cookie']}"}
        title = f"token: {SECRETS['title']}"
        site.answer("/", Answer(document("<h1>Widget</h1>", title=title), headers=headers))
        site.answer("/about", spilling)
        receipt = verified(machine, site)
    answered = compact_json(receipt)
    for evidence in (
        "failed password=***",
        "denied secret=***",
        "boom access_key=***",
        "/missing?apikey=***",
    ):
        assert evidence in answered  # so the page did spill, and what is left is of use
    assert spilled(answered) == []
    kept = b"".join(f"{path}".encode() + path.read_bytes() for path in files(machine.folder / "home"))
    assert receipt["run_id"].encode() in kept
    assert spilled(kept) == []
    assert spilled(machine.run("receipts", "show", receipt["run_id"]).stdout) == []
    assert spilled(machine.run("audit", "list", "--json").stdout) == []


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
