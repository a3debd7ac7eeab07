"""Which repository this prview was installed from, as a GitHub action names it."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from oskit.git import GitError, open_repository
from oskit.github.remotes import PUBLIC_HOST, hosted

if TYPE_CHECKING:
    from collections.abc import Mapping

_RECORD = "direct_url.json"
"""Where an installer writes down what it installed from (PEP 610); nothing for a package of an index."""


async def installed_action() -> str | None:
    """`owner/name@ref` on the public GitHub; None where the installation does not tell."""
    record = _record()
    url = record.get("url")
    if not isinstance(url, str):
        return None
    version = record.get("vcs_info")
    if isinstance(version, dict):
        return action_of(url, ref=str(version.get("commit_id") or "main"))
    if urlsplit(url).scheme != "file":
        return None
    origin = await _origin(Path(unquote(urlsplit(url).path)))
    return action_of(origin) if origin else None


def action_of(url: str, *, ref: str = "main") -> str | None:
    """The repository at an address of GitHub, at a commit or branch."""
    found = hosted(url)
    return f"{found.slug}@{ref}" if found and found.host == PUBLIC_HOST else None


def _record() -> Mapping[str, object]:
    try:
        text = distribution("prview").read_text(_RECORD)
        record = json.loads(text) if text else {}
    except (PackageNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


async def _origin(folder: Path) -> str | None:
    """The address that the checkout around a folder came from."""
    try:
        return await (await open_repository(folder)).remote_url()
    except GitError:
        return None
