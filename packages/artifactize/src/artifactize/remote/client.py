"""Asking a review store, and telling what is trouble with the line from what is a refusal.

`UnreachableError` is the former: no answer, too late, or a server in trouble. What may be done without the
store is then done without it. Everything else that is not the answer raises ReviewStoreError: a refused
token, a redirect, a certificate that is not the host's, or an answer that no review store gives.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from artifactize.errors import ReviewStoreError
from artifactize.models.review_store import MAX_KEYS, Found, Lookup, Put, WhoAmI
from artifactize.remote.config import is_loopback
from mcpkit.canonical import compact_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from artifactize.models.review_store import Entry, Stored

_Model = TypeVar("_Model", bound=BaseModel)
TIMEOUT = httpx.Timeout(10.0, connect=5.0)
_MOST_BYTES = 80 * 1024 * 1024  # a thousand entries of the largest size, and some
_TROUBLE = frozenset({408, 425, 429, 500, 502, 503, 504})
_REFUSED = frozenset({401, 403})


class UnreachableError(Exception):
    """The store does not answer now. The message says how."""


class RefusedEntryError(Exception):
    """The store does not take this one entry. The message says why."""


class StoreClient:
    """A connection to a store, to be closed. Blocks."""

    def __init__(self, origin: str, token: str) -> None:
        self._origin = origin
        host = httpx.URL(origin).host
        self._http = httpx.Client(
            base_url=origin,
            headers={"Authorization": f"Bearer {token}", "User-Agent": "artifactize"},
            timeout=TIMEOUT,
            follow_redirects=False,
            trust_env=not is_loopback(host),  # a proxy must not be asked for this machine
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def whoami(self) -> WhoAmI:
        """Return what the token may do. Raises UnreachableError, ReviewStoreError."""
        return self._parsed(WhoAmI, self._answer("GET", "/v1/whoami"))

    def lookup(self, keys: Sequence[str]) -> dict[str, Stored]:
        """Return the newest verdict of each key that has one. Raises UnreachableError, ReviewStoreError."""
        found: dict[str, Stored] = {}
        for start in range(0, len(keys), MAX_KEYS):
            some = tuple(keys[start : start + MAX_KEYS])
            answer = self._parsed(Found, self._answer("POST", "/v1/lookup", Lookup(keys=some)))
            if not answer.entries.keys() <= set(some) or any(
                key != each.entry.key for key, each in answer.entries.items()
            ):
                raise ReviewStoreError(f"{self._origin} answered for keys that were not asked for")
            found |= answer.entries
        return found

    def put(self, entry: Entry) -> Put:
        """Put an entry. Raises UnreachableError, ReviewStoreError, RefusedEntryError."""
        return self._parsed(Put, self._answer("PUT", f"/v1/entries/{entry.key}", entry, of_entry=True))

    def _answer(
        self, method: str, path: str, body: BaseModel | None = None, *, of_entry: bool = False
    ) -> httpx.Response:
        content = None if body is None else compact_json(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            response = self._http.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as failure:
            if _is_about_tls(failure):
                raise ReviewStoreError(f"{self._origin} cannot be trusted: {failure}") from failure
            raise UnreachableError(
                f"{self._origin} does not answer: {str(failure) or type(failure).__name__}"
            ) from failure
        self._refuse(response, of_entry=of_entry)
        return response

    def _refuse(self, response: httpx.Response, *, of_entry: bool) -> None:
        status = response.status_code
        if response.is_success:
            return
        said = _said(response)
        if status in _TROUBLE:
            raise UnreachableError(f"{self._origin} is in trouble: {status} {said}")
        if of_entry and status != httpx.codes.UNAUTHORIZED and response.is_client_error:
            raise RefusedEntryError(f"{status} {said}")
        if status in _REFUSED:
            raise ReviewStoreError(
                f"{self._origin} refuses the token: {said}",
                hint="run `artifactize remote login URL` with a valid one",
            )
        where = response.headers.get("location")
        raise ReviewStoreError(
            f"{self._origin} answered {status}" + (f" and points to {where}" if where else f": {said}"),
            hint="name the review store itself with `artifactize remote login URL`",
        )

    def _parsed(self, model: type[_Model], response: httpx.Response) -> _Model:
        try:
            return model.model_validate_json(response.content)
        except ValidationError as failure:
            raise ReviewStoreError(
                f"{self._origin} answers as no review store does ({failure.error_count()} mistakes)",
                hint="name a review store with `artifactize remote login URL`",
            ) from failure


def _is_about_tls(failure: BaseException) -> bool:
    seen: BaseException | None = failure
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _said(response: httpx.Response) -> str:
    try:
        return str(response.json()["error"]["message"])[:500]
    except (ValueError, KeyError, TypeError):
        return response.reason_phrase
