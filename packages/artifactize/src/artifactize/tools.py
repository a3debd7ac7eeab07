"""The MCP tools, one line each: what `tools.json` is written from, and what the first call of one opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.models.verification import WatchEvent
from artifactize.service.paging import Pages
from artifactize.service.verification import Verification
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.service.workspace import Workspace

_READS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)
_STARTS = Hints(read_only=False, destructive=False, idempotent=False, open_world=True)
_CANCELS = Hints(read_only=False, destructive=True, idempotent=True, open_world=False)
# a fingerprint script or tool of the repository may run
_LOOKS = Hints(read_only=True, destructive=False, idempotent=True, open_world=True)
# the review store is another machine
_ASKS = Hints(read_only=True, destructive=False, idempotent=True, open_world=True)


def operations(workspace: Callable[[], Workspace]) -> tuple[Operation, ...]:
    """Return every tool; `workspace` is asked for when one is called."""
    verification = Verification(workspace)
    pages = Pages(workspace)
    return (
        Operation.of(verification.verify_start, title="Start a verification", hints=_STARTS),
        Operation.of(verification.verify_wait, title="Wait for a Run", hints=_READS),
        Operation.of(verification.verify_watch, title="Watch a Run", hints=_READS),
        Operation.of(verification.verify_result, title="Outcome of a Run", hints=_READS),
        Operation.of(verification.verify_cancel, title="Cancel a Run", hints=_CANCELS),
        Operation.of(pages.status, title="What verify would do, and why", hints=_LOOKS),
        Operation.of(pages.config_check, title="Check the declarations", hints=_READS),
        Operation.of(pages.config_graph, title="Who takes what in", hints=_READS),
        Operation.of(pages.run_list, title="List Runs", hints=_READS),
        Operation.of(pages.run_show, title="Show a Run", hints=_READS),
        Operation.of(pages.request_list, title="List requests", hints=_READS),
        Operation.of(pages.request_show, title="Show a request", hints=_READS),
        Operation.of(pages.request_logs, title="What an eval printed", hints=_READS),
        Operation.of(pages.cache_list, title="List reusable verdicts", hints=_READS),
        Operation.of(pages.cache_show, title="Show the verdict of a reuse key", hints=_READS),
        Operation.of(pages.remote_status, title="The team's review store", hints=_ASKS),
        Operation.of(pages.tools_check, title="Check the tools of reviewers", hints=_READS),
        Operation.of(pages.doctor, title="Check that artifactize can work", hints=_READS),
    )


def _unbound() -> Workspace:
    raise RuntimeError("published for its schemas only: no repository is bound")


published = PublishedServer(
    "artifactize", operations(_unbound), {"watch_event": WatchEvent}, package="artifactize"
)
