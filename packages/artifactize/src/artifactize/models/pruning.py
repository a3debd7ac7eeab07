"""The request and result of `artifactize prune`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mcpkit.models import Request, Response


class PruneRequest(Request):
    """What may go: finished Runs older than `older_than` (`30d`, `12h`), except the newest `keep_last`."""

    older_than: Annotated[str, Field(pattern=r"^[0-9]{1,6}[dhms]$")] = "30d"
    keep_last: Annotated[int, Field(ge=0, le=1_000_000)] = 20
    dry_run: bool = False


class PruneResult(Response):
    """What went, or would go: Runs with all their rows, output folders, and bytes of these.

    `kept` Runs are as old, and stay without their output: a request key names them, or a verdict that can be
    reused came from them.
    """

    dry_run: bool
    runs: int
    kept: int
    outputs: int
    output_bytes: int
