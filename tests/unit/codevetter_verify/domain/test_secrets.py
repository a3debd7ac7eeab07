"""Credentials are masked where they stand, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.secrets import mask_secrets
from support.secret_samples import PASSWORD, PRIVATE_KEY, SAMPLES

ORDINARY = (
    "GET https://preview.example.com/tokens/reset 404",
    "/pricing changed: src/app/(shop)/pricing/page.tsx imports it",
    "header x-commit-sha states " + "0123456789abcdef" * 2 + "01234567",
    "https://ada@host.example/x, token 12 of 20, secret santa, api key documentation2024",
    "Password: required. Forgot your password? Reset token sent.",
    "trex-preview-01a22ef4-97b0-7ea2-9ad1-994f5c2904fe",
    "sha256 " + "ab" * 32,
)


@pytest.mark.parametrize("kind", SAMPLES)
def test_an_issued_token_is_masked_where_it_stands(kind: str) -> None:
    masked = mask_secrets(f"before {SAMPLES[kind]} after")
    assert SAMPLES[kind] not in masked
    assert masked.startswith("before ")
    assert masked.endswith(" after")


def test_a_private_key_is_masked_whole_also_when_it_was_cut() -> None:
    assert mask_secrets(f"a\n{PRIVATE_KEY}\nb") == "a\n***\nb"
    assert mask_secrets(f"a\n{PRIVATE_KEY[:150]}") == "a\n***"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"Authorization: Bearer {PASSWORD}9", "Authorization: Bearer ***"),
        (f'{{"api_key": "{PASSWORD}9"}}', '{"api_key": "***"}'),
        (f"DB_PASSWORD={PASSWORD}9 next", "DB_PASSWORD=*** next"),
        (f"set-cookie: session={PASSWORD}9; Path=/", "set-cookie: ***; Path=/"),
        (f"postgres://ada:{PASSWORD}@db.example/x", "postgres://***@db.example/x"),
        (f"https://{PASSWORD}9@git.example/x", "https://***@git.example/x"),
        (f"the reset token {PASSWORD}9 expired", "the reset token *** expired"),
        (f"the password is {PASSWORD}9", "the password is ***"),
    ],
)
def test_a_value_that_is_named_as_a_secret_is_masked_and_its_name_stays(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


@pytest.mark.parametrize("text", ORDINARY)
def test_routes_ids_and_ordinary_words_stay(text: str) -> None:
    assert mask_secrets(text) == text


@given(st.text(max_size=300))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once
