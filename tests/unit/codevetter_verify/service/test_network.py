"""A host is resolved once; the address that was judged is the one that is used."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.addresses import Endpoint
from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.errors import AddressRefusedError, HostUnknownError
from codevetter_verify.service.network import HostGate, resolve
from support.preview_site import PreviewSite

pytestmark = pytest.mark.anyio

PREVIEW = parse_preview_url("https://preview.example/")
PUBLIC, OTHER_PUBLIC, PRIVATE = "93.184.216.34", "93.184.216.35", "10.0.0.1"


class Names:
    """A resolver whose answers change from one question to the next."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): list(held) for name, held in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        del port
        self.asked.append(host)
        return self.answers[host].pop(0)


async def test_a_second_answer_of_dns_is_never_asked_for() -> None:
    names = Names(preview_example=[[PUBLIC], [PRIVATE]])
    gate = HostGate(PREVIEW, resolver=names)
    endpoint = Endpoint("preview.example", 443)
    assert [await gate.admit(endpoint) for _ in range(3)] == [PUBLIC] * 3
    assert names.asked == ["preview.example"]


async def test_a_public_preview_does_not_lead_inside() -> None:
    gate = HostGate(PREVIEW, resolver=Names(preview_example=[[PUBLIC]], inside_example=[[PRIVATE]]))
    endpoint = Endpoint("inside.example", 80)
    with pytest.raises(AddressRefusedError, match="private"):
        await gate.admit(endpoint)
    assert gate.refusal(endpoint) == "inside.example is a private address"


async def test_one_bad_address_among_good_ones_refuses_the_host() -> None:
    gate = HostGate(
        PREVIEW, resolver=Names(preview_example=[[PUBLIC]], mixed_example=[[OTHER_PUBLIC, PRIVATE]])
    )
    with pytest.raises(AddressRefusedError):
        await gate.admit(Endpoint("mixed.example", 443))


async def test_a_preview_whose_name_mixes_kinds_is_not_let_in() -> None:
    gate = HostGate(PREVIEW, resolver=Names(preview_example=[[PUBLIC, "127.0.0.1"]]))
    with pytest.raises(AddressRefusedError):
        await gate.admit(Endpoint("preview.example", 443))


async def test_of_two_addresses_the_one_that_answers_is_pinned() -> None:
    with PreviewSite() as site:
        preview = parse_preview_url(f"http://localhost:{site.port}/")
        gate = HostGate(preview, resolver=Names(localhost=[["::1", "127.0.0.1"]]))
        assert await gate.admit(Endpoint("localhost", site.port)) == "127.0.0.1"


async def test_a_name_without_address_says_so() -> None:
    with pytest.raises(HostUnknownError, match=r"nowhere\.invalid"):
        await resolve("nowhere.invalid", 80)
