"""The review store on PostgreSQL: what it promises on SQLite, and several servers on one database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from support.postgresql import postgresql
from support.review_store import BOUND_S, ServedStore, entry, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.postgresql
THREADS, EACH = 6, 12


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture
def stores(tmp_path: Path, database: str) -> Iterator[tuple[ServedStore, ServedStore]]:
    """Two servers on one database."""
    with ServedStore(tmp_path, url=database) as one, ServedStore(tmp_path, url=database) as two:
        yield one, two


class Client:
    """A client of one server."""

    def __init__(self, store: ServedStore, token: str) -> None:
        self._url = store.url
        self._options: dict[str, Any] = {"headers": {"Authorization": f"Bearer {token}"}, "timeout": BOUND_S}

    def put(self, given: dict[str, Any]) -> httpx.Response:
        return httpx.put(f"{self._url}/v1/entries/{given['key']}", json=given, **self._options)

    def found(self, *names: str) -> dict[str, Any]:
        keys = {"keys": [key_of(name) for name in names]}
        answer = httpx.post(f"{self._url}/v1/lookup", json=keys, **self._options)
        assert answer.status_code == 200, answer.text
        entries: dict[str, Any] = answer.json()["entries"]
        return {name: entries[key_of(name)]["entry"] for name in names if key_of(name) in entries}


def test_servers_on_one_database_are_one_store(stores: tuple[ServedStore, ServedStore]) -> None:
    token = stores[0].token("all", "read", "publish")
    one, two = (Client(store, token) for store in stores)

    assert one.put(entry("a")).json()["known"] is False
    assert two.put(entry("a")).json()["known"] is True
    assert two.put(entry("a", verdict="RED")).status_code == 409
    assert two.put(entry("a", verdict="RED", execution="later")).status_code == 201
    assert one.found("a")["a"]["verdict"] == "RED"
    stores[1].run("rm", key_of("a"))
    assert (one.found("a"), two.put(entry("a")).json()["known"], one.found("a")) == ({}, True, {})
    stores[0].run("token", "revoke", "all", "--purge")
    assert two.put(entry("b")).status_code == 401


def test_what_many_put_at_once_is_there_once(stores: tuple[ServedStore, ServedStore]) -> None:
    token = stores[0].token("many", "read", "publish")

    def put_all(thread: int) -> list[int]:
        client = Client(stores[thread % 2], token)
        answers = [client.put(entry(f"same-{number}")) for number in range(EACH)]
        answers += [client.put(entry(f"own-{thread}-{number}")) for number in range(EACH)]
        return [answer.status_code for answer in answers]

    with ThreadPoolExecutor(THREADS) as threads:
        codes = [code for found in threads.map(put_all, range(THREADS)) for code in found]

    assert set(codes) == {200, 201}
    assert codes.count(201) == EACH + THREADS * EACH
    names = [f"same-{number}" for number in range(EACH)]
    names += [f"own-{thread}-{number}" for thread in range(THREADS) for number in range(EACH)]
    assert Client(stores[1], token).found(*names).keys() == set(names)


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    store = ServedStore.__new__(ServedStore)
    store.place = ("--store-url", f"postgresql+psycopg://tester@/x?host={tmp_path}")
    with pytest.raises(AssertionError, match="cannot use"):
        store.token("x", "read")
