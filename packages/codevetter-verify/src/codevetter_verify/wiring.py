"""Opens store, browser and scope for whoever starts: where the heavy imports happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.browser.chromium import ChromiumVisitor
from codevetter_verify.browser.endpoint import configured_endpoint
from codevetter_verify.browser.find import find_browser
from codevetter_verify.domain.pull_request import PullSpec
from codevetter_verify.errors import InvalidInputError, RunEndedError
from codevetter_verify.projection import Projection
from codevetter_verify.service import choosing, doctor, enabling, pruning, receipts
from codevetter_verify.service.pull import origin_of
from codevetter_verify.service.scope import open_scope, repository_at
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
        Export,
        ExportRequest,
        PruneRequest,
        PruneResult,
        ReceiptList,
        ReceiptRequest,
        ReceiptsRequest,
        Report,
        ReportRequest,
        RepositoryRequest,
        TrexPreviewReceipt,
        VerifyChangePreviewRequest,
    )
    from codevetter_verify.service.run import Options, Visitor


async def open_store() -> Store:
    """The store at `receipts_home()`; raises `StorageFailedError`."""
    return await Store.open(receipts_home())


async def verify(
    request: VerifyChangePreviewRequest, *, repo: str, options: Options, browser: Visitor
) -> TrexPreviewReceipt:
    """Run T-Rex as the owner of `repo`; a pull request may be given by its number alone."""
    request = await _addressed(request, repo)
    store = await open_store()
    scope = await open_scope(repo)
    return await execute_trex_preview(request, scope=scope, store=store, browser=browser, options=options)


async def _addressed(request: VerifyChangePreviewRequest, repo: str) -> VerifyChangePreviewRequest:
    """The request with the whole address of a pull request that was named by its number."""
    number = request.source.value
    if request.source.kind != "pull_request" or not number.isascii() or not number.isdecimal():
        return request
    try:
        origin = await origin_of(await repository_at(repo))
    except RunEndedError as exc:
        raise InvalidInputError(
            f"--pr {number} is a number of this repository's origin: {exc}", field="source.value"
        ) from exc
    address = PullSpec(origin.host, origin.owner, origin.name, int(number)).address
    source = request.source.model_copy(update={"value": address})
    return request.model_copy(update={"source": source})


def open_projection(scope: Scope) -> Projection:
    """What the execution server serves for a repository that it may. Blocks; raises `StorageFailedError`."""
    return Projection(scope, Store(receipts_home()), ChromiumVisitor())


async def list_receipts(request: ReceiptsRequest) -> ReceiptList:
    """See `service.receipts`."""
    return await receipts.list_receipts(request, store=await open_store())


async def choose_receipt(part: str | None, *, repo: str) -> str:
    """See `service.choosing`."""
    return await choosing.choose_receipt(part, repo=repo, store=await open_store())


async def show_receipt(request: ReceiptRequest) -> TrexPreviewReceipt:
    """See `service.receipts`."""
    return await receipts.show_receipt(request, store=await open_store())


async def write_report(request: ReportRequest) -> Report:
    """See `service.reporting`."""
    from codevetter_verify.service import reporting  # the page's templates: for this command only

    return await reporting.write_report(request, store=await open_store())


async def export_receipt(request: ExportRequest) -> Export:
    """See `service.exporting`."""
    from codevetter_verify.service import exporting  # the page's templates, as above

    return await exporting.export_receipt(request, store=await open_store())


async def prune_receipts(request: PruneRequest) -> PruneResult:
    """See `service.pruning`."""
    return await pruning.prune_receipts(request, store=await open_store())


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
        request,
        find_browser=find_browser,
        find_endpoint=_endpoint_host,
        try_driver=_try_driver,
        open_store=open_store,
    )


def _endpoint_host() -> str | None:
    """The host alone: the address may hold a token."""
    endpoint = configured_endpoint()
    return endpoint.host if endpoint else None


async def _try_driver() -> None:
    from codevetter_verify.browser.trial import try_driver  # playwright: half a second, for this and visits

    await try_driver()
