"""The service of a team's review store, in this process: who may do what, and what comes back."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from artifactize.errors import ReviewStoreError
from artifactize.review_store.administering import create_token, list_tokens, remove_verdicts, revoke_token
from artifactize.review_store.app import application
from artifactize.review_store.keeping import Keeper
from artifactize.review_store.openapi import document
from artifactize.review_store.running import Listening
from artifactize.store.team.database import TeamDatabase
from support.review_store import entry, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALL = ("read", "publish", "human")


class Bench:
    """A store with a token for everything."""

    def __init__(self, database: TeamDatabase, http: TestClient) -> None:
        self.database = database
        self.http = http
        self.all = self.token("all", *ALL)

    def token(self, name: str, *scopes: Any, valid_for: timedelta | None = None) -> dict[str, str]:
        """The header of a new token."""
        made = create_token(self.database, name, scopes=scopes, valid_for=valid_for)
        return {"Authorization": f"Bearer {made.token}"}

    def put(self, given: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        """Put an entry."""
        return self.http.put(f"/v1/entries/{given['key']}", json=given, headers=headers or self.all)

    def found(self, *names: str) -> dict[str, Any]:
        """The entries of some keys, by name."""
        keys = {key_of(name): name for name in names}
        answer = self.http.post("/v1/lookup", json={"keys": list(keys)}, headers=self.all)
        assert answer.status_code == 200, answer.text
        return {keys[key]: stored["entry"] for key, stored in answer.json()["entries"].items()}


@contextmanager
def opened(folder: Path, *, most: int = 10_000) -> Iterator[Bench]:
    database = TeamDatabase.in_folder(folder)
    with TestClient(application(Keeper(database, most=most)), follow_redirects=False) as http:
        yield Bench(database, http)
    database.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with opened(tmp_path / "store") as found:
        yield found


def test_what_is_put_is_found_and_putting_it_again_changes_nothing(bench: Bench) -> None:
    first, again = bench.put(entry()), bench.put(entry())
    assert (first.status_code, first.json()) == (201, {"sequence": 1, "known": False})
    assert (again.status_code, again.json()) == (200, {"sequence": 1, "known": True})
    assert bench.found("one", "two") == {"one": entry()}


def test_of_a_key_the_one_received_last_counts_whatever_its_clock_says(bench: Bench) -> None:
    bench.put(entry(execution="a", recorded_at="2030-01-01T00:00:00.000Z"))
    bench.put(entry(execution="b", verdict="RED", recorded_at="2020-01-01T00:00:00.000Z"))
    assert bench.found("one")["one"]["verdict"] == "RED"


def test_an_execution_that_says_something_else_is_refused(bench: Bench) -> None:
    bench.put(entry())
    answer = bench.put(entry(verdict="RED"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
    assert bench.found("one")["one"]["verdict"] == "GREEN"


@pytest.mark.parametrize("purge", [False, True])
def test_what_is_taken_back_does_not_come_back(bench: Bench, *, purge: bool) -> None:
    bench.put(entry(execution="a", message="old words"))
    bench.put(entry(execution="b", verdict="RED", message="new words"))
    removed = remove_verdicts(bench.database, key=key_of("one")[:8], eval_id=None, purge=purge)
    assert (removed.removed, bench.found("one")) == (1, {})
    assert bench.put(entry(execution="a", message="old words")).json()["known"]
    assert bench.found("one") == {}
    listed = bench.http.get("/v1/entries", headers=bench.all).text
    assert ("old words" in listed) != purge
    bench.put(entry(execution="c"))
    assert bench.found("one")["one"]["execution"] == "c"


def test_a_revoked_token_is_refused_and_its_verdicts_can_be_taken_back(bench: Bench) -> None:
    dev = bench.token("dev", "publish")
    bench.put(entry("mine"))
    assert bench.put(entry("theirs"), dev).status_code == 201
    assert revoke_token(bench.database, "dev", purge=True).removed == 1
    assert bench.put(entry("more"), dev).status_code == 401
    assert bench.found("mine", "theirs").keys() == {"mine"}
    with pytest.raises(ReviewStoreError, match="there is a token dev already"):
        bench.token("dev", "read")
    assert [each.revoked_at is None for each in list_tokens(bench.database).tokens] == [True, False]


@pytest.mark.parametrize(
    ("scopes", "given", "status"),
    [
        (("read",), entry(), 403),
        (("publish",), entry(), 201),
        (("publish",), entry(kind="human", reviewer="ada"), 403),
        (("human",), entry(kind="human", reviewer="ada"), 201),
        (("human",), entry(), 403),
    ],
)
def test_a_token_does_what_its_scopes_say(
    bench: Bench, scopes: tuple[str, ...], given: dict[str, Any], status: int
) -> None:
    headers = bench.token("some", *scopes)
    assert bench.put(given, headers).status_code == status
    asked = bench.http.post("/v1/lookup", json={"keys": []}, headers=headers).status_code
    assert asked == (200 if "read" in scopes else 403)
    assert bench.http.get("/v1/whoami", headers=headers).json() == {"name": "some", "scopes": list(scopes)}


def test_a_token_ends_when_it_was_said_to(bench: Bench) -> None:
    headers = bench.token("brief", "read", valid_for=timedelta(microseconds=1))
    assert bench.http.get("/v1/whoami", headers=headers).status_code == 401


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer artf_wrong", "Basic %%%", "Digest x"])
def test_without_a_valid_token_nothing_is_told(bench: Bench, header: str) -> None:
    bench.put(entry())
    for path in ("/", "/v1/whoami", "/v1/entries"):
        answer = bench.http.get(path, headers={"Authorization": header} if header else {})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert "guide" not in answer.text


@pytest.mark.parametrize(
    "change",
    [
        {"key": "nothing"},
        {"verdict": "GREENISH"},
        {"kind": "dependency"},
        {"fingerprints": {"guide": "x" * 257}},
        {"unknown": 1},
        {"message": "x" * 5000},
        {"execution": ""},
    ],
)
def test_an_entry_that_is_none_is_refused(bench: Bench, change: dict[str, Any]) -> None:
    given = entry(**change)
    answer = bench.http.put(f"/v1/entries/{key_of('one')}", json=given, headers=bench.all)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    assert bench.found("one") == {}


def test_sizes_are_bounded(bench: Bench) -> None:
    path = f"/v1/entries/{key_of('one')}"
    assert bench.http.put(path, content=b"x" * 70_000, headers=bench.all).status_code == 413
    many = {"keys": [key_of(str(number)) for number in range(1001)]}
    assert bench.http.post("/v1/lookup", json=many, headers=bench.all).status_code == 400
    assert bench.http.get("/v1/entries?limit=201", headers=bench.all).status_code == 400


def test_the_least_asked_for_are_forgotten_first_but_never_what_was_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path / "store", most=300) as bench:
        bench.put(entry("gone"))
        bench.put(entry("asked"))
        remove_verdicts(bench.database, key=key_of("gone"), eval_id=None, purge=False)
        for number in range(600):
            assert bench.put(entry(str(number))).status_code == 201
            if number % 50 == 0:
                assert bench.found("asked")
        assert bench.found("asked")
        assert bench.found("0", "1", "2") == {}
        assert bench.put(entry("gone")).json()["known"]
        assert bench.found("gone") == {}


def test_entries_are_listed_newest_first_and_paged_by_sequence(bench: Bench) -> None:
    for number in range(5):
        bench.put(entry(str(number)))
    first = bench.http.get("/v1/entries?limit=3", headers=bench.all).json()
    second = bench.http.get("/v1/entries?limit=3&before=3", headers=bench.all).json()
    assert [each["sequence"] for each in first["entries"] + second["entries"]] == [5, 4, 3, 2, 1]
    assert (first["more"], second["more"]) == (True, False)


def test_the_page_shows_verdicts_as_text_to_who_has_a_token(bench: Bench) -> None:
    bench.put(entry("one", verdict="RED", message="<script>alert(1)</script> & more"))
    secret = bench.all["Authorization"].removeprefix("Bearer ")
    page = bench.http.get("/?verdict=RED", auth=("anybody", secret))
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page.text
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "guide/terms" not in bench.http.get("/?verdict=GREEN", auth=("x", secret)).text


def test_an_unknown_address_and_a_wrong_method_are_told_in_one_form(bench: Bench) -> None:
    for answer, status in ((bench.http.get("/nope"), 404), (bench.http.delete("/v1/whoami"), 405)):
        assert (answer.status_code, set(answer.json()["error"])) == (status, {"code", "message"})


def test_tokens_lie_there_as_digests_only(bench: Bench, tmp_path: Path) -> None:
    secret = bench.all["Authorization"].removeprefix("Bearer ").encode()
    bench.put(entry())
    assert secret.startswith(b"artf_")
    for file in (tmp_path / "store").iterdir():
        assert secret not in file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as bench, bench.database.write() as connection:
        connection.exec_driver_sql("UPDATE schema_version SET version = 99")
    with pytest.raises(ReviewStoreError, match="newer version"):
        TeamDatabase.in_folder(tmp_path / "store")


@pytest.mark.parametrize(("host", "refused"), [("127.0.0.1", False), ("::1", False), ("0.0.0.0", True)])
def test_tokens_never_cross_a_network_in_the_clear(host: str, *, refused: bool) -> None:
    if refused:
        with pytest.raises(ReviewStoreError, match="in the clear"):
            Listening(host, 1).refuse_plain()
    else:
        Listening(host, 1).refuse_plain()
    Listening(host, 1, behind_proxy=True).refuse_plain()


def test_the_description_is_of_the_routes_that_there_are(bench: Bench) -> None:
    described = bench.http.get("/openapi.json").json()
    assert described == document()
    paths = {route.path for route in application(Keeper(bench.database)).routes}  # type: ignore[attr-defined] # routes of ours
    assert described["paths"].keys() == paths - {"/", "/openapi.json"}
