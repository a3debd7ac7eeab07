"""The execution server's one tool: the shared service, for the one repository of the process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.models import (  # noqa: TC001 - the operation reads the annotations
    TrexPreviewReceipt,
    VerifyChangePreviewRequest,
)
from codevetter_verify.service.auditing import audited, note_refused
from codevetter_verify.service.permit import EnabledRun, current_enablement
from codevetter_verify.service.run import Options
from codevetter_verify.trex import execute_trex_preview

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Scope
    from codevetter_verify.service.run import Visitor
    from codevetter_verify.store.store import Store
    from mcpkit.errors import ToolError


@dataclass(frozen=True)
class Projection:
    """Verifies for an agent. The scope is fixed; the enablement is read anew at every call."""

    scope: Scope
    store: Store
    browser: Visitor

    async def verify_change_preview(self, request: VerifyChangePreviewRequest) -> TrexPreviewReceipt:
        """Local verification execution: visit the deployed preview of one change and return the receipt.

        Opens a bounded set of routes in a local browser, unauthenticated and read-only, and stores one
        receipt on this machine. `verdict` is passed_with_limits, failed or no_confidence; read `limitations`
        before relying on it. The repository is fixed. One run a repository at a time; a run takes up to 90
        seconds.
        """

        async def work() -> TrexPreviewReceipt:
            return await self._verified(request)

        return await audited(work, request=request, face="mcp", scope=self.scope, store=self.store)

    async def refused(self, arguments: object, error: ToolError) -> None:
        """Note a call that the closed input refused."""
        await note_refused(arguments, error, face="mcp", scope=self.scope, store=self.store)

    async def _verified(self, request: VerifyChangePreviewRequest) -> TrexPreviewReceipt:
        enablement = await current_enablement(self.store, self.scope.repo_id)
        return await execute_trex_preview(
            request,
            scope=self.scope,
            store=self.store,
            browser=self.browser,
            permit=EnabledRun(self.store, self.scope),
            options=Options(allowed_hosts=enablement.preview_hosts),
        )
