"""Sign-offs in the review screen's words, and what a person types into it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from rich.text import Text

from artifactize.monitor.form import FieldFault
from artifactize.monitor.words import safe

if TYPE_CHECKING:
    from artifactize.domain.declarations import Json
    from artifactize.service.waiting_signoffs import SignOff


def listed(found: SignOff) -> Text:
    """Return a sign-off in the list: mine, somebody else's, or nobody's."""
    mark = "▸ " if found.is_mine else "- " if found.holder is not None else "? "
    return Text(f"{mark}{safe(found.eval)}", no_wrap=True, overflow="ellipsis")


def words_of(found: SignOff) -> Text:
    """Return what a sign-off asks, of what, and who has claimed it."""
    holder = "nobody has claimed it" if found.holder is None else f"claimed by {safe(found.holder)}"
    text = Text.assemble((safe(found.eval), "bold"), f"  {safe(found.title)}\n")
    text.append(f"{safe(found.repository)} · {holder}\n", style="dim")
    text.append("\n".join(map(safe, found.instruction.split("\n"))))
    return text


def arguments_of(text: str) -> dict[str, Json]:
    """Return a tool's arguments from what was typed, none for nothing. Raises FieldFault."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except ValueError as failure:
        raise FieldFault(f"the arguments are JSON: {failure}") from failure
    if not isinstance(found, dict):
        raise FieldFault("the arguments are one JSON object")
    return cast("dict[str, Json]", found)
