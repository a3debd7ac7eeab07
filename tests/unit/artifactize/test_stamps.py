from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from artifactize.tree.stamps import DRIFT_NS, SETTLED_NS, epoch, has_settled, same_clock

S = 1_000_000_000
TICK = 4_000_000
"""The kernel stamps files with the time of its last tick."""


@dataclass
class World:
    """A machine with a clock that can be set, and one file whose writers restore size and modification time."""

    uptime: int = 100 * S
    boot: int = 1_790_000_000 * S
    content: int = 0
    ctime: int = 0
    ticks: set[int] = field(default_factory=set)

    @property
    def wall(self) -> int:
        return self.boot + self.uptime

    @property
    def tick(self) -> int:
        return self.boot + self.uptime // TICK * TICK + 123_457


class ClockedFile(RuleBasedStateMachine):
    """Whatever is written and however the clock is set: what is believed without reading is what would be read."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.written: set[int] = set()
        self.write()
        self.known: tuple[int, int, int, bool] | None = None

    @rule()
    def write(self) -> None:
        self.world.content += 1
        self.world.ctime = self.world.tick

    @rule(step=st.sampled_from([1, TICK, TICK // 2, 10 * TICK, S // 2, S, 2 * S, 3 * S, 60 * S]))
    def time_passes(self, step: int) -> None:
        self.world.uptime += step

    @rule(step=st.sampled_from([-60 * S, -3 * S, -2 * S, -S, -S // 2, -TICK, TICK, S // 2, 5 * S]))
    def the_clock_is_set_for_good(self, step: int) -> None:
        """Set and set back again, a time with nanoseconds does not come back: see `has_settled`."""
        if step < 0 or self.world.boot + step <= self.latest_boot:
            self.world.boot += step
        self.lowest_boot = min(self.lowest_boot, self.world.boot)
        if self.world.boot > self.lowest_boot:
            self.world.boot += 1  # another phase of the tick

    @rule()
    def reboot(self) -> None:
        down = 30 * S
        self.world.boot += self.world.uptime + down
        self.world.uptime = S
        self.latest_boot = max(self.latest_boot, self.world.boot)

    @rule()
    def look(self) -> None:
        """A look that has to read; one that believes a former stamp keeps the clock of that one."""
        if self.is_believed():
            return
        settled = has_settled((0, self.world.ctime, 1, 1, 1, 0o100644), self.world.wall)
        self.known = (self.world.content, self.world.ctime, self.world.boot, settled)

    latest_boot = 1_790_000_000 * S
    lowest_boot = 1_790_000_000 * S

    def is_believed(self) -> bool:
        if self.known is None:
            return False
        _, ctime, boot, settled = self.known
        return settled and ctime == self.world.ctime and same_clock(boot, self.world.boot)

    @invariant()
    def what_is_believed_is_true(self) -> None:
        if self.is_believed():
            assert self.known is not None
            assert self.known[0] == self.world.content


ClockedFile.TestCase.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
TestClockedFile = ClockedFile.TestCase


def test_a_stamp_settles_when_the_clock_has_moved_on_from_it() -> None:
    stamp = (0, 10 * S + 1, 1, 1, 1, 0o100644)
    assert not has_settled(stamp, 10 * S + 2)
    assert not has_settled(stamp, 10 * S + 1 + SETTLED_NS)
    assert has_settled(stamp, 10 * S + 2 + SETTLED_NS)


def test_a_time_in_whole_milliseconds_never_settles() -> None:
    """Such file systems may give the same time out twice."""
    assert not has_settled((0, 10 * S, 1, 1, 1, 0o100644), 1000 * S)


def test_the_epoch_stays_while_nobody_sets_the_clock() -> None:
    assert same_clock(epoch(), epoch())
    assert not same_clock(epoch() - 2 * DRIFT_NS, epoch())
    assert not same_clock(epoch() + 2 * DRIFT_NS, epoch())
