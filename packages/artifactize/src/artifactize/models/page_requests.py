"""Requests of tools whose commands have the same options, and no pages."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from artifactize.models.caching import CacheShowRequest
from artifactize.models.graphs import ConfigGraphRequest
from artifactize.models.verification import Cursor  # noqa: TC001 - pydantic reads the annotation


class ConfigGraphPageRequest(ConfigGraphRequest):
    """Which part of the graph, and which page of the answer."""

    cursor: Cursor = None


class CacheShowPageRequest(CacheShowRequest):
    """Which key, whether all its records, and which page of the answer."""

    history: Annotated[
        bool, Field(description="Every record of the key, newest first; only the first one counts.")
    ] = False
    cursor: Cursor = None
