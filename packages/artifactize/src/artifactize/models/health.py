"""The result of `doctor`."""

from __future__ import annotations

from typing import Literal

from artifactize.models.verification import Cursor
from mcpkit.models import Request, Response, Wire


class DoctorRequest(Request):
    """Nothing to choose."""


class DoctorPageRequest(DoctorRequest):
    """Which page."""

    cursor: Cursor = None


class Check(Wire):
    """One thing looked at: what was found, and what to do when it is not well."""

    name: str
    status: Literal["ok", "warning", "failed"]
    message: str
    hint: str | None


class DoctorResult(Response):
    """Whether artifactize can work here; warnings do not make it unwell."""

    ok: bool
    checks: tuple[Check, ...]
