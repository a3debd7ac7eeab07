"""Opens store, browser and scope for whoever starts: where the heavy imports happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.browser.chromium import ChromiumVisitor
from codevetter_verify.browser.find import find_browser
from codevetter_verify.projection import Projection
from codevetter_verify.service import doctor, enabling, receipts
from codevetter_verify.service.scope import open_scope
from codevetter_verify.store.places import receipts_home
from codevetter_verify.store.store import Store
from codevetter_verify.trex import execute_trex_preview

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Scope
    from codevetter_verify.models import (
        Doctor,
        DoctorRequest,
        EnablementList,
        EnablementStatus,
        EnableRequest,
        ReceiptList,
        ReceiptRequest,
        ReceiptsRequest,
        Report,
        ReportRequest,
        RepositoryRequest,
        TrexPreviewReceipt,
        VerifyChangePreviewRequest,
    )
    from codevetter_verify.service.run import Options


async def open_store() -> Store:
    """The store at `receipts_home()`; raises `StorageFailedError`."""
    return await Store.open(receipts_home())


async def verify(
    request: VerifyChangePreviewRequest, *, repo: str, options: Options, browser: str | None
) -> TrexPreviewReceipt:
    """Run T-Rex as the owner of `repo`."""
    store = await open_store()
    scope = await open_scope(repo)
    return await execute_trex_preview(
        request, scope=scope, store=store, browser=ChromiumVisitor(browser), options=options
    )


def open_projection(scope: Scope) -> Projection:
    """What the execution server serves for a repository that it may. Blocks; raises `StorageFailedError`."""
    return Projection(scope, Store(receipts_home()), ChromiumVisitor())


async def list_receipts(request: ReceiptsRequest) -> ReceiptList:
    """See `service.receipts`."""
    return await receipts.list_receipts(request, store=await open_store())


async def show_receipt(request: ReceiptRequest) -> TrexPreviewReceipt:
    """See `service.receipts`."""
    return await receipts.show_receipt(request, store=await open_store())


async def write_report(request: ReportRequest) -> Report:
    """See `service.reporting`."""
    from codevetter_verify.service import reporting  # the page's templates: for this command only

    return await reporting.write_report(request, store=await open_store())


async def enable(request: EnableRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.enable(request, store=await open_store())


async def disable(request: RepositoryRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.disable(request, store=await open_store())


async def status(request: RepositoryRequest) -> EnablementList:
    """See `service.enabling`."""
    return await enabling.status(request, store=await open_store())


async def enabled_id(request: RepositoryRequest) -> EnablementStatus:
    """See `service.enabling`."""
    return await enabling.enabled_id(request, store=await open_store())


async def examine(request: DoctorRequest) -> Doctor:
    """See `service.doctor`."""
    return await doctor.examine(
        request, find_browser=find_browser, try_driver=_try_driver, open_store=open_store
    )


async def _try_driver() -> None:
    from codevetter_verify.browser.trial import try_driver  # playwright: half a second, for this and visits

    await try_driver()
