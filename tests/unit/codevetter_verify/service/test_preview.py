"""Who answers at the preview's address, and by which redirects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.domain.probe import Probe, require_preview
from codevetter_verify.errors import (
    AddressRefusedError,
    PreviewNotLiveError,
    PreviewShieldError,
    PreviewUnreachableError,
    PreviewWallError,
    RunEndedError,
)
from codevetter_verify.service.network import HostGate
from codevetter_verify.service.preview import MAX_BODY, probe_preview
from support.preview_site import Answer, Logged, PreviewSite, document

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio
HEAD = "1" * 40


@pytest.fixture
def site() -> Iterator[PreviewSite]:
    with PreviewSite(revision=HEAD) as running:
        yield running


async def probe(address: str) -> Probe:
    preview = parse_preview_url(address)
    return await probe_preview(preview, gate=HostGate(preview))


async def checked(address: str) -> Probe:
    found = await probe(address)
    require_preview(found, parse_preview_url(address))
    return found


def redirect(to: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"location": to})


async def test_a_preview_answers_with_its_revision(site: PreviewSite) -> None:
    found = await checked(site.url)
    assert (found.status, [s.revision for s in found.headers]) == (200, [HEAD])
    assert site.log[0].headers["host"] == f"{site.host}:{site.port}"


async def test_metas_are_read(site: PreviewSite) -> None:
    site.page(
        "/meta", "x", head=f"<META NAME='x-git-sha' content='{HEAD[:9]}'>", headers={"x-commit-sha": ""}
    )
    found = await checked(site.url + "meta")
    assert ([s.revision for s in found.headers], [s.revision for s in found.metas]) == ([], [HEAD[:9]])


async def test_redirects_within_the_site_are_followed(site: PreviewSite) -> None:
    site.answer("/a", redirect("/b", 308))
    site.answer("/b", redirect("/about"))
    found = await checked(site.url + "a")
    assert found.final.path == "/about"
    assert site.paths() == ["/a", "/b", "/about"]


async def test_the_bypass_goes_to_the_preview_and_across_no_redirect(site: PreviewSite) -> None:
    site.answer("/a", redirect("/about"))
    await checked(site.url + "a?x-bypass=secret")
    assert [(r.path, r.query) for r in site.log] == [("/a", "x-bypass=secret"), ("/about", "")]


async def test_a_bypass_that_sets_a_cookie_and_redirects_to_itself_works(site: PreviewSite) -> None:
    def guarded(request: Logged) -> Answer:
        if "pass=1" in request.headers.get("cookie", ""):
            return Answer(document("<h1>In</h1>"))
        return Answer(status=307, headers={"location": "/guarded", "set-cookie": "pass=1; Path=/; HttpOnly"})

    site.answer("/guarded", guarded)
    assert (await checked(site.url + "guarded?bypass=secret")).status == 200


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("faults/status-401", PreviewWallError),
        ("faults/status-403", PreviewWallError),
        ("faults/status-429", PreviewShieldError),
        ("faults/status-503", PreviewNotLiveError),
        ("faults/to-login", PreviewWallError),
        ("faults/loop", PreviewUnreachableError),
        ("faults/to-metadata", PreviewWallError),
    ],
)
async def test_what_is_not_the_preview_ends_the_run(
    site: PreviewSite, path: str, error: type[RunEndedError]
) -> None:
    with pytest.raises(error):
        await checked(site.url + path)


async def test_a_sign_in_on_another_host_is_a_wall_and_is_not_visited(site: PreviewSite) -> None:
    with PreviewSite(host="127.0.0.2") as other:
        site.answer("/sso", redirect(other.url))
        with pytest.raises(PreviewWallError, match=r"another site, 127\.0\.0\.2"):
            await checked(site.url + "sso")
        assert other.log == []


async def test_another_port_of_the_same_host_is_refused_by_address(site: PreviewSite) -> None:
    with PreviewSite() as other:
        site.answer("/inside", redirect(other.url))
        with pytest.raises(AddressRefusedError):
            await checked(site.url + "inside")
        assert other.log == []


async def test_a_platforms_own_not_found_page_is_not_live_yet(site: PreviewSite) -> None:
    site.page("/gone", "<h1>404</h1><p>DEPLOYMENT_NOT_FOUND</p>", status=404)
    with pytest.raises(PreviewNotLiveError):
        await checked(site.url + "gone")
    await checked(site.url + "no-such-page")  # a 404 of the application itself is for the browser to see


async def test_a_protection_page_with_status_200_is_a_wall(site: PreviewSite) -> None:
    site.page("/sso", "<h1>Log in to Vercel</h1>", title="Login \u2013 Vercel")
    with pytest.raises(PreviewWallError, match="protection page"):
        await checked(site.url + "sso")


async def test_a_closed_port_is_unreachable() -> None:
    with PreviewSite() as site:
        address = site.url
    with pytest.raises(PreviewUnreachableError, match="did not answer"):
        await checked(address)


async def test_a_huge_body_is_read_to_its_bound_only(site: PreviewSite) -> None:
    site.answer("/huge", Answer(b"x" * (20 * 1024 * 1024)))
    assert len((await checked(site.url + "huge")).body) == MAX_BODY
