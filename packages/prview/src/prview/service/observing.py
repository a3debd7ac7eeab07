"""Everything that is observed in one run: checks and signals, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from prview.checks.base import CHECK_TIMEOUT_S, CheckContext
from prview.checks.registry import CHECKS
from prview.checks.runner import run_checks
from prview.checks.trees import Trees
from prview.domain.policy import Impact
from prview.domain.signals import SignalState
from prview.service.outside import outside_files
from prview.signals.base import SignalConfig, SignalContext
from prview.signals.registry import SIGNALS
from prview.signals.runner import run_signals

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from oskit.git import Repository
    from prview.checks.base import Profile
    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.domain.project import Project
    from prview.domain.signals import SignalResult
    from prview.service.selection import Steps
    from prview.store.cache import ResultCache

_SIGNALS = "signals"
STARTED = ": started"
"""Ends the message about a step that began."""


@dataclass(frozen=True)
class Scene:
    """What is looked at, and how. `scratch` is removed afterwards; `timeout_s` is for one check."""

    repository: Repository
    change: Change
    project: Project
    profile: Profile
    steps: Steps
    checkouts: tuple[Path, ...]
    scratch: Path
    run_id: str
    cache: ResultCache | None
    allow_code: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True)
class Seen:
    """The results in the order of the registries, and why files are outside of them, by path."""

    checks: tuple[CheckResult, ...]
    signals: tuple[SignalResult, ...]
    outside: Mapping[str, str]


async def observe(scene: Scene, *, step: Callable[[int, int, str], Awaitable[None]]) -> Seen:
    """Run every check and signal. `step` hears how many of how many are done, and what ended last."""
    change = scene.change
    trees = Trees(scene.repository, head=change.head, base=change.merge_base, folder=scene.scratch)
    context = await _check_context(scene, trees)
    signal_context = await _signal_context(scene, trees)
    checks, signals = scene.steps.checks(CHECKS), scene.steps.signals(SIGNALS, scene.profile)
    found: list[SignalResult] = []
    total, ended = len(checks) + bool(signals), 0

    async def told(words: str) -> None:
        nonlocal ended
        ended += not words.endswith(STARTED)
        await step(ended, total, words)

    async def look_for_signals() -> None:
        if signals:
            await told(f"{_SIGNALS}{STARTED}")
            found.extend(await run_signals(signals, signal_context))
            await told(f"{_SIGNALS}: {_summed_up(found)}")

    async with anyio.create_task_group() as group:
        group.start_soon(look_for_signals)
        results = await run_checks(checks, context, step=lambda _, words: told(words))
    outside = await outside_files(change, trees, scene.repository, ignored=scene.project.ignored)
    return Seen(results, tuple(found), outside)


def _summed_up(results: Sequence[SignalResult]) -> str:
    failed = [result.kind for result in results if result.state is SignalState.ERROR]
    if failed:
        return f"ERROR ({', '.join(failed)} could not be evaluated)"
    spoke = [result.kind for result in results if result.state is SignalState.SPOKE]
    return f"DONE ({', '.join(spoke) or 'nothing to say'})"


async def _check_context(scene: Scene, trees: Trees) -> CheckContext:
    return CheckContext(
        change=scene.change,
        trees=trees,
        paths=frozenset(await trees.listing("head")),
        checkouts=scene.checkouts,
        scratch=scene.scratch,
        profile=scene.profile,
        may_run_code=scene.change.checked_out or scene.allow_code,
        timeout_s=scene.timeout_s or CHECK_TIMEOUT_S[scene.profile],
        run_id=scene.run_id,
        cache=scene.cache,
    )


async def _signal_context(scene: Scene, trees: Trees) -> SignalContext:
    config = SignalConfig(
        ignored=scene.project.ignored, breaking_escalation=scene.project.breaking is not Impact.NONE
    )
    return SignalContext(
        change=scene.change,
        trees=trees,
        base_paths=frozenset(await trees.listing("base")),
        head_paths=frozenset(await trees.listing("head")),
        repository=scene.repository,
        profile=scene.profile,
        config=config,
    )
