"""Which backends could review here: what is installed and configured, found without the network."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from artifactize.agents.access import PLACES, access
from artifactize.agents.contract import BACKENDS, AgentFault
from oskit.process import find_program

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.agents.contract import Backend

_MOST_MODELS = 500


@dataclass(frozen=True, slots=True)
class BackendState:
    """A backend on this machine. `detail`: where it would be asked, or what is missing and the next step."""

    name: Backend
    kind: Literal["api", "command line"]
    ready: bool
    detail: str


def backend_states(environment: Mapping[str, str]) -> tuple[BackendState, ...]:
    """Return the state of every backend; asks no network, starts no program, reads no credential's file."""
    return tuple(_api(name, environment) if name in PLACES else _line(name, environment) for name in BACKENDS)


async def offered_models(
    backend: str, environment: Mapping[str, str], *, base_url: str | None = None
) -> tuple[str, ...]:
    """Ask a provider over the network which models it has, sorted. Raises AgentFault."""
    if backend not in PLACES:
        raise AgentFault(
            "AGENT_ERROR", f"{backend} cannot be asked for its models; see its own documentation"
        )
    listing = import_module("artifactize.agents.model_listing")
    names = await listing.listed(backend, access(PLACES[backend], environment, base_url), most=_MOST_MODELS)
    return tuple(sorted(names))


def _api(name: Backend, environment: Mapping[str, str]) -> BackendState:
    if find_spec(name) is None:
        return BackendState(name, "api", ready=False, detail=f"not installed; install artifactize[{name}]")
    try:
        found = access(PLACES[name], environment)
    except AgentFault as fault:
        return BackendState(name, "api", ready=False, detail=fault.message)
    return BackendState(name, "api", ready=True, detail=found.url)


def _line(name: Backend, environment: Mapping[str, str]) -> BackendState:
    program = find_program(name, environment.get("PATH"))
    if program is None:
        words = f"{name} is not on the PATH; install it and sign in to it"
        return BackendState(name, "command line", ready=False, detail=words)
    return BackendState(
        name, "command line", ready=True, detail=f"{program} (whether it is signed in, it knows)"
    )
