"""Asking a provider for its models, by its own client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2

from artifactize.agents import http_faults
from artifactize.agents.contract import AgentFault

if TYPE_CHECKING:
    from artifactize.agents.access import Access

_TIMEOUT_S = 30


async def listed(backend: str, found: Access, *, most: int) -> list[str]:
    """Return the names of at most `most` models. Raises AgentFault."""
    sdk, client = _client(backend, found)
    names: list[str] = []
    try:
        async with client:
            async for model in client.models.list():
                names.append(str(model.id))
                if len(names) == most:
                    break
    except sdk.APIStatusError as failure:
        raise http_faults.of_answer(failure.status_code, failure.body, failure.response.headers) from failure
    except (sdk.APIError, httpx2.HTTPError) as failure:
        raise AgentFault("TRANSIENT", f"no connection: {http_faults.shown(str(failure))}") from failure
    return names


def _client(backend: str, found: Access) -> tuple[Any, Any]:
    """Return the provider's package and a client of it; the two clients are opened alike."""
    options: dict[str, Any] = {
        "api_key": found.key,
        "base_url": found.url,
        "max_retries": 0,
        "timeout": _TIMEOUT_S,
    }
    http_client = httpx2.AsyncClient(**found.http_options())
    if backend == "openai":
        import openai

        return openai, openai.AsyncOpenAI(**options, http_client=http_client)
    import anthropic

    return anthropic, anthropic.AsyncAnthropic(**options, http_client=http_client)
