"""Which steps a review takes: what the mode says, then `--with-…` and `--skip-…`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prview.checks.base import Profile, Skip
from prview.domain.checks import CheckResult, Kind, State
from prview.domain.signals import check_id
from prview.errors import RunFailedError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from prview.checks.base import Check, CheckContext, Sight
    from prview.signals.base import Analyzer

SIGNALS_STEP = "signals"
ADVICE = frozenset({"hotspots", "dead_code", "cycles", "duplication"})
"""Kinds of signals that only advise, and read every changed file as a whole: quick has no time for them."""

STEPS = (Kind.LINT.value, Kind.TYPES.value, Kind.TESTS.value, Kind.SECURITY.value, Kind.HYGIENE.value)


@dataclass(frozen=True)
class Steps:
    """`include` are taken although the mode leaves them out, `skip` are not taken. Names of STEPS."""

    include: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()

    def checks(self, checks: Sequence[Check]) -> tuple[Check, ...]:
        """The checks, those that are left out replaced by one that says so. Raises RunFailedError."""
        refuse_both(self.include, self.skip)
        return tuple(self._chosen(check) for check in checks)

    def signals(self, signals: Sequence[Analyzer], profile: Profile) -> tuple[Analyzer, ...]:
        """The analyzers to run."""
        if SIGNALS_STEP in self.skip:
            return ()
        core = profile is Profile.QUICK and SIGNALS_STEP not in self.include
        return tuple(signal for signal in signals if not (core and signal.kind in ADVICE))

    def left_out(self, signals: Sequence[Analyzer], profile: Profile) -> tuple[CheckResult, ...]:
        """The other analyzers as they are listed: left out on purpose, and no pass."""
        taken = self.signals(signals, profile)
        why = f"left out by --skip-{SIGNALS_STEP}" if SIGNALS_STEP in self.skip else "for the other profiles"
        return tuple(
            CheckResult(
                check_id(signal.kind), signal.title, Kind.SIGNAL, State.SKIPPED, reason=why, neutral=True
            )
            for signal in signals
            if signal not in taken
        )

    def _chosen(self, check: Check) -> Check:
        if check.kind.value in self.skip:
            return LeftOut(check)
        return Included(check) if check.kind.value in self.include else check


def refuse_both(include: Collection[str], skip: Collection[str]) -> None:
    """Raise RunFailedError for a step that is wanted and not wanted."""
    both = sorted(set(include) & set(skip))
    if both:
        raise RunFailedError(f"--with-{both[0]} and --skip-{both[0]} contradict each other", hint="give one")


class LeftOut:
    """A check that was not wanted: it is listed, and nobody takes it for a pass."""

    def __init__(self, check: Check) -> None:
        self.id, self.name, self.kind = check.id, check.name, check.kind
        self._check = check

    def applies(self, context: CheckContext) -> Skip:
        """Say who left it out, unless it had nothing to look at anyway."""
        own = self._check.applies(_fuller(context))
        return own or Skip(f"left out by --skip-{self.kind.value}")

    async def look(self, context: CheckContext) -> Skip:
        """Nothing is looked at."""
        return self.applies(context)


class Included:
    """A check that looks as it does in a standard review, whatever the mode."""

    def __init__(self, check: Check) -> None:
        self.id, self.name, self.kind = check.id, check.name, check.kind
        self._check = check

    def applies(self, context: CheckContext) -> Skip | None:
        """Ask the check."""
        return self._check.applies(_fuller(context))

    async def look(self, context: CheckContext) -> Sight | Skip:
        """Let the check look."""
        return await self._check.look(_fuller(context))


def _fuller(context: CheckContext) -> CheckContext:
    return replace(context, profile=Profile.STANDARD) if context.profile is Profile.QUICK else context
