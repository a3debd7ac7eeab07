"""Takes this machine and its secrets out of what a reader is shown, in place.

The repository, the state directory, the home and the temporary directory become names, other people's homes
lose theirs, and credentials become `***`. Paths of a site are no paths of a machine: addresses and routes are
left alone, also where a route begins like one of those directories.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from codevetter_verify.domain.secrets import MASK, mask_secrets
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pydantic import JsonValue

_SITE_KEYS = frozenset({"route", "requested_url", "final_url", "redirects", "run_id"})
"""Fields that hold addresses and routes: no machine's paths."""
_START = r"(?:(?<=file://)|(?<![\w.~/\]-]))"
_BELOW = r"(?P<rest>(?:[/\\][^\s\"'<>),;:]*)?)(?![\w-])(?!\.\w)"
_USER = re.compile(rf"{_START}(?P<parent>/home/|/Users/|[A-Za-z]:\\Users\\)(?P<user>[^\s/\\\"'<>):]+)")


@dataclass(frozen=True)
class Veil:
    """`places` are directories of this machine with the names that stand for them, the innermost first."""

    places: tuple[tuple[str, str], ...]
    routes: frozenset[str] = frozenset()

    @classmethod
    def over(cls, places: Iterable[tuple[str, str]]) -> Veil:
        """The veil over these directories; of the root of the file system there is nothing to hide."""
        useful = {path.rstrip("/"): name for path, name in places if len(path.rstrip("/")) > 1}
        return cls(tuple(sorted(useful.items(), key=lambda place: -len(place[0]))))

    def knowing(self, *, routes: Collection[str], places: Iterable[tuple[str, str]] = ()) -> Veil:
        """The same, with a receipt's routes, which are never taken for directories, and more places."""
        wider = Veil.over((*places, *self.places))
        return Veil(wider.places, self.routes | (frozenset(routes) - {"/"}))

    def text(self, text: str) -> str:
        """`text` without secrets and places of this machine, safe to print."""
        masked = mask_secrets(text)
        for path, name in self.places:
            pattern = rf"{_START}(?P<place>{re.escape(path)}){_BELOW}"
            masked = re.sub(pattern, partial(self._named, name), masked)
        masked = _USER.sub(self._without_user, masked)
        return escape_untrusted(masked)

    def value(self, value: JsonValue, *, key: str = "") -> JsonValue:
        """The same for every string below a JSON value."""
        if isinstance(value, str):
            return escape_untrusted(mask_secrets(value)) if key in _SITE_KEYS else self.text(value)
        if isinstance(value, list):
            return [self.value(item, key=key) for item in value]
        if isinstance(value, dict):
            return {name: self.value(item, key=name) for name, item in value.items()}
        return value

    def _named(self, name: str, found: re.Match[str]) -> str:
        return found[0] if self._is_route(found[0]) else name + found["rest"]

    def _without_user(self, found: re.Match[str]) -> str:
        return found[0] if self._is_route(found[0]) else f"{found['parent']}{MASK}"

    def _is_route(self, token: str) -> bool:
        path = token.rstrip("./")
        return any(route == path or route.startswith(f"{path}/") for route in self.routes)
