"""Import every module of a package: a module that needs what the package does not declare fails here.

Usage: python -I import_all.py PACKAGE
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

RUN_ELSEWHERE = {"prview.checks.snapshot_plugin"}
"""A plugin that the reviewed project's own pytest loads: it needs that pytest, and prview does not."""


def main(package: str) -> None:
    """Import `package` and everything in it, `__main__` aside (importing that starts the program)."""
    root = importlib.import_module(package)
    found = pkgutil.walk_packages(root.__path__, f"{package}.")
    names = sorted({module.name for module in found if not module.name.endswith("__main__")} - RUN_ELSEWHERE)
    for name in names:
        importlib.import_module(name)
    print(f"{package}: {len(names) + 1} modules import with only the declared dependencies")  # noqa: T201 - a script


if __name__ == "__main__":
    main(sys.argv[1])
