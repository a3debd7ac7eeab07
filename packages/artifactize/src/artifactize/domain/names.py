"""Names of Artifacts, evals and mount aliases."""

from __future__ import annotations

import re

NAME_RULE = "1 to 64 letters, digits, '_' or '-', starting with a letter or digit"
NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_NAME = re.compile(NAME_PATTERN)


def is_name(text: str) -> bool:
    """Whether the text can name an Artifact, an eval or a mount alias."""
    return _NAME.fullmatch(text) is not None


def name_fault(text: str) -> str | None:
    """Return what is wrong with a name, or None."""
    return None if is_name(text) else f"{text!r} is not a name: {NAME_RULE}"


def qualified(artifact: str, local_id: str) -> str:
    """Return the id of an eval in the repository: `guide/terms`."""
    return f"{artifact}/{local_id}"


def artifact_of(name: str) -> str:
    """Return the Artifact of a qualified id; an Artifact's own name is returned as it is."""
    return name.partition("/")[0]
