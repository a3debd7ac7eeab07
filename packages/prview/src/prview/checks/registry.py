"""All checks, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.bandit import Bandit
from prview.checks.conflict_markers import ConflictMarkers
from prview.checks.go.golangci import GolangciLint
from prview.checks.go.testing import GoTest
from prview.checks.go.vet import GoVet
from prview.checks.js.biome import Biome
from prview.checks.js.eslint import Eslint
from prview.checks.js.npm_audit import NpmAudit
from prview.checks.js.stylelint import Stylelint
from prview.checks.js.testing import Jest, Vitest
from prview.checks.js.tsc import Tsc
from prview.checks.large_files import LargeFiles
from prview.checks.mypy import Mypy
from prview.checks.pip_audit import PipAudit
from prview.checks.pyright import Pyright
from prview.checks.pytest import Pytest
from prview.checks.ruff import Ruff
from prview.checks.ruff_format import RuffFormat
from prview.checks.rust.audit import CargoAudit
from prview.checks.rust.compiling import CargoCheck, Clippy
from prview.checks.rust.rustfmt import Rustfmt
from prview.checks.rust.testing import CargoTest
from prview.checks.secrets import Secrets
from prview.checks.semgrep import Semgrep
from prview.checks.ty import Ty
from prview.checks.workflows.actionlint import Actionlint
from prview.checks.workflows.zizmor import Zizmor

if TYPE_CHECKING:
    from prview.checks.base import Check

ANY_TEXT: tuple[Check, ...] = (ConflictMarkers(), Secrets(), LargeFiles())
ANY_LANGUAGE: tuple[Check, ...] = (Semgrep(), Actionlint(), Zizmor())
PYTHON: tuple[Check, ...] = (
    Ruff(),
    RuffFormat(),
    Mypy(),
    Pyright(),
    Ty(),
    Bandit(),
    PipAudit(),
    Pytest(),
)
JS: tuple[Check, ...] = (Eslint(), Biome(), Stylelint(), Tsc(), NpmAudit(), Vitest(), Jest())
RUST: tuple[Check, ...] = (CargoCheck(), Clippy(), Rustfmt(), CargoAudit(), CargoTest())
GO: tuple[Check, ...] = (GoVet(), GolangciLint(), GoTest())

CHECKS: tuple[Check, ...] = (*ANY_TEXT, *ANY_LANGUAGE, *PYTHON, *JS, *RUST, *GO)
