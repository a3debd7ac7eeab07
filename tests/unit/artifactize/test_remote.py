"""The client of a review store: what is trouble with the line, what is a refusal, and where tokens go."""

from __future__ import annotations

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from artifactize.errors import ReviewStoreError
from artifactize.models.review_store import Entry
from artifactize.remote.client import RefusedEntryError, StoreClient, UnreachableError
from artifactize.remote.config import (
    Remote,
    forget_remote,
    origin_of,
    pushed,
    read_remote,
    save_pushed,
    write_remote,
)
from artifactize.remote.signing import is_signed_by, raw_key, signed
from support.certificates import certificate
from support.review_store import entry, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WHO = b'{"name":"me","scopes":["read"]}'


class Answering:
    """A server that answers everything with one status, body and header; `asked` are the headers it got."""

    def __init__(self) -> None:
        self.status, self.body, self.headers = 200, WHO, {"Content-Type": "application/json"}
        self.asked: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(dict(self.headers))
                length = int(self.headers.get("Content-Length", 0))
                self.rfile.read(length)
                self.send_response(outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(outer.body)))
                self.end_headers()
                self.wfile.write(outer.body)

            do_POST = do_PUT = do_GET  # noqa: N815 - the names of http.server

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def answering() -> Iterator[Answering]:
    found = Answering()
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_server_in_trouble_is_as_good_as_none(answering: Answering, status: int) -> None:
    answering.status = status
    with StoreClient(answering.url, "token") as client, pytest.raises(UnreachableError, match=str(status)):
        client.whoami()


def test_nobody_at_the_address_is_as_good_as_no_answer(answering: Answering) -> None:
    answering.server.shutdown()
    answering.server.server_close()
    with (
        StoreClient(answering.url, "token") as client,
        pytest.raises(UnreachableError, match="does not answer"),
    ):
        client.whoami()


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 401, 403, 404, 405, 410])
def test_a_refusal_is_a_failure_and_a_redirect_is_not_followed(answering: Answering, status: int) -> None:
    answering.status, answering.headers = status, {"Location": f"{answering.url}/elsewhere"}
    with StoreClient(answering.url, "token") as client, pytest.raises(ReviewStoreError):
        client.lookup([key_of("one")])
    assert len(answering.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>log in</html>",
        b'{"entries":{}',
        b'{"entries":{"x":{}}}',
        b'{"entries":[],"more":1}',
        json.dumps(
            {
                "entries": {
                    key_of("two"): {
                        "sequence": 1,
                        "published_by": "x",
                        "received_at": "",
                        "entry": entry("two"),
                    }
                }
            }
        ).encode(),
    ],
)
def test_what_no_review_store_answers_is_a_failure(answering: Answering, body: bytes) -> None:
    answering.body = body
    with StoreClient(answering.url, "token") as client, pytest.raises(ReviewStoreError):
        client.lookup([key_of("one")])


@pytest.mark.parametrize(("status", "kind"), [(400, RefusedEntryError), (403, RefusedEntryError), (409, RefusedEntryError), (413, RefusedEntryError), (401, ReviewStoreError), (503, UnreachableError)])  # fmt: skip
def test_a_refused_entry_is_not_the_end_of_a_push(
    answering: Answering, status: int, kind: type[Exception]
) -> None:
    answering.status = status
    with StoreClient(answering.url, "token") as client, pytest.raises(kind):
        client.put(Entry.model_validate(entry()))


def test_a_certificate_of_nobody_known_is_a_failure(tmp_path: Path) -> None:
    context = certificate(tmp_path).context()
    found = Answering()
    found.server.socket = context.wrap_socket(found.server.socket, server_side=True)
    try:
        with (
            StoreClient(f"https://localhost:{found.server.server_port}", "token") as client,
            pytest.raises(ReviewStoreError, match="cannot be trusted"),
        ):
            client.whoami()
    finally:
        found.server.shutdown()
        found.server.server_close()


