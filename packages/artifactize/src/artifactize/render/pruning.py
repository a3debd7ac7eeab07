"""What `prune` did, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from artifactize.models.pruning import PruneResult


def pruned_text(result: PruneResult) -> str:
    """Return one line."""
    verb = "would remove" if result.dry_run else "removed"
    kept = f"; {result.kept} more are needed and lose only their output" if result.kept else ""
    output = f"{result.outputs} folders of output ({result.output_bytes} bytes)"
    return f"{verb} {result.runs} Runs and {output}{kept}"
