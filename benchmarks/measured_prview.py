"""Run prview in this process and tell what it cost by itself, apart from git and the tools it starts.

python -m benchmarks.measured_prview FIGURES.json ARGUMENTS…
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path


def main(figures: str, arguments: list[str]) -> None:
    """Hand over to prview; what it used is written when it ends, whatever its exit code."""
    from prview.cli import main as prview

    sys.argv = ["prview", *arguments]
    try:
        prview()
    finally:
        own = resource.getrusage(resource.RUSAGE_SELF)
        below = resource.getrusage(resource.RUSAGE_CHILDREN)
        document = {
            "own_cpu_ms": (own.ru_utime + own.ru_stime) * 1000,
            "children_cpu_ms": (below.ru_utime + below.ru_stime) * 1000,
            "own_peak_mb": own.ru_maxrss / 1024,
            "children_peak_mb": below.ru_maxrss / 1024,
        }
        Path(figures).write_text(json.dumps(document))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
