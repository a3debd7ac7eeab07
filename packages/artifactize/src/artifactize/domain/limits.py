"""`limits.json` of the state: how many executions a backend may have at a time, across all processes.

    {"backends": {"runtime": 8}}

A backend is what answers an eval: `runtime` for commands, the provider for an agent.
"""

from __future__ import annotations

import json

from artifactize.domain.declarations import Kind

BACKENDS = ("runtime", "openai", "anthropic", "codex")
MOST = 10_000


def backend_of(kind: str) -> str:
    """Return the backend that answers a request of this kind."""
    return "runtime" if kind == Kind.RUNTIME else kind


def parse_limits(text: str) -> dict[str, int]:
    """Return the limit of each backend that has one. Raises ValueError with what is wrong."""
    try:
        data = json.loads(text)
    except ValueError as failure:
        raise ValueError(f"it is not JSON: {failure}") from failure
    if not isinstance(data, dict) or data.keys() - {"backends"}:
        raise ValueError('it must be {"backends": {…}} and nothing else')
    found = data.get("backends", {})
    if not isinstance(found, dict):
        raise ValueError('"backends" must be an object')  # noqa: TRY004 - all mistakes of the file are of one kind
    for backend, limit in found.items():
        if backend not in BACKENDS:
            raise ValueError(f"there is no backend {backend!r}; there are {', '.join(BACKENDS)}")
        if type(limit) is not int or not 1 <= limit <= MOST:
            raise ValueError(f"the limit of {backend} must be a whole number from 1 to {MOST}")
    return dict(found)
