"""Which browser server an address means, and that a token in it stays out of sight."""

from __future__ import annotations

import pytest

from codevetter_verify.browser.endpoint import ENV_VAR, configured_endpoint, parse_endpoint
from codevetter_verify.errors import BrowserFailedError


@pytest.mark.parametrize(
    ("text", "protocol", "is_here"),
    [
        ("ws://127.0.0.1:3000/", "playwright", True),
        ("wss://grid.example/playwright?token=s3cret", "playwright", False),
        ("http://localhost:9222", "cdp", True),
        ("ws://10.0.0.7:9222/devtools/browser/4f", "cdp", False),
        ("ws://grid.example:4444/session/4f/se/cdp", "cdp", False),
        ("cdp+wss://chrome.example?token=s3cret", "cdp", False),
        ("playwright+ws://[::1]:3000/devtools/", "playwright", True),
    ],
)
def test_an_address_says_its_protocol(text: str, protocol: str, *, is_here: bool) -> None:
    found = parse_endpoint(text)
    assert (found.protocol, found.is_here) == (protocol, is_here)
    assert "s3cret" not in repr(found)
    assert text.endswith(found.url)


@pytest.mark.parametrize("text", ["", "chromium", "ftp://host/", "ws://", "ws://[::1/", "/usr/bin/chromium"])
def test_what_is_no_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(BrowserFailedError, match="no address of a browser") as caught:
        parse_endpoint(f"{text}?token=s3cret" if text else text)
    assert "s3cret" not in str(caught.value)


def test_no_endpoint_is_configured_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENV_VAR, raising=False)
    assert configured_endpoint() is None
    monkeypatch.setenv(ENV_VAR, "ws://127.0.0.1:3000/")
    assert configured_endpoint() == parse_endpoint("ws://127.0.0.1:3000/")
