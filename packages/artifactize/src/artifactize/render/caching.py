"""The records of one reuse key as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.caching import CacheHistory, CacheRecord, CacheRemoved, CacheShown


def shown_text(shown: CacheShown) -> str:
    """Return a verdict with what it answers for."""
    return "no verdict" if shown.root is None else _record_text(shown.root)


def history_text(found: CacheHistory) -> str:
    """Return every record of a key, newest first."""
    return "\n\n".join(_record_text(each) for each in found.root) or "no verdict"


def removed_text(removed: CacheRemoved) -> str:
    """Return what was removed."""
    if not removed.removed:
        return f"no verdict under {removed.key}; nothing was removed"
    return f"removed the verdict of {removed.eval} under {removed.key}; verify runs it again"


def _record_text(record: CacheRecord) -> str:
    exit_code = "" if record.exit_code is None else f", exit code {record.exit_code}"
    lines = [
        f"{record.verdict} {record.eval}{exit_code}",
        f"  key {record.key}",
        f"  recorded {record.recorded_at} as number {record.sequence}",
        f"  by Run {record.run_id}, request {record.request_id}",
        f"  definition {record.definition}",
        *(f"  {name} {value}" for name, value in record.fingerprints.items()),
    ]
    lines += [f"  {record.message}"] if record.message else []
    return escape_untrusted("\n".join(lines))
