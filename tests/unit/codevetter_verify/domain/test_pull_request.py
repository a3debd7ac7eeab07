"""How a pull request may be named."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.pull_request import PullSpec, parse_pull_request
from codevetter_verify.errors import InvalidInputError


def test_the_canonical_address_is_read() -> None:
    assert parse_pull_request("https://github.com/acme/wid.get_1/pull/42") == PullSpec(
        "github.com", "acme", "wid.get_1", 42
    )


@pytest.mark.parametrize(
    "text",
    [
        "http://github.com/acme/widget/pull/42",
        "https://github.com/acme/widget/pull/42/",
        "https://github.com/acme/widget/pull/42/files",
        "https://github.com/acme/widget/pull/42?x=1",
        "https://github.com/acme/widget/pull/42#x",
        "https://user@github.com/acme/widget/pull/42",
        "https://github.com:443/acme/widget/pull/42",
        "https://www.github.com/acme/widget/pull/42",
        "https://GitHub.com/acme/widget/pull/42",
        "https://gitlab.com/acme/widget/pull/42",
        "https://github.com/acme/../pull/42",
        "https://github.com/acme/widget/pull/0",
        "https://github.com/acme/widget/pull/042",
        "https://github.com/acme/widget/issues/42",
        f"https://github.com/{'a' * 101}/widget/pull/42",
        "https://github.com/acme/widget/pull/42\n",
        "42",
        "",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_pull_request(text)
    assert refused.value.details["field"] == "source.value"


def test_an_enterprise_host_counts_where_it_is_set_up() -> None:
    address = "https://git.acme.example/a/b/pull/1"
    with pytest.raises(InvalidInputError) as refused:
        parse_pull_request(address)
    assert "GH_HOST" in refused.value.text
    assert parse_pull_request(address, hosts=("github.com", "git.acme.example")).host == "git.acme.example"
