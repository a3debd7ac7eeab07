"""What a provider's client is opened with: a key of the environment given, and an address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from artifactize.agents.contract import AgentFault
from artifactize.remote import config

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Place:
    """Where a provider is, and the names of the variables that say otherwise."""

    backend: str
    key_variable: str
    url_variable: str
    url: str


OPENAI = Place("openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1")
ANTHROPIC = Place("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com")
PLACES = {place.backend: place for place in (OPENAI, ANTHROPIC)}


@dataclass(frozen=True, slots=True)
class Access:
    """A key and an address. The key is kept out of representations."""

    key: str
    url: str
    local: bool

    def __repr__(self) -> str:
        return f"Access(url={self.url!r})"

    def http_options(self) -> dict[str, Any]:
        """Return how HTTP is spoken: no redirect is followed; what is on this machine is asked directly."""
        return {"follow_redirects": False, "trust_env": not self.local}


def access(place: Place, environment: Mapping[str, str], base_url: str | None = None) -> Access:
    """Return what a provider is asked with. AgentFault: AUTHENTICATION, or AGENT_ERROR for its address."""
    url = base_url or environment.get(place.url_variable) or place.url
    if url != place.url and not is_loopback(url):
        raise AgentFault(
            "AGENT_ERROR",
            f"{place.url_variable} must be an address of this machine, e.g. http://127.0.0.1:8080",
        )
    key = environment.get(place.key_variable, "").strip()
    if not key:
        raise AgentFault(
            "AUTHENTICATION", f"{place.key_variable} is not set; set it where artifactize is called"
        )
    return Access(key, url, local=url != place.url)


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine by its loopback address, without a user's name in it."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or parts.username is not None or parts.query or parts.fragment:
        return False
    return config.is_loopback(host)
