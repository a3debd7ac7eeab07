"""Retention lets runs go, and never the ones that somebody relies on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from prview.domain.retention import Candidate, to_remove

NOW = datetime(2026, 6, 1, tzinfo=UTC)
RUNS = st.lists(
    st.builds(
        Candidate,
        run_id=st.integers(0, 300).map(lambda days: f"{NOW - timedelta(days=days):%Y%m%d-%H%M%S}-abcdef0"),
        completed=st.booleans(),
        active=st.booleans(),
    ),
    max_size=12,
).map(lambda runs: sorted(runs, key=lambda run: run.run_id, reverse=True))
KEEP = st.none() | st.integers(0, 12)
AGE = st.none() | st.integers(0, 300).map(lambda days: timedelta(days=days))


@given(RUNS, KEEP, AGE)
def test_active_runs_and_the_newest_completed_one_always_stay(
    runs: list[Candidate], keep: int | None, age: timedelta | None
) -> None:
    gone = to_remove(runs, keep=keep, older_than=age, now=NOW)
    left = [run for run in runs if not any(run is other for other in gone)]
    assert not any(run.active for run in gone)
    newest = next((run for run in runs if run.completed), None)
    assert newest is None or any(run is newest for run in left)
    assert len(left) >= min(keep or 0, len(runs))
    if age is not None:
        assert all(NOW - run.started > age for run in gone)


def test_a_run_goes_when_every_given_rule_lets_it_go() -> None:
    runs = [
        Candidate(f"2026{month}01-000000-abcdef0", completed=True, active=False)
        for month in ("05", "03", "01")
    ]

    def gone(keep: int | None, days: int | None) -> list[str]:
        age = None if days is None else timedelta(days=days)
        return [run.run_id[4:6] for run in to_remove(runs, keep=keep, older_than=age, now=NOW)]

    assert gone(None, None) == []
    assert gone(0, None) == ["03", "01"]
    assert gone(2, None) == ["01"]
    assert gone(None, 60) == ["03", "01"]
    assert gone(2, 60) == ["01"]
    assert gone(0, 120) == ["01"]


def test_an_old_id_without_a_real_date_counts_as_the_oldest() -> None:
    run = Candidate("99999999-999999", completed=False, active=False)
    assert to_remove([run], keep=None, older_than=timedelta(days=99), now=NOW) == (run,)
