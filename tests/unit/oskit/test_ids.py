from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from oskit.ids import uuid7

if TYPE_CHECKING:
    import pytest


def test_an_id_is_a_uuid_of_version_7_of_this_moment() -> None:
    before = time.time_ns() // 1_000_000
    made = uuid.UUID(uuid7())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= time.time_ns() // 1_000_000 + 1


def test_each_id_sorts_after_the_one_before() -> None:
    made = [uuid7() for _ in range(20_000)]
    assert made == sorted(set(made))


def test_ids_keep_their_order_when_the_clock_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    first = uuid7()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert first < uuid7() < uuid7()


def test_threads_never_make_the_same_id_twice() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [
            one for batch in pool.map(lambda _: [uuid7() for _ in range(1000)], range(8)) for one in batch
        ]
    assert len(set(made)) == 8000
