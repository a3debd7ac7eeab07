"""How a preview proves which revision it shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.revision import HEADERS, identify, statements

HEAD = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"


def status_of(**headers: str) -> str:
    named = {name.replace("_", "-"): [value] for name, value in headers.items()}
    return identify(HEAD, statements(named)).status


@pytest.mark.parametrize(
    "value",
    [
        HEAD,
        HEAD[:7],
        HEAD[:12],
        HEAD.upper(),
        f'"{HEAD}"',
        f'W/"{HEAD[:9]}"',
        f" {HEAD} ",
        f"{HEAD[:7]}, {HEAD}",
    ],
)
def test_the_head_or_a_prefix_of_seven_digits_verifies(value: str) -> None:
    assert status_of(x_commit_sha=value) == "verified"


@pytest.mark.parametrize(
    "value", ["main", "HEAD", "v1.2.3", HEAD[:6], "", "refs/heads/main", "not-a-revision"]
)
def test_what_is_no_revision_is_ignored(value: str) -> None:
    assert status_of(x_commit_sha=value) == "claimed"


@pytest.mark.parametrize("value", [OTHER, OTHER[:7], f"{HEAD}, {OTHER}", HEAD[:-1] + "0"])
def test_another_revision_is_a_mismatch(value: str) -> None:
    assert status_of(x_commit_sha=value) == "mismatch"


def test_two_headers_that_disagree_are_a_mismatch_naming_both() -> None:
    identity = identify(HEAD, statements({"x-git-sha": [HEAD], "X-Vercel-Git-Commit-Sha": [OTHER]}))
    assert identity.status == "mismatch"
    assert HEAD in identity.evidence
    assert OTHER in identity.evidence


def test_the_evidence_says_that_a_revision_was_abbreviated() -> None:
    identity = identify(HEAD, statements({"x-git-sha": [HEAD[:8]]}))
    assert identity.evidence == "header x-git-sha states an abbreviation of 8 digits of the head"


def test_a_meta_is_weaker_evidence_and_can_still_contradict() -> None:
    metas = statements({"x-commit-sha": [HEAD]})
    assert identify(HEAD, (), metas).evidence.startswith("meta ")
    assert (
        identify(HEAD, statements({"x-commit-sha": [HEAD]}), statements({"x-git-sha": [OTHER]})).status
        == "mismatch"
    )


@given(st.dictionaries(st.sampled_from(HEADERS), st.lists(st.text(max_size=80), max_size=3), max_size=3))
def test_arbitrary_values_never_verify_a_head_they_do_not_name(values: dict[str, list[str]]) -> None:
    identity = identify(HEAD, statements(values))
    named = any(HEAD[:7] in value.lower() for held in values.values() for value in held)
    assert identity.status in ({"verified", "mismatch", "claimed"} if named else {"mismatch", "claimed"})


@given(st.integers(7, 40), st.sampled_from(HEADERS))
def test_every_long_enough_prefix_verifies(digits: int, header: str) -> None:
    assert identify(HEAD, statements({header: [HEAD[:digits]]})).status == "verified"
