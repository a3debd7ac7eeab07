"""What answers in a preview's place, and whether it is worth asking again."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.domain.probe import Probe, require_preview
from codevetter_verify.errors import PreviewNotLiveError, PreviewShieldError, PreviewWallError

PREVIEW = parse_preview_url("https://widget.example/")


def answered(status: int, *, title: str = "Widget", body: str = "All about it", path: str = "/") -> Probe:
    final = parse_preview_url(f"https://widget.example{path}")
    return Probe(final, status, (), f"<title>{title}</title><body>{body}</body>")


@pytest.mark.parametrize(
    ("probe", "error"),
    [
        (answered(401), PreviewWallError),
        (answered(403), PreviewWallError),
        (answered(407), PreviewWallError),
        (answered(200, title="Login \u2013 Vercel"), PreviewWallError),
        (answered(200, path="/login"), PreviewWallError),
        (answered(429), PreviewShieldError),
        (answered(403, title="Just a moment..."), PreviewShieldError),
        (answered(503, title="Just a moment..."), PreviewShieldError),
        (answered(429, title="Vercel Security Checkpoint"), PreviewShieldError),
        (answered(404, body="404: NOT_FOUND DEPLOYMENT_NOT_FOUND"), PreviewNotLiveError),
        (answered(502), PreviewNotLiveError),
        (answered(200, body="Your site is being built"), PreviewNotLiveError),
        (answered(404, body="This deployment is still building."), PreviewNotLiveError),
    ],
)
def test_what_is_not_the_preview_is_known_for_what_it_is(probe: Probe, error: type[Exception]) -> None:
    with pytest.raises(error):
        require_preview(probe, PREVIEW)


@pytest.mark.parametrize(
    "probe",
    [
        answered(200),
        answered(404),
        answered(500),
        answered(200, body="How a site is built. " + "Long words about it. " * 40),
        answered(200, title="Building in wood"),
    ],
)
def test_an_answer_of_the_application_is_one(probe: Probe) -> None:
    """Also a broken one: that is for the journeys to say."""
    require_preview(probe, PREVIEW)
