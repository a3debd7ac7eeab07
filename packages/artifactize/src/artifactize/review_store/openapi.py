"""The description of the service, made from the models that its routes parse and answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import models_json_schema

from artifactize.models.review_store import (
    MAX_LISTED,
    MAX_SEQUENCE,
    Entry,
    Found,
    Listed,
    Lookup,
    Put,
    WhoAmI,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

_REF = "#/components/schemas/"
_KEY = {
    "name": "key",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}
_FAILURE = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}


def document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    models: list[type[BaseModel]] = [Entry, Found, Listed, Lookup, Put, WhoAmI]
    _, schemas = models_json_schema(
        [(model, "validation") for model in models], ref_template=_REF + "{model}"
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "artifactize review store",
            "version": "1",
            "description": "Verdicts by reuse key; of a key, the highest sequence counts.",
        },
        "security": [{"token": []}],
        "paths": {
            "/v1/whoami": {"get": _operation("whoami", "What the token may do.", {200: WhoAmI})},
            "/v1/lookup": {
                "post": _operation("lookup", "The newest verdict of each key.", {200: Found}, takes=Lookup)
            },
            "/v1/entries": {
                "get": {
                    **_operation("entries", "Entries, newest first.", {200: Listed}),
                    "parameters": [
                        _number("before", MAX_SEQUENCE),
                        _number("limit", MAX_LISTED),
                        _query_key(),
                    ],
                }
            },
            "/v1/entries/{key}": {
                "put": {
                    **_operation(
                        "put", "Put the verdict of an execution, once.", {200: Put, 201: Put}, takes=Entry
                    ),
                    "parameters": [_KEY],
                }
            },
            "/healthz": {
                "get": {
                    "operationId": "health",
                    "summary": "Whether the store can be read.",
                    "security": [],
                    "responses": {
                        "200": {"description": "It can."},
                        "503": _response("It cannot.", _FAILURE),
                    },
                }
            },
        },
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(
    name: str, summary: str, answers: dict[int, type[BaseModel]], *, takes: type[BaseModel] | None = None
) -> dict[str, Any]:
    failures = {400: "Not understood.", 401: "No valid token.", 403: "Not in the token's scopes."}
    failures |= {409: "Put before, saying something else.", 413: "Too large."} if takes else {}
    failures[503] = "The store cannot be used now."
    found: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "responses": {
            **{str(status): _response("Done.", _schema(model)) for status, model in answers.items()},
            **{str(status): _response(words, _FAILURE) for status, words in failures.items()},
        },
    }
    if takes is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(takes)}}}
    return found


def _response(words: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return {"$ref": _REF + model.__name__}


def _number(name: str, most: int) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": most}}


def _query_key() -> dict[str, Any]:
    return {"name": "key", "in": "query", "schema": {"type": "string"}}
