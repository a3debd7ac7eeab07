"""One service function as an operation: what an MCP tool and a command both need to know about it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_type_hints

from pydantic import BaseModel

from mcpkit.arguments import invalid_arguments, parsed
from mcpkit.errors import InvalidArgumentsError
from mcpkit.schema import Schema, flat_schema

__all__ = [
    "NAME_PATTERN",
    "Hints",
    "Operation",
    "PublishedServer",
    "Refused",
    "Service",
    "invalid_arguments",
]

Service = Callable[[Any], Awaitable[BaseModel]]
"""`async def name(request: SomeRequest) -> SomeResponse`, a function or a bound method."""

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""What every host takes as a tool name: no dots, no capitals, at most 40 characters."""

Refused = Callable[[object, InvalidArgumentsError], Awaitable[None]]
"""Is told of arguments that the input schema refused, and why, before the caller is."""


@dataclass(frozen=True)
class Hints:
    """What a host may assume about a tool. An absent hint counts as the worst case, so all four are given."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


@dataclass(frozen=True)
class Operation:
    """A service function with its name, its words and the two models of its signature."""

    name: str
    title: str
    description: str
    request: type[BaseModel]
    result: type[BaseModel]
    service: Service
    hints: Hints
    refused: Refused | None = None

    def __post_init__(self) -> None:
        if NAME_PATTERN.fullmatch(self.name) is None:
            raise ValueError(f"tool name {self.name!r}: hosts take only {NAME_PATTERN.pattern}")
        if not self.title.strip() or not self.description.strip():
            raise ValueError(
                f"tool {self.name}: a title and a description (the service's docstring) are needed"
            )

    @classmethod
    def of(
        cls,
        service: Service,
        *,
        title: str,
        hints: Hints,
        name: str | None = None,
        refused: Refused | None = None,
    ) -> Operation:
        """The operation that `service` is; its docstring is the description, its annotations name the models.

        Raises TypeError when the signature is not `(request: Model) -> Model`.
        """
        own_name = getattr(service, "__name__", type(service).__name__)
        request, result = _models(service, own_name)
        description = inspect.cleandoc(service.__doc__ or "")
        return cls(name or own_name, title, description, request, result, service, hints, refused)

    def input_schema(self) -> Schema:
        """What the tool takes: one flat closed object. The caller must not change it."""
        return self._input_schema

    def output_schema(self) -> Schema:
        """What the tool gives: one flat object. The caller must not change it."""
        return self._output_schema

    def parse(self, arguments: object) -> Any:  # noqa: ANN401 - an instance of `self.request`
        """The request that a client's `arguments` are; `None` is no arguments, `null` an absent one.

        Nested objects and arrays are taken as JSON text too. Raises InvalidArgumentsError naming field,
        rule and an example; unknown arguments are refused.
        """
        return parsed(self.request, arguments, self._input_schema)

    async def call(self, arguments: object) -> BaseModel:
        """Parse and run. Raises what both raise, and TypeError for a result of another model."""
        try:
            request = self.parse(arguments)
        except InvalidArgumentsError as exc:
            if self.refused is not None:
                await self.refused(arguments, exc)
            raise
        result = await self.service(request)
        if not isinstance(result, self.result):
            raise TypeError(f"{self.name} gave a {type(result).__name__} instead of a {self.result.__name__}")
        return result

    @cached_property
    def _input_schema(self) -> Schema:
        return flat_schema(self.request, "input")

    @cached_property
    def _output_schema(self) -> Schema:
        return flat_schema(self.result, "output")


@dataclass(frozen=True)
class PublishedServer:
    """What a package publishes under the entry point group `mcpkit.servers`, for the export of schemas.

    `package` is where its listing lies (`mcpkit.listing`); None for a server that brings none.
    """

    name: str
    operations: tuple[Operation, ...]
    models: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    package: str | None = None


def _models(service: Service, name: str) -> tuple[type[BaseModel], type[BaseModel]]:
    types = get_type_hints(service)
    result = types.pop("return", None)
    if len(types) != 1 or not all(_is_model(candidate) for candidate in (*types.values(), result)):
        raise TypeError(
            f"{name}: a service takes one pydantic model and returns one, and its annotations say so"
        )
    return next(iter(types.values())), result


def _is_model(candidate: object) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, BaseModel)
