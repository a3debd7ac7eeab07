"""A request that passed every rule, before anything runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.domain.change import RangeSpec, parse_range
from codevetter_verify.domain.hosts import host_matches
from codevetter_verify.domain.preview_url import PreviewUrl, parse_preview_url
from codevetter_verify.domain.pull_request import GITHUB, PullSpec, parse_pull_request
from codevetter_verify.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.models import SourceSelector, VerifyChangePreviewRequest


@dataclass(frozen=True, slots=True)
class Order:
    """What to verify."""

    selector: SourceSelector
    source: RangeSpec | PullSpec
    preview: PreviewUrl


def accept(
    request: VerifyChangePreviewRequest,
    *,
    allowed_hosts: Sequence[str] = (),
    pull_hosts: Sequence[str] = (GITHUB,),
) -> Order:
    """Check a request against the contract; raise `InvalidInputError` before anything sees any of it.

    `allowed_hosts` are the owner's patterns; when there are any, the preview's host must match one.
    `pull_hosts` are the GitHub hosts whose pull requests count.
    """
    selector = request.source
    source = (
        parse_pull_request(selector.value, hosts=pull_hosts)
        if selector.kind == "pull_request"
        else parse_range(selector.value)
    )
    preview = parse_preview_url(request.preview_url)
    if allowed_hosts and not any(host_matches(pattern, preview.host) for pattern in allowed_hosts):
        raise InvalidInputError(
            f"preview_url: the owner allows no host {preview.host} (only {', '.join(allowed_hosts)})",
            hint="the owner can allow it with `codevetter verify enable --preview-host`",
            field="preview_url",
        )
    return Order(selector, source, preview)
