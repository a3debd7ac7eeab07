"""A reader sees nothing of the machine, and everything of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.veil import Veil
from support.secret_samples import SAMPLES

if TYPE_CHECKING:
    from pydantic import JsonValue

VEIL = Veil.over(
    (("/home/ada/shop", "<repository>"), ("/home/ada/.state", "<state>"), ("/home/ada", "~"), ("/", "root"))
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no commit in /home/ada/shop.", "no commit in <repository>."),
        ("/home/ada/shop/src/a.ts:3:1", "<repository>/src/a.ts:3:1"),
        ("at (/home/ada/shop/src/a.ts)", "at (<repository>/src/a.ts)"),
        ("file:///home/ada/x.html", "file://~/x.html"),
        ("/home/ada/.state/codevetter.sqlite3: busy", "<state>/codevetter.sqlite3: busy"),
        ("read /home/bob/site/server.js", "read /home/***/site/server.js"),
        (r"C:\Users\Bob\site\server.js", r"C:\Users\***\site\server.js"),
    ],
)
def test_a_place_of_the_machine_gets_a_name(text: str, shown: str) -> None:
    assert VEIL.text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "https://preview.example.com/home/ada/shop",
        "/pricing changed: src/app/pricing/page.tsx imports it",
        "/homes/bob",
        "GET http://127.0.0.1:3000/home/bob 404",
    ],
)
def test_a_path_of_the_site_stays(text: str) -> None:
    assert VEIL.text(text) == text


def test_a_route_that_begins_like_a_directory_stays_a_route() -> None:
    knowing = VEIL.knowing(routes=("/home/ada/shop", "/home/deals/today"))
    for text in ("visited /home/ada/shop", "/home/deals/today: 404"):
        assert knowing.text(text) == text
    assert VEIL.text("visited /home/ada/shop") == "visited <repository>"


def test_fields_that_hold_routes_and_addresses_lose_their_secrets_only() -> None:
    token = SAMPLES["github-token"]
    value: JsonValue = {
        "route": f"/home/ada/{token}",
        "redirects": ["/home/ada"],
        "note": "/home/ada",
        "count": 3,
    }
    assert VEIL.value(value) == {
        "route": "/home/ada/***",
        "redirects": ["/home/ada"],
        "note": "~",
        "count": 3,
    }
