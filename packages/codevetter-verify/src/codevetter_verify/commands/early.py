"""What a verification begins before anything else: Playwright's driver, which boots while we import the rest.

Node.js needs about as long to start as Python needs for the database library, the models and the HTTP client.
"""

from __future__ import annotations

import gc
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from anyio.lowlevel import checkpoint

from codevetter_verify.browser.chromium import ChromiumVisitor
from codevetter_verify.domain.change import parse_range
from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from codevetter_verify.models import SourceKind, VerifyChangePreviewRequest

_TURNS = 5
"""Of the loop, more than the driver's process needs to be on its way; one costs microseconds."""
_MODULES = (
    "codevetter_verify.models",
    "codevetter_verify.store.store",
    "codevetter_verify.service.preview",
    "codevetter_verify.wiring",
    "codevetter_verify.browser.session",
    "codevetter_verify.render.receipt",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of the command line, before they are a request."""

    kind: SourceKind
    value: str
    preview: str

    def request(self) -> VerifyChangePreviewRequest:
        """Check them; raises `InvalidArgumentsError`."""
        from pydantic import ValidationError  # deferred, all: see above

        from codevetter_verify.models import VerifyChangePreviewRequest
        from mcpkit.arguments import invalid_arguments

        source = {"kind": self.kind, "value": self.value}
        try:
            return VerifyChangePreviewRequest.model_validate({"source": source, "preview_url": self.preview})
        except ValidationError as exc:
            raise invalid_arguments(exc) from exc

    @property
    def plausible(self) -> bool:
        """Whether it is worth while to start something for it; what is wrong is said by who checks it."""
        try:
            parse_preview_url(self.preview)
            if self.kind == "range":
                parse_range(self.value)
        except InvalidInputError:
            return False
        return True


@asynccontextmanager
async def begun_early(asked: Asked, browser: str | None) -> AsyncIterator[ChromiumVisitor]:
    """A visitor for one visit within this block, with its driver on its way and what it needs imported."""
    visitor = ChromiumVisitor(browser)
    if not asked.plausible:
        yield visitor
        return
    _import("codevetter_verify.browser.ahead")
    async with visitor.ahead() as early:
        for _ in range(_TURNS):
            await checkpoint()
        for module in _MODULES:
            _import(module)
            await checkpoint()
        yield early


def _import(module: str) -> None:
    """Import without looking for garbage: what a module makes stays.

    It is no longer looked at after, either, which also makes the end of the process shorter.
    """
    gc.disable()
    try:
        import_module(module)
    finally:
        gc.freeze()
        gc.enable()
