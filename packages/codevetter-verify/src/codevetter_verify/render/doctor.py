"""The doctor's findings as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from codevetter_verify.models import Doctor


def render_doctor(found: Doctor) -> str:
    """What is there, then what is not and what to do."""
    facts = {
        "browser": found.browser,
        **({"endpoint": found.endpoint} if found.endpoint else {}),
        "git": found.git,
        "github": found.github,
        "receipts": found.home,
        "playwright": found.playwright_version,
    }
    lines = [f"{name:<11} {value or 'missing'}" for name, value in facts.items()]
    problems = [f"problem: {problem}" for problem in found.problems]
    return escape_untrusted("\n".join([*lines, *problems]))
