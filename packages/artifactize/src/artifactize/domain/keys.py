"""The reuse key: what exactly a verdict answers for."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from artifactize.domain.declarations import RuntimeProfile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.project import Eval, Project

KEY_VERSION = 1
"""Part of every key: a change of what keys mean makes older records unreachable instead of wrong."""


def definition_hash(found: Eval) -> str:
    """Return the hash of what an eval asks: kind, payload, schemas, command, arguments and error codes.

    Ids, titles, tags and timeouts do not count (spec 40, section 3). Aliases count as the Artifact they stand
    for: with `{terms}` mounted elsewhere, the same arguments ask something else.
    """
    profile = found.declaration.profile
    content: dict[str, object] = {"kind": str(found.kind), "payload": dict(found.declaration.payload)}
    if isinstance(profile, RuntimeProfile):
        content["argv"] = [profile.command, *profile.args]
        content["error_codes"] = list(profile.error_codes)
    for name in ("pass_schema", "fail_schema"):
        if (schema := getattr(found.declaration, name)) is not None:
            content[name] = schema
    content["aliases"] = {alias: name for alias, name in found.references.items() if alias != name}
    return _digest(content)


def reuse_key(project: Project, eval_id: str, fingerprints: Mapping[str, str]) -> str | None:
    """Return the key of an eval, or None when it is derived or an Artifact it covers has no fingerprint.

    The target is named beside the covered pairs: two Artifacts that name each other never share a result.
    """
    found = project.evals[eval_id]
    covered = project.covered(eval_id)
    if found.is_derived or any(name not in fingerprints for name in covered):
        return None
    return _digest(
        {
            "version": KEY_VERSION,
            "definition": definition_hash(found),
            "target": found.artifact,
            "inputs": [[name, fingerprints[name]] for name in covered],
        }
    )


def _digest(content: Mapping[str, object]) -> str:
    # not RFC 8785, which refuses the 64-bit integers of TOML; nobody but us reads these bytes
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
