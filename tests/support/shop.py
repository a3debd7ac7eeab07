"""The example shop as a repository with a branch, made the way the demo makes it."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]


@cache
def demo() -> ModuleType:
    """`examples/run_demo.py` as a module."""
    spec = spec_from_file_location("run_demo", ROOT / "examples/run_demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def make_shop(repo: Path) -> Path:
    """The example project in `repo` (named `bookshop`), its change committed on `gift-wrapping`."""
    assert repo.name == "bookshop"
    repo.parent.mkdir(parents=True, exist_ok=True)
    shop = demo().prepare(demo().Shop(repo.parent))
    return Path(shop.repo)
