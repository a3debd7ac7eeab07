"""The preview's query values are in nothing that is kept."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.redaction import Redactor, mask_query, mask_url
from codevetter_verify.domain.secrets import MASK

SECRETS = st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=6, max_size=30)


@given(secret=SECRETS, around=st.text(max_size=20))
def test_a_secret_is_masked_in_every_spelling(secret: str, around: str) -> None:
    redactor = Redactor.of_query(urlencode({"x-bypass": secret}))
    for spelling in (secret, quote(secret, safe="")):
        assert spelling not in redactor.text(f"[{around}]{spelling}[{around}]", limit=10_000).replace(
            f"[{around}]", ""
        )


def test_short_values_are_masked_in_addresses_only() -> None:
    """Masking every `1` of a text would destroy the evidence."""
    redactor = Redactor.of_query("a=1")
    assert (
        redactor.text("error 1 at https://a.example/x?a=1&b", limit=100)
        == "error 1 at https://a.example/x?a=***&***"
    )


def test_an_address_loses_credentials_fragment_and_values() -> None:
    assert (
        mask_url("https://u:p@a.example/x?token=abc&flag#part") == f"https://a.example/x?token={MASK}&{MASK}"
    )
    assert mask_url("data:text/html,secret") == f"data:{MASK}"


def test_names_of_a_query_stay() -> None:
    assert mask_query("a=1&b=2") == "a=***&b=***"


@given(text=st.text(max_size=500), limit=st.integers(2, 50))
def test_text_is_cut_with_a_mark_and_holds_no_control_character(text: str, limit: int) -> None:
    kept = Redactor().text(text, limit=limit)
    assert len(kept) <= limit
    assert not any(ord(character) < 32 and character not in "\t\n\r" for character in kept)
    assert kept.endswith("…") or len(text) <= len(kept)
