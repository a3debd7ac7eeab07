"""What the commands of people's sign-offs print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.models.signing import ClaimResult, HumanToolResult, SchemasResult, SignResult


def claim_text(result: ClaimResult) -> str:
    """Return who has a request, and what it asks."""
    if not result.claimed:
        return f"{result.eval}: given back by {result.reviewer}"
    asked = escape_untrusted(result.instruction)
    return (
        f"{result.eval}: claimed by {result.reviewer}\n  {asked}\n"
        f"  artifactize request submit {result.request_id} GREEN (or RED)"
    )


def schemas_text(result: SchemasResult) -> str:
    """Return what is asked and which fields each verdict has."""
    lines = [f"{result.eval}: {escape_untrusted(result.title)}", f"  {escape_untrusted(result.instruction)}"]
    lines += [f"  GREEN: {_fields(result.pass_schema)}", f"  RED: {_fields(result.fail_schema)}"]
    return "\n".join(lines)


def sign_text(result: SignResult) -> str:
    """Return what came of an answer."""
    if result.missing:
        people = "one more person has" if result.missing == 1 else f"{result.missing} more people have"
        return f"{result.eval}: {result.reviewer} says {result.verdict}; {people} to sign"
    return f"{result.eval}: {result.verdict}, signed by {result.reviewer}"


def tool_text(result: HumanToolResult) -> str:
    """Return what a tool said."""
    return escape_untrusted(result.text)


def _fields(schema: Mapping[str, object] | None) -> str:
    return "no fields" if schema is None else escape_untrusted(json.dumps(schema, ensure_ascii=False))
