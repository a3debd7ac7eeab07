"""The routes of a review store: JSON, but for the page. A failure is `{"error": {code, message}}`."""

from __future__ import annotations

import base64
import contextlib
from typing import TYPE_CHECKING, TypeVar

import anyio
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from artifactize.errors import ReviewStoreError
from artifactize.models.review_store import MAX_ENTRY_BYTES, MAX_LISTED, MAX_SEQUENCE, Entry, Lookup
from artifactize.review_store.keeping import ConflictError
from artifactize.review_store.openapi import document
from artifactize.review_store.page import PAGE_HEADERS, page_of
from mcpkit.canonical import compact_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from artifactize.review_store.keeping import Keeper
    from artifactize.store.team.tokens import Token

_Model = TypeVar("_Model", bound=BaseModel)
_MAX_LOOKUP_BYTES = 128 * 1024
_MOST_DIGITS = 100
_CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    503: "unavailable",
}


def application(keeper: Keeper) -> Starlette:
    """Return the service of an open store."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keeper.run)
            yield
            tasks.cancel_scope.cancel()

    routes = _Routes(keeper)
    return Starlette(
        lifespan=lifespan,
        routes=[
            Route("/", routes.page, methods=["GET"]),
            Route("/v1/whoami", routes.whoami, methods=["GET"]),
            Route("/v1/lookup", routes.lookup, methods=["POST"]),
            Route("/v1/entries", routes.entries, methods=["GET"]),
            Route("/v1/entries/{key}", routes.put, methods=["PUT"]),
            Route("/healthz", routes.health, methods=["GET"]),
            Route("/openapi.json", routes.openapi, methods=["GET"]),
        ],
        exception_handlers={
            HTTPException: _refused,
            ReviewStoreError: _unavailable,
        },
    )


class _Routes:
    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def whoami(self, request: Request) -> Response:
        token = await self._authorized(request)
        _refuse_others(request)
        return _json(self._keeper.whoami(token))

    async def lookup(self, request: Request) -> Response:
        await self._authorized(request, "read")
        wanted = _parsed(Lookup, await _body(request, _MAX_LOOKUP_BYTES))
        return _json(await self._keeper.lookup(wanted.keys))

    async def put(self, request: Request) -> Response:
        token = await self._authorized(request)
        entry = _parsed(Entry, await _body(request, MAX_ENTRY_BYTES))
        if entry.key != request.path_params["key"]:
            raise HTTPException(409, "the entry is of another key than the address")
        _require(token, "human" if entry.kind == "human" else "publish")
        try:
            found = await self._keeper.put(entry, by=token.name)
        except ConflictError:
            message = "this execution was put before, and said something else"
            raise HTTPException(409, message) from None
        return _json(found, status=200 if found.known else 201)

    async def entries(self, request: Request) -> Response:
        await self._authorized(request, "read")
        _refuse_others(request, "before", "limit", "key")
        before, limit = _number(request, "before"), _number(request, "limit")
        if limit is not None and limit > MAX_LISTED:
            raise HTTPException(400, f"limit is at most {MAX_LISTED}")
        found = await self._keeper.listed(
            before=before, limit=limit or MAX_LISTED, key=request.query_params.get("key")
        )
        return _json(found)

    async def page(self, request: Request) -> Response:
        token = await self._authorized(request, "read")
        _refuse_others(request, "before", "key", "verdict")
        verdict = request.query_params.get("verdict")
        if verdict not in {None, "GREEN", "RED"}:
            raise HTTPException(400, "verdict is GREEN or RED")
        key = request.query_params.get("key")
        found = await self._keeper.listed(
            before=_number(request, "before"), limit=MAX_LISTED, key=key, verdict=verdict
        )
        return HTMLResponse(page_of(found, token=token.name, verdict=verdict, key=key), headers=PAGE_HEADERS)

    async def health(self, request: Request) -> Response:
        del request
        await self._keeper.listed(before=None, limit=1)
        return Response('{"ok":true}', media_type="application/json")

    async def openapi(self, request: Request) -> Response:
        del request
        return Response(compact_json(document()), media_type="application/json")

    async def _authorized(self, request: Request, scope: str | None = None) -> Token:
        secret = _secret(request.headers.get("authorization", ""))
        token = None if secret is None else await self._keeper.token(secret)
        if token is None:
            # browsers ask for a password, which is the token; its user name does not matter
            ask = {"WWW-Authenticate": 'Basic realm="the review store: your token as the password"'}
            raise HTTPException(401, "a valid token is needed", headers=ask)
        if scope is not None:
            _require(token, scope)
        return token


def _secret(header: str) -> str | None:
    scheme, _, rest = header.partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip() or None
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(rest, validate=True).decode().partition(":")[2] or None
    except ValueError:
        return None


def _require(token: Token, scope: str) -> None:
    if scope not in token.scopes:
        raise HTTPException(403, f"the token {token.name} has no scope {scope}")


async def _body(request: Request, most: int) -> bytes:
    found = b""
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise HTTPException(413, f"at most {most} bytes are taken")
    return found


def _parsed(model: type[_Model], data: bytes) -> _Model:
    try:
        return model.model_validate_json(data, strict=True)
    except ValidationError as failure:
        first = failure.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        raise HTTPException(400, f"{where}: {first['msg']}"[:500]) from None


def _refuse_others(request: Request, *known: str) -> None:
    """Refuse a parameter that nobody reads, which would narrow nothing."""
    for name in request.query_params:
        if name not in known:
            raise HTTPException(
                400, f"there is no parameter {name[:100]!r}, but {', '.join(known) or 'none'}"
            )


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (
        text.isascii() and text.isdigit() and len(text) < _MOST_DIGITS and 1 <= int(text) <= MAX_SEQUENCE
    ):
        raise HTTPException(400, f"{name} is a whole number from 1 to {MAX_SEQUENCE}")
    return int(text)


def _json(model: BaseModel, *, status: int = 200) -> Response:
    return Response(
        compact_json(model),
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


async def _refused(request: Request, failure: Exception) -> Response:
    del request
    assert isinstance(failure, HTTPException)
    return _error(failure.status_code, failure.detail, dict(failure.headers or {}))


async def _unavailable(request: Request, failure: Exception) -> Response:
    del request
    return _error(503, str(failure), {"Retry-After": "5"})


def _error(status: int, message: str, headers: dict[str, str]) -> Response:
    body = compact_json({"error": {"code": _CODES.get(status, "failed"), "message": message}})
    return Response(body, status_code=status, media_type="application/json", headers=headers)
