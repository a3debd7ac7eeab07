"""Which addresses a visit may open."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.addresses import AddressPolicy, Endpoint, Kind, kind_of


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1:248:1893:25c8:1946", "public"),
        ("127.0.0.1", "loopback"),
        ("127.9.9.9", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("10.0.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("fd12::1", "private"),
        ("64:ff9b::a00:1", "private"),
        ("2002:a00:1::", "private"),
        ("169.254.169.254", "link_local"),
        ("::ffff:169.254.169.254", "link_local"),
        ("fd00:ec2::254", "link_local"),
        ("100.100.100.200", "link_local"),
        ("168.63.129.16", "link_local"),
        ("192.0.0.192", "link_local"),
        ("::ffff:168.63.129.16", "link_local"),
        ("64:ff9b::a9fe:a9fe", "link_local"),
        ("64:ff9b:1::a00:1", "private"),
        ("2001:0:a00:1::", "private"),
        ("::7f00:1", "reserved"),
        ("fe80::1", "link_local"),
        ("0.0.0.0", "reserved"),
        ("224.0.0.1", "reserved"),
    ],
)
def test_an_address_is_of_one_kind(address: str, kind: Kind) -> None:
    assert kind_of(address) == kind


PREVIEW = Endpoint("preview.example", 443)


@pytest.mark.parametrize("kind", ["loopback", "private", "link_local", "reserved"])
def test_a_public_preview_leads_nowhere_else(kind: Kind) -> None:
    """Also not to its own name once that resolves elsewhere."""
    policy = AddressPolicy(PREVIEW, "public")
    assert policy.refusal(Endpoint("inside.example", 80), kind) is not None
    assert policy.refusal(PREVIEW, kind) is not None


def test_a_loopback_preview_opens_its_own_port_and_public_hosts_only() -> None:
    own = Endpoint("localhost", 3000)
    policy = AddressPolicy(own, "loopback")
    assert policy.refusal(own, "loopback") is None
    assert policy.refusal(Endpoint("cdn.example", 443), "public") is None
    assert policy.refusal(Endpoint("localhost", 6379), "loopback") is not None


@pytest.mark.parametrize("kind", ["link_local", "reserved"])
def test_metadata_is_refused_even_as_the_preview(kind: Kind) -> None:
    metadata = Endpoint("169.254.169.254", 80)
    assert AddressPolicy(metadata, kind).refusal(metadata, kind) is not None
