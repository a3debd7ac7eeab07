"""The owner's permission: given, withdrawn, shown."""

from __future__ import annotations

import getpass
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from codevetter_verify.domain.hosts import parse_host_pattern
from codevetter_verify.domain.records import Enablement
from codevetter_verify.errors import InvalidInputError, NotEnabledError
from codevetter_verify.models import EnablementList, EnablementStatus
from codevetter_verify.service.scope import open_scope
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from codevetter_verify.models import EnableRequest, RepositoryRequest
    from codevetter_verify.store.store import Store

_TTL = re.compile(r"(\d{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


async def enable(request: EnableRequest, *, store: Store) -> EnablementStatus:
    """Allow verification of one repository to whoever starts the server with its id."""
    hosts = tuple(parse_host_pattern(host) for host in request.preview_hosts)
    lifetime = parse_ttl(request.ttl) if request.ttl is not None else None
    scope = await open_scope(request.repo)
    moment = now()
    enablement = Enablement(
        repo_id=scope.repo_id,
        repo_key=scope.key,
        repo_path=scope.path,
        state="enabled",
        changed_at=moment,
        changed_by=_user(),
        expires_at=moment + lifetime if lifetime else None,
        preview_hosts=hosts,
    )
    await store.enable(enablement)
    return _status(enablement)


async def disable(request: RepositoryRequest, *, store: Store) -> EnablementStatus:
    """Withdraw the permission.

    Runs under way end within two seconds. Raises `NotEnabledError` when there was none.
    """
    scope = await open_scope(request.repo or ".")
    if not await store.disable(scope.repo_id, at=now(), by=_user()):
        raise NotEnabledError(scope.repo_id)
    return await _found(store, scope.repo_id)


async def status(request: RepositoryRequest, *, store: Store) -> EnablementList:
    """The permissions of one repository or of all, with those that ended and why."""
    if request.repo is None:
        return EnablementList(repositories=tuple(map(_status, await store.enablements())))
    scope = await open_scope(request.repo)
    found = await store.enablement(scope.repo_id)
    return EnablementList(repositories=(_status(found),) if found else ())


async def enabled_id(request: RepositoryRequest, *, store: Store) -> EnablementStatus:
    """The permission of one repository, for a host's configuration.

    Raises `NotEnabledError` when there is none.
    """
    return await _found(store, (await open_scope(request.repo or ".")).repo_id)


def parse_ttl(text: str) -> timedelta:
    """Read `30m`, `12h` or `7d`; raise `InvalidInputError`."""
    match = _TTL.fullmatch(text.strip().lower())
    if match is None or int(match[1]) == 0:
        raise InvalidInputError(f"ttl {text[:40]!r} is no time like 30m, 12h or 7d", field="ttl")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


async def _found(store: Store, repo_id: str) -> EnablementStatus:
    found = await store.enablement(repo_id)
    if found is None:
        raise NotEnabledError(repo_id)
    return _status(found)


def _status(enablement: Enablement) -> EnablementStatus:
    ended = enablement.ended(now())
    return EnablementStatus(
        repo_id=enablement.repo_id,
        repo_path=enablement.repo_path,
        enabled=ended is None,
        reason=ended,
        changed_at=rfc3339(enablement.changed_at),
        changed_by=enablement.changed_by,
        expires_at=rfc3339(enablement.expires_at) if enablement.expires_at else None,
        preview_hosts=enablement.preview_hosts,
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "unknown"
