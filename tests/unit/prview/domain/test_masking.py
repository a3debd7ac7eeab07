"""Secrets are found by their form and taken out; what only looks random stays."""

from __future__ import annotations

import hashlib
import json
import time
from string import ascii_letters, octdigits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.masking import Secret, mask_bytes, mask_text, secrets_by_line
from support.secret_samples import KEY_BODY, PASSWORD, PRIVATE_KEY, SAMPLES, noise

NAMES = st.sampled_from(
    ["token", "api_key", "SECRET_KEY", "password", "clientSecret", "AUTH_TOKEN", "private_key"]
)
FORMS = st.sampled_from(
    ['{n} = "{v}"', "{n}: '{v}'", '"{n}": "{v}",', "{n}={v}", "export {n}={v}", "{n} := `{v}`"]
)


def find_secrets(line: str, *, careful: bool = False) -> tuple[Secret, ...]:
    """The secrets of one line, which has others around it."""
    found = secrets_by_line(["", "é", line, "token"], careful=careful)
    assert set(found) <= {2}
    return found.get(2, ())


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_token_of_a_known_form_is_found_wherever_it_stands(kind: str) -> None:
    for around in ("{}", 'call("{}")', "# {}", "a={};", "https://x.invalid/?q={}&z=1", "[{}]"):
        line = around.format(SAMPLES[kind])
        (found,) = find_secrets(line)
        assert (found.kind, line[found.start : found.end]) == (kind, SAMPLES[kind])
        assert SAMPLES[kind] not in mask_text(f"one\n{line}\ntwo\n")


@given(name=NAMES, form=FORMS, seed=st.integers(0, 999), pairs=st.integers(9, 30))
def test_a_random_value_under_the_name_of_a_secret_is_found(
    name: str, form: str, seed: int, pairs: int
) -> None:
    letters, digits = (
        noise(2 * pairs, alphabet=ascii_letters, seed=str(seed)),
        noise(pairs, alphabet=octdigits),
    )
    value = "".join(letters[2 * at : 2 * at + 2] + digits[at] for at in range(pairs))
    assert value not in mask_text(form.format(n=name, v=value))


@given(name=NAMES, form=FORMS, value=st.one_of(
    st.uuids().map(str),
    st.binary(max_size=9).map(lambda data: hashlib.sha1(data).hexdigest()),
    st.binary(max_size=9).map(lambda data: hashlib.sha256(data).hexdigest()),
    st.binary(max_size=9).map(lambda data: "sha512-" + hashlib.sha512(data).hexdigest() + "=="),
    st.from_regex(r"[a-z]{3,9}([-_][a-z]{3,9}){0,4}", fullmatch=True),
    st.from_regex(r"[A-Z][a-z]{2,8}([A-Z][a-z]{2,8}){0,3}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){2}", fullmatch=True),
))  # fmt: skip
def test_what_is_public_or_made_of_words_is_no_secret(name: str, form: str, value: str) -> None:
    line = form.format(n=name, v=value)
    assert find_secrets(line) == ()
    assert mask_text(line) is line


@pytest.mark.parametrize(
    "line",
    [
        'password = "changeme"',
        'password = "hunter2hunter2"',
        'token = os.environ["GITHUB_TOKEN"]',
        "token = session.token2.value3.inner4",
        'token: str = "${GITHUB_TOKEN}"',
        'api_key = "<your api key here>"',
        "api_key: {{ .Values.apiKey }}",
        'secret_name = "' + noise(24) + '"',
        'token_url = "https://auth.invalid/oauth2/token?x=1a2B3c"',
        "def tokenize(text: str) -> list[str]: return text.split()",
        'password_field = "input#password-3f"',
        "aws_access_key_id = " + "AK" + "IAIOSFODNN7EXAMPLE",
        "github: gh" + "p_" + "x" * 36,
        "github: gh" + "p_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "redis://user:password@cache.invalid/0",
        "postgres://postgres:postgres@localhost:5432/app",
        "http://localhost:8080/@scope/package",
        "git@github.com:owner/repo.git and https://github.com/owner/repo@v1",
        'integrity "sha512-' + noise(86) + '=="',
        '"js-tokens": "^4.0.0"',
        "index 0123456789abcdef0123456789abcdef01234567..89abcdef0123456789abcdef0123456789abcdef",
        'CSRF_TOKEN_NAME = "X-CSRF-Token-V2"',
        "max_tokens=4096, tokens = 1234567890123456",
    ],
)  # fmt: skip
def test_examples_templates_and_code_are_no_secrets(line: str) -> None:
    assert find_secrets(line) == ()


def test_only_the_secret_of_an_address_is_taken_out() -> None:
    masked = mask_text(f"amqp://worker:{PASSWORD}@queue.invalid:5672/jobs")
    assert masked == "amqp://worker:[masked:url-password]@queue.invalid:5672/jobs"


def test_tests_need_more_to_be_believed_unless_the_form_says_it() -> None:
    line = 'password = "aB3$xY9!q"'
    assert [item.kind for item in find_secrets(line)] == ["assigned-secret"]
    assert find_secrets(line, careful=True) == ()
    assert find_secrets(SAMPLES["github-token"], careful=True)


@pytest.mark.parametrize("mark", ["", "+", "-", " "])
def test_a_private_key_is_masked_line_by_line_so_that_a_patch_keeps_its_lines(mark: str) -> None:
    text = "".join(f"{mark}{line}\n" for line in PRIVATE_KEY.split("\n"))
    masked = mask_text(text)
    assert masked.count("\n") == text.count("\n")
    assert [line[: len(mark)] for line in masked.splitlines()] == [mark] * 8
    assert not any(line in masked for line in KEY_BODY)
    assert "PRIVATE KEY-----" in masked


def test_a_private_key_inside_of_a_string_is_masked() -> None:
    text = json.dumps({"key": PRIVATE_KEY, "after": "stays"})
    masked = mask_text(text)
    assert not any(line in masked for line in KEY_BODY)
    assert json.loads(masked)["after"] == "stays"


@given(st.binary(max_size=400))
def test_other_bytes_are_never_touched(data: bytes) -> None:
    secret = SAMPLES["github-token"].encode()
    assert mask_bytes(data + b"\n" + secret + b"\n" + data) == mask_bytes(
        data
    ) + b"\n[masked:github-token]\n" + mask_bytes(data)


@given(st.text(max_size=400))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask_text(text + "\n" + SAMPLES["stripe-key"])
    assert mask_text(once) is once


def test_a_line_of_megabytes_costs_time_in_proportion() -> None:
    """Unbounded expressions would take minutes here."""
    started = time.monotonic()
    for piece in ("token", "a.b-", "://", "secret=", "eyJ", "password:x@"):
        mask_bytes(piece.encode() * 40_000)
    assert time.monotonic() - started < 15
