from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit import clock
from oskit.clock import SteadyClock, monotonic, now, rfc3339

MOMENTS = st.datetimes(min_value=dt.datetime(1000, 1, 2), max_value=dt.datetime(9999, 12, 30))  # noqa: DTZ001 - zones come from hypothesis
AWARE = st.builds(lambda moment, zone: moment.replace(tzinfo=zone), MOMENTS, st.timezones())


def test_now_is_utc_and_says_so() -> None:
    assert now().tzinfo is dt.UTC


def test_a_known_moment_is_written_in_utc_with_milliseconds() -> None:
    moment = dt.datetime(2026, 11, 30, 14, 5, 6, 7999, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    assert rfc3339(moment) == "2026-11-30T12:05:06.007Z"


@given(AWARE, AWARE)
def test_texts_sort_as_their_moments_do(one: dt.datetime, other: dt.datetime) -> None:
    earlier, later = sorted([one.astimezone(dt.UTC), other.astimezone(dt.UTC)])
    assert rfc3339(earlier) <= rfc3339(later)
    assert abs(dt.datetime.fromisoformat(rfc3339(one)) - one) < dt.timedelta(milliseconds=1)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        rfc3339(dt.datetime(2026, 11, 30))  # noqa: DTZ001 - what is refused


def test_the_monotonic_clock_does_not_go_back() -> None:
    readings = [monotonic() for _ in range(100)]
    assert readings == sorted(readings)


def test_a_clock_that_is_set_back_does_not_take_a_process_back(monkeypatch: pytest.MonkeyPatch) -> None:
    steady = SteadyClock()
    began = now()
    monkeypatch.setattr(clock, "now", lambda: began - dt.timedelta(days=1))
    assert steady.now() >= began - dt.timedelta(seconds=1)
    monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(days=1))
    assert steady.now() == began + dt.timedelta(days=1)
