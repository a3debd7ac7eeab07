"""`python -m prview`."""

from __future__ import annotations

from prview.cli import main

if __name__ == "__main__":
    main()
