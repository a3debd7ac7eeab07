"""Which review store a state uses: `remote.json`, and beside it the token, bound to the store's address.

Both lie in the state directory, 0600. A token is only ever sent to the origin that it was entered for.
"""

from __future__ import annotations

import ipaddress
import json
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from artifactize.errors import ReviewStoreError
from oskit.files import StorageError, StorageMissingError, atomic_write, ensure_private_dir, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

CONFIG_FILE = "remote.json"
TOKEN_FILE = "remote-token.json"  # noqa: S105 - the name of a file
PUSHED_FILE = "remote-pushed.json"
_MOST_BYTES = 64 * 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_AGAIN = "run `artifactize remote login URL` again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A review store. With `trusted` (base64 Ed25519 public keys) only verdicts signed by one of them count.

    `sign_with` is the PEM file of the private key that our own are signed with.
    """

    origin: str
    token: str
    name: str
    scopes: tuple[str, ...]
    trusted: tuple[str, ...] = ()
    sign_with: str | None = None


def origin_of(url: str) -> str:
    """Return `scheme://host[:port]` of a store's address. Raises ReviewStoreError for an unsafe one."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as failure:
        raise ReviewStoreError(f"{url!r} is no address: {failure}") from failure
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ReviewStoreError(
            f"{url!r} is no address of a review store", hint="such as https://reviews.example"
        )
    if parts.username is not None or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ReviewStoreError(f"{url!r} has more than a host and a port", hint="leave the rest out")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ReviewStoreError(f"{url!r}: the token would cross the network in the clear", hint="use https")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def is_loopback(host: str) -> bool:
    """Whether a name or address can only be this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_remote(state_dir: Path) -> Remote | None:
    """Return the store that a state uses, or None. Raises ReviewStoreError for files not to be trusted."""
    config = _read(state_dir / CONFIG_FILE)
    if config is None:
        return None
    secret = _read(state_dir / TOKEN_FILE)
    if secret is None:
        raise ReviewStoreError(f"{state_dir / TOKEN_FILE} is missing", hint=_AGAIN)
    try:
        remote = Remote(
            origin=origin_of(config["url"]),
            token=_text(secret["token"]),
            name=_text(config["name"]),
            scopes=tuple(_text(each) for each in config["scopes"]),
            trusted=tuple(_text(each) for each in config.get("trusted", ())),
            sign_with=config.get("sign_with"),
        )
    except (KeyError, TypeError, AttributeError) as failure:
        raise ReviewStoreError(
            f"{state_dir / CONFIG_FILE} is not understood: {failure!r}", hint=_AGAIN
        ) from failure
    if secret.get("origin") != remote.origin:
        raise ReviewStoreError(
            f"the token was entered for {secret.get('origin')}, and {CONFIG_FILE} names {remote.origin}",
            hint=_AGAIN,
        )
    return remote


def write_remote(state_dir: Path, remote: Remote) -> None:
    """Save a store in place of the former one. Raises ReviewStoreError."""
    config = {
        "url": remote.origin,
        "name": remote.name,
        "scopes": list(remote.scopes),
        "trusted": list(remote.trusted),
        "sign_with": remote.sign_with,
    }
    try:
        ensure_private_dir(state_dir)
        # the token first: without its config it is not used
        atomic_write(state_dir / TOKEN_FILE, json.dumps({"origin": remote.origin, "token": remote.token}))
        atomic_write(state_dir / CONFIG_FILE, json.dumps(config, indent=2) + "\n")
    except StorageError as failure:
        raise ReviewStoreError(failure.message, hint=failure.hint) from failure


def forget_remote(state_dir: Path) -> bool:
    """Forget the store of a state with its token; false when there was none. Raises ReviewStoreError."""
    found = (state_dir / CONFIG_FILE).exists()
    for name in (CONFIG_FILE, TOKEN_FILE, PUSHED_FILE):
        try:
            (state_dir / name).unlink(missing_ok=True)
        except OSError as failure:
            raise ReviewStoreError(f"cannot remove {state_dir / name}: {failure.strerror}") from failure
    return found


def pushed(state_dir: Path, origin: str) -> int:
    """Return the sequence of the last record that was put into the store; 0 when none was."""
    found = _read(state_dir / PUSHED_FILE) or {}
    sequence = found.get("sequence")
    return sequence if found.get("origin") == origin and isinstance(sequence, int) else 0


def save_pushed(state_dir: Path, origin: str, sequence: int) -> None:
    """Save up to where records were put. Raises ReviewStoreError."""
    try:
        atomic_write(state_dir / PUSHED_FILE, json.dumps({"origin": origin, "sequence": sequence}))
    except StorageError as failure:
        raise ReviewStoreError(failure.message, hint=failure.hint) from failure


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = path.lstat()
        if found.st_uid != os.geteuid() or found.st_mode & _OTHERS or not stat.S_ISREG(found.st_mode):
            raise ReviewStoreError(f"others can see or change {path}", hint=f"run: chmod 600 {path}")
        data = json.loads(read_bounded(path, _MOST_BYTES))
    except (StorageMissingError, FileNotFoundError):
        return None
    except StorageError as failure:
        raise ReviewStoreError(failure.message, hint=failure.hint) from failure
    except OSError as failure:
        raise ReviewStoreError(f"cannot read {path}: {failure.strerror}") from failure
    except ValueError as failure:
        raise ReviewStoreError(f"{path} is not JSON: {failure}", hint=_AGAIN) from failure
    if not isinstance(data, dict):
        raise ReviewStoreError(f"{path} is not a JSON object", hint=_AGAIN)
    return data


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} is no text")
    return value
