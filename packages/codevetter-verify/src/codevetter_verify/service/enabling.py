"""The owner's two permissions: given, withdrawn, shown. None of this touches the other permission."""

from __future__ import annotations

import getpass
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from codevetter_verify.domain.hosts import parse_host_pattern
from codevetter_verify.domain.records import Enablement
from codevetter_verify.errors import InvalidInputError, NotEnabledError, RevokedError
from codevetter_verify.models import EnablementLimits, EnablementList, EnablementStatus
from codevetter_verify.service.scope import open_scope
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    import datetime as dt

    from codevetter_verify.domain.records import Permission
    from codevetter_verify.models import EnableRequest, RepositoryRequest
    from codevetter_verify.store.store import Store

_TTL = re.compile(r"(\d{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


async def enable(
    request: EnableRequest, *, store: Store, permission: Permission = "verification"
) -> EnablementStatus:
    """Allow what `permission` names, for one repository, to whoever starts the server with its id.

    Limits that are not given stay what they were: a second `enable` never widens a permission in silence.
    """
    hosts = tuple(parse_host_pattern(host) for host in request.preview_hosts)
    lifetime = parse_ttl(request.ttl) if request.ttl is not None else None
    scope = await open_scope(request.repo)
    moment = now()
    before = await store.enablement(scope.repo_id, permission=permission)
    kept = None if request.forget_limits else before
    expires_at = moment + lifetime if lifetime else _kept_end(kept, moment)
    enablement = Enablement(
        repo_id=scope.repo_id,
        repo_key=scope.key,
        repo_path=scope.path,
        state="enabled",
        changed_at=moment,
        changed_by=_user(),
        expires_at=expires_at,
        preview_hosts=hosts or (kept.preview_hosts if kept else ()),
    )
    await store.enable(enablement, permission=permission)
    status = _status(enablement)
    return status if before is None else status.model_copy(update={"previous": _limits(before)})


async def disable(
    request: RepositoryRequest, *, store: Store, permission: Permission = "verification"
) -> EnablementStatus:
    """Withdraw the permission.

    Runs under way end within two seconds. Raises `NotEnabledError` when there was none.
    """
    scope = await open_scope(request.repo or ".")
    if not await store.disable(scope.repo_id, at=now(), by=_user(), permission=permission):
        raise NotEnabledError(scope.repo_id, path=scope.path, permission=permission)
    return await _found(store, scope.repo_id, permission)


async def status(
    request: RepositoryRequest, *, store: Store, permission: Permission = "verification"
) -> EnablementList:
    """The permissions of one repository or of all, with those that ended and why."""
    if request.repo is None:
        return EnablementList(
            repositories=tuple(map(_status, await store.enablements(permission=permission)))
        )
    scope = await open_scope(request.repo)
    found = await store.enablement(scope.repo_id, permission=permission)
    return EnablementList(repositories=(_status(found),) if found else ())


async def enabled_id(
    request: RepositoryRequest, *, store: Store, permission: Permission = "verification"
) -> EnablementStatus:
    """The permission of one repository, for a host's configuration.

    Raises `NotEnabledError` when there is none, and `RevokedError` when it has ended: the entry would name a
    server that does not start.
    """
    scope = await open_scope(request.repo or ".")
    found = await store.enablement(scope.repo_id, permission=permission)
    if found is None:
        raise NotEnabledError(scope.repo_id, path=scope.path, permission=permission)
    if (ended := found.ended(now())) is not None:
        raise RevokedError(ended, path=scope.path, permission=permission)
    return _status(found)


def parse_ttl(text: str, *, field: str = "ttl") -> timedelta:
    """Read `30m`, `12h` or `7d`; raise `InvalidInputError`."""
    match = _TTL.fullmatch(text.strip().lower())
    if match is None or int(match[1]) == 0:
        raise InvalidInputError(f"{field} {text[:40]!r} is no time like 30m, 12h or 7d", field=field)
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


async def _found(store: Store, repo_id: str, permission: Permission) -> EnablementStatus:
    found = await store.enablement(repo_id, permission=permission)
    if found is None:
        raise NotEnabledError(repo_id, permission=permission)
    return _status(found)


def _kept_end(before: Enablement | None, moment: dt.datetime) -> dt.datetime | None:
    """When the permission ends without a new `--ttl`; an end that has passed cannot be kept."""
    if before is None or before.expires_at is None:
        return None
    if before.expires_at <= moment:
        raise InvalidInputError(
            f"the earlier permission ended at {rfc3339(before.expires_at)}",
            hint="say for how long it is given now with --ttl, or --forget-limits for no end",
            field="ttl",
        )
    return before.expires_at


def _limits(enablement: Enablement) -> EnablementLimits:
    return EnablementLimits(
        expires_at=rfc3339(enablement.expires_at) if enablement.expires_at else None,
        preview_hosts=enablement.preview_hosts,
    )


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
