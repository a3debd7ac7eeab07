"""What holds an eval up, in words that are true when they are said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.names import artifact_of
from artifactize.domain.states import OPEN, RequestState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS = {RequestState.BLOCKED: "behind", RequestState.WAIT_DEPENDENCY: "waits for"}


class KnownStates:
    """The states of evals at one moment, grouped once: a Run may have 10,000 of them."""

    def __init__(self, states: Mapping[str, RequestState | None]) -> None:
        self.of = states
        self.evals: dict[str, list[str]] = {}
        for eval_id in states:
            self.evals.setdefault(artifact_of(eval_id), []).append(eval_id)
        self._going_on = {artifact_of(name) for name, state in states.items() if state in OPEN}

    def go_on(self, blocked_by: Sequence[str]) -> bool:
        """Whether the state of one of these Artifacts and evals may still change."""
        return any(artifact_of(name) in self._going_on for name in blocked_by)


def held_by(state: RequestState, blocked_by: Sequence[str], known: KnownStates) -> str:
    """Return `behind a/b (RED), c/d (ERROR)` for an eval that is BLOCKED or waits; else "".

    `blocked_by` are the Artifacts and evals named when its gate was looked at last. What has become GREEN
    since then is left out, and an Artifact is told as its evals.
    """
    if state not in _WORDS:
        return ""
    named = dict.fromkeys(each for name in blocked_by for each in _evals_of(name, blocked_by, known))
    told = [_with_state(each, known) for each in named if known.of.get(each) is not RequestState.GREEN]
    return f"{_WORDS[state]} {', '.join(told or blocked_by)}"


def _evals_of(name: str, blocked_by: Sequence[str], known: KnownStates) -> Sequence[str]:
    """Return the evals that an Artifact's name stands for; itself, when none of them is known."""
    if name != artifact_of(name):
        return (name,)
    listed = [each for each in blocked_by if each != name and artifact_of(each) == name]
    return listed or known.evals.get(name) or (name,)


def _with_state(name: str, known: KnownStates) -> str:
    if name not in known.of:
        return name
    return f"{name} ({known.of[name] or 'no evidence'})"
