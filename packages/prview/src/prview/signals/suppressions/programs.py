"""Settings that are a program (`eslint.config.js`): nobody can read them, but a line that is gone is seen."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING

from prview.signals.suppressions.model import Suppression

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.domain.change import ChangedFile
    from prview.signals.own import Own

RULE = "settings"
SCRIPT_ENDS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
_PROGRAM = re.compile(
    r"^(?:(?P<eslint>eslint\.config\.[cm]?[jt]s|\.eslintrc\.c?js)"
    r"|(?:stylelint\.config|\.stylelintrc)\.(?:[cm]?js|ts))$"
)
_MEANS_NOTHING = re.compile(
    r"^(?:[\W_]*|//.*|/?\*.*|import\b.*|export \* from\b.*|(?:const|var|let) .*\brequire\(.*)$"
)


def lost_lines(own: Own, file: ChangedFile, referenced: Mapping[str, str]) -> Suppression | None:
    """What a linter's program of settings no longer says as it did; None where nothing is gone.

    What replaces a line may be as strict, and stricter; that is for people to judge. Comments, imports and
    punctuation are no settings, and a line that only moved, or is indented otherwise, is still there.
    `referenced` are files that such programs take in, with their tools.
    """
    before = _tool(file.old_path or file.path, referenced)
    if before is None or file.status in {"A", "C"}:
        return None
    kept = file.exists and _tool(file.path, referenced) is not None
    gone = _said(own.before(file)) - _said(own.after(file) if kept else None)
    if not gone:
        return None
    text = next(iter(gone))
    name = posixpath.basename(file.old_path or file.path)
    more = gone.total() - 1
    rest = f" and {more} more line{'s' if more > 1 else ''}" if more else ""
    what = (
        f"{before}: {text}{rest} of {name} is gone" if kept else f"{before}: {name} is gone, and its settings"
    )
    line = file.added_lines[0].number if kept and file.added_lines else 1
    return Suppression(RULE, line, what, what, read=False)


def program_tool(path: str) -> str | None:
    """The tool that a program of this name sets up, or None."""
    found = _PROGRAM.match(posixpath.basename(path))
    return found and ("eslint" if found["eslint"] else "stylelint")


def _tool(path: str, referenced: Mapping[str, str]) -> str | None:
    return program_tool(path) or (referenced.get(path) if path.endswith(SCRIPT_ENDS) else None)


def _said(text: str | None) -> Counter[str]:
    lines = (line.strip().rstrip(",;]}) ") for line in (text or "").split("\n"))
    return Counter(line for line in lines if not _MEANS_NOTHING.match(line))
