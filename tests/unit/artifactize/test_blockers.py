"""What holds an eval up is told with its state, and only while it does."""

from __future__ import annotations

from artifactize.domain.blockers import KnownStates, held_by
from artifactize.domain.states import RequestState

_S = RequestState


def test_each_blocker_is_told_with_its_own_state() -> None:
    known = KnownStates({"a/red": _S.RED, "b/err": _S.ERROR, "c/late": _S.GREEN, "d/x": None})
    told = held_by(_S.BLOCKED, ("a", "a/red", "b", "b/err", "c", "c/late", "d", "d/x"), known)
    assert told == "behind a/red (RED), b/err (ERROR), d/x (no evidence)"


def test_an_artifact_is_told_as_its_evals_that_are_not_green() -> None:
    known = KnownStates({"a/good": _S.GREEN, "a/bad": _S.RED, "other/e": _S.RED})
    assert held_by(_S.BLOCKED, ("a",), known) == "behind a/bad (RED)"
    assert held_by(_S.WAIT_DEPENDENCY, ("unknown",), known) == "waits for unknown"
    assert held_by(_S.GREEN, ("a",), known) == ""


def test_a_blocker_that_goes_on_is_not_told_yet() -> None:
    known = KnownStates({"a/bad": _S.RED, "b/slow": _S.RUNNING})
    assert known.go_on(("a", "b"))
    assert not known.go_on(("a", "a/bad"))