def test_the_token_goes_in_the_header_and_no_proxy_is_asked_for_this_machine(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with StoreClient(answering.url, "secret") as client:
        assert client.whoami().name == "me"
    assert answering.asked[0]["Authorization"] == "Bearer secret"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://reviews.example", "https://reviews.example"),
        ("https://Reviews.example:8443/", "https://reviews.example:8443"),
        ("http://127.0.0.1:8421", "http://127.0.0.1:8421"),
        ("http://[::1]:8421/", "http://[::1]:8421"),
        ("http://localhost", "http://localhost"),
    ],
)
def test_an_address_is_an_origin(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "http://reviews.example",
        "http://127.0.0.1.example",
        "https://user:pass@reviews.example",
        "https://reviews.example/path",
        "https://reviews.example?x=1",
        "ftp://reviews.example",
        "reviews.example",
        "https://reviews.example:port",
        "",
    ],
)
def test_an_address_that_is_not_safe_is_refused(url: str) -> None:
    with pytest.raises(ReviewStoreError):
        origin_of(url)


def remote(**fields: Any) -> Remote:
    given = {"origin": "https://a.example", "token": "secret", "name": "me", "scopes": ("read",), **fields}
    return Remote(**given)


def test_a_store_is_remembered_for_its_owner_only(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert read_remote(state) is None
    write_remote(state, remote())
    save_pushed(state, "https://a.example", 7)
    assert read_remote(state) == remote()
    assert (pushed(state, "https://a.example"), pushed(state, "https://b.example")) == (7, 0)
    assert {file.stat().st_mode & 0o777 for file in state.iterdir()} == {0o600}
    assert forget_remote(state)
    assert (read_remote(state), list(state.iterdir()), forget_remote(state)) == (None, [], False)


def _swap_address(state: Path) -> None:
    config = json.loads((state / "remote.json").read_text())
    (state / "remote.json").write_text(json.dumps({**config, "url": "https://evil.example"}))


@pytest.mark.parametrize(
    "damage",
    [
        _swap_address,
        lambda state: (state / "remote-token.json").unlink(),
        lambda state: (state / "remote-token.json").chmod(0o644),
        lambda state: (state / "remote.json").write_text("{"),
        lambda state: (state / "remote.json").write_text("[]"),
        lambda state: (state / "remote.json").write_text('{"url": 5}'),
    ],
    ids=["other address", "no token", "shared token", "no JSON", "no object", "other types"],
)
def test_damaged_files_are_a_failure_and_not_no_store(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    write_remote(tmp_path / "state", remote())
    damage(tmp_path / "state")
    with pytest.raises(ReviewStoreError):
        read_remote(tmp_path / "state")


def _key_file(path: Path) -> tuple[str, str, str]:
    key = Ed25519PrivateKey.generate()
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return str(path), base64.b64encode(raw).decode(), base64.b64encode(der).decode()


def test_a_signature_is_of_every_field_and_of_a_trusted_key(tmp_path: Path) -> None:
    file, raw, der = _key_file(tmp_path / "key.pem")
    _, other, _ = _key_file(tmp_path / "other.pem")
    found = signed(Entry.model_validate(entry()), file)
    assert raw_key(raw) == raw_key(der)
    assert is_signed_by(found, [other, raw])
    assert not is_signed_by(found, [other])
    assert not is_signed_by(Entry.model_validate(entry()), [raw])
    for field, value in {
        "verdict": "RED",
        "key": key_of("two"),
        "fingerprints": {},
        "reviewer": "eve",
    }.items():
        assert not is_signed_by(found.model_copy(update={field: value}), [raw]), field
    assert not is_signed_by(found.model_copy(update={"signature": "%%%"}), [raw])


@pytest.mark.parametrize("text", ["", "AAAA", "%%%", base64.b64encode(b"x" * 33).decode()])
def test_a_public_key_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ReviewStoreError, match="no Ed25519 public key"):
        raw_key(text)
