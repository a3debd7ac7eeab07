from __future__ import annotations

import errno

import pytest

from artifactize.errors import StateError
from artifactize.service.running import failure_words


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/s/out"), "No space left on device (/s/out)"),
        (
            StateError("cannot write db: disk is full", hint="free some space"),
            "disk is full; free some space",
        ),
        (RuntimeError("a bug"), "its log in the state directory says how"),
    ],
)
def test_a_worker_that_failed_says_what_a_person_can_mend(failure: Exception, told: str) -> None:
    assert told in failure_words(failure)
    assert told in failure_words(ExceptionGroup("tasks", [ExceptionGroup("more", [failure])]))
