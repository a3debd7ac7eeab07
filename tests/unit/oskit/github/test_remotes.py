"""Where a remote's address points."""

from __future__ import annotations

import pytest

from oskit.github import HostedRepository, hosted, ssh_host_name


@pytest.mark.parametrize(
    ("url", "host", "slug"),
    [
        ("https://github.com/acme/widget", "github.com", "acme/widget"),
        ("https://user:secret@github.com/acme/widget.git", "github.com", "acme/widget"),
        ("ssh://git@ssh.github.com:443/acme/widget.git", "github.com", "acme/widget"),
        ("git@github.com:acme/wid.get.git", "github.com", "acme/wid.get"),
        ("git@work:acme/widget", "work", "acme/widget"),
        ("https://evilgithub.com/acme/widget", "evilgithub.com", "acme/widget"),
        ("https://github.com.evil.example/acme/widget", "github.com.evil.example", "acme/widget"),
    ],
)
def test_an_address_names_host_and_repository(url: str, host: str, slug: str) -> None:
    found = hosted(url)
    assert found is not None
    assert (found.host, found.slug) == (host, slug)


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/widget.git",
        "file:///srv/git/acme/widget",
        "https://github.com/acme",
        "https://github.com/acme/widget/extra",
        "https://github.com@evil.example:80:80/acme/widget",
        "https://github.com/acme/..",
        "git@github.com:acme/widget\n",
        "",
    ],
)
def test_what_is_no_such_address_is_none(url: str) -> None:
    assert hosted(url) is None


def test_case_makes_no_other_repository() -> None:
    assert HostedRepository("github.com", "Acme", "Widget").is_same(
        HostedRepository("github.com", "acme", "widget")
    )


def test_the_hosts_own_api_is_asked() -> None:
    assert HostedRepository("github.com", "a", "b").api == "https://api.github.com"
    assert HostedRepository("git.acme.example", "a", "b").api == "https://git.acme.example/api/v3"


CONFIGURATION = """
# Host github.com
Host work other
    User git
    HostName=GitHub.com
Host *
    HostName elsewhere.example
Match host x
    HostName y.example
"""


@pytest.mark.parametrize(("alias", "name"), [("work", "github.com"), ("other", "github.com"), ("x", None)])
def test_a_name_of_ssh_is_looked_up_in_plain_blocks(alias: str, name: str | None) -> None:
    assert ssh_host_name(CONFIGURATION, alias) == name
