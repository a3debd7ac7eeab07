from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.declarations import RuntimeProfile
from artifactize.domain.verdicts import of_exit
from artifactize.models.states import RequestState as S

PROFILE = RuntimeProfile("x", error_codes=(2, 3))


@pytest.mark.parametrize(
    ("returncode", "timed_out", "state", "code"),
    [
        (0, False, S.GREEN, None),
        (1, False, S.RED, None),
        (255, False, S.RED, None),
        (2, False, S.ERROR, "EXIT_CODE"),
        (-9, False, S.ERROR, "SIGNALLED"),
        (None, False, S.ERROR, "EXIT_UNKNOWN"),
        (0, True, S.ERROR, "TIMEOUT"),
    ],
)
def test_the_end_of_a_command(returncode: int | None, timed_out: bool, state: S, code: str | None) -> None:
    verdict = of_exit(PROFILE, returncode=returncode, timed_out=timed_out)

    assert (verdict.state, verdict.code) == (state, code)


@given(st.none() | st.integers(-64, 255), st.booleans())
def test_only_an_exit_code_of_zero_in_time_is_green(returncode: int | None, timed_out: bool) -> None:
    verdict = of_exit(PROFILE, returncode=returncode, timed_out=timed_out)

    assert (verdict.state is S.GREEN) == (returncode == 0 and not timed_out)
