"""The request and result of `config graph`."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from mcpkit.models import Request, Response, Wire


class ConfigGraphRequest(Request):
    """Which part of the graph; everything without a name."""

    artifact: Annotated[str | None, Field(max_length=129, description="An Artifact with what it needs.")] = (
        None
    )
    eval: Annotated[str | None, Field(max_length=129, description="An eval's Artifact, as above.")] = None
    impact: Annotated[
        bool, Field(description="Also everything that a change of it can reach, with what that needs.")
    ] = False

    @model_validator(mode="after")
    def _one_name(self) -> Self:
        if self.artifact is not None and self.eval is not None:
            raise ValueError("artifact and eval exclude each other; give one of them")
        if self.impact and self.artifact is None and self.eval is None:
            raise ValueError("impact is that of an artifact or an eval; name one")
        return self


class GraphEval(Wire):
    """An eval, with the Artifacts that have to be GREEN before it starts."""

    eval: str
    title: str
    kind: str
    gated_by: tuple[str, ...]


class GraphArtifact(Wire):
    """An Artifact; `peers` are in a cycle with it, so that no gates are between them."""

    name: str
    file: str
    tags: tuple[str, ...]
    basis: bool
    peers: tuple[str, ...]
    evals: tuple[GraphEval, ...]


class GraphRelation(Wire):
    """What an Artifact takes in, and how: mount, child, reference, dependency."""

    input: str
    consumer: str
    ways: tuple[str, ...]


class ConfigGraphResult(Response):
    """Artifacts and relations as they are declared; nothing was run or read to find them."""

    artifacts: tuple[GraphArtifact, ...]
    relations: tuple[GraphRelation, ...]
