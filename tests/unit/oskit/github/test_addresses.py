"""Addresses of GitHub repositories are told from all others."""

from __future__ import annotations

import pytest

from oskit.github import HostedRepository, hosted

SHOP = HostedRepository("github.com", "acme", "shop")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://github.com/acme/shop", SHOP),
        ("https://github.com/acme/shop.git", SHOP),
        ("https://ada:secret@GitHub.com/acme/shop/", SHOP),
        ("git@github.com:acme/shop.git", SHOP),
        ("github.com:acme/shop", SHOP),
        ("ssh://git@github.com/acme/shop.git", SHOP),
        ("ssh://git@ssh.github.com:443/acme/shop.git", SHOP),
        ("git://github.com/acme/shop.js.git", HostedRepository("github.com", "acme", "shop.js")),
        ("https://git.corp.example/acme/shop", HostedRepository("git.corp.example", "acme", "shop")),
        ("/srv/git/acme/shop.git", None),
        ("../acme/shop", None),
        ("file:///srv/acme/shop", None),
        ("https://github.com/acme", None),
        ("https://gitlab.com/group/sub/shop", None),
        ("https://github.com/acme/shop?x=y", None),
        ("", None),
    ],
)
def test_an_address_is_read_or_it_is_none(url: str, found: HostedRepository | None) -> None:
    assert hosted(url) == found


def test_a_host_of_ones_own_has_its_own_api() -> None:
    repository = HostedRepository("git.corp.example", "acme", "shop")
    assert repository.api == "https://git.corp.example/api/v3"
    assert repository.full_name == "git.corp.example/acme/shop"
    assert (SHOP.api, SHOP.full_name) == ("https://api.github.com", "acme/shop")
