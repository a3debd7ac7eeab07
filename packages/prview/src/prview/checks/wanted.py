"""Whether a project uses a tool that it need not configure: what is on somebody's PATH says nothing of it.

A verdict must not differ between two machines by what else is installed there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.checks.base import ToolUnavailableError
from prview.checks.environments import locate
from prview.checks.tools import ELSEWHERE

if TYPE_CHECKING:
    from prview.checks.base import CheckContext
    from prview.checks.trees import Side

_SIDES: tuple[Side, ...] = ("head", "base")
_ASKING = re.compile(
    r"pyproject\.toml|setup\.(?:cfg|py)|Pipfile|tox\.ini|noxfile\.py|[\w.-]*requirements[\w.-]*\.(?:txt|in)"
    r"|\.pre-commit-config\.ya?ml|environment\.ya?ml|package\.json|Makefile|[Jj]ustfile|\.?lefthook\.ya?ml"
    r"|\.mise\.toml|mise\.toml|\.tool-versions|\.github/workflows/[^/]+\.ya?ml"
)
"""Files in which projects write down the tools that they use."""


async def is_wanted(context: CheckContext, program: str) -> bool:
    """Whether a file of either side names it, or it is installed in the project's own environment.

    Either side: a branch does not get rid of a tool by asking for it no more.
    """
    named = re.compile(rf"(?<![\w.-]){re.escape(program)}(?![\w.]|-(?!\s))".encode(), re.IGNORECASE)
    for side in _SIDES:
        for path in await context.trees.listing(side):
            if _ASKING.fullmatch(path):
                text = await context.trees.read(side, path)
                if text is not None and named.search(text):
                    return True
    try:
        return (await locate(program, context)).origin not in ELSEWHERE
    except ToolUnavailableError:
        return False
