"""A request that passed every rule, before anything runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.domain.change import RangeSpec, parse_range
from codevetter_verify.domain.hosts import host_matches
from codevetter_verify.domain.preview_url import PreviewUrl, parse_preview_url
from codevetter_verify.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.models import SourceSelector, VerifyChangePreviewRequest


@dataclass(frozen=True, slots=True)
class Order:
    """What to verify."""

    selector: SourceSelector
    range: RangeSpec
    preview: PreviewUrl


def accept(request: VerifyChangePreviewRequest, *, allowed_hosts: Sequence[str] = ()) -> Order:
    """Check a request against the contract; raise `InvalidInputError` before anything sees any of it.

    `allowed_hosts` are the owner's patterns; when there are any, the preview's host must match one.
    """
    source = request.source
    if source.kind == "pull_request":
        raise InvalidInputError(
            "source.kind pull_request is not supported by this version",
            hint='fetch the branch and name its range: {"kind": "range", "value": "main..HEAD"}',
            field="source.kind",
        )
    preview = parse_preview_url(request.preview_url)
    if allowed_hosts and not any(host_matches(pattern, preview.host) for pattern in allowed_hosts):
        raise InvalidInputError(
            f"preview_url: the owner allows no host {preview.host} (only {', '.join(allowed_hosts)})",
            hint="the owner can allow it with `codevetter verify enable --preview-host`",
            field="preview_url",
        )
    return Order(source, parse_range(source.value), preview)
