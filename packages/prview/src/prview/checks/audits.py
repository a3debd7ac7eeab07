"""What the checks have in common that ask an advisory service about the versions which lock files pin."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import Profile, Skip
from prview.checks.external import ToolCheck
from prview.checks.jobs import Project
from prview.checks.tools import passed_on
from prview.domain.checks import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prview.checks.base import CheckContext

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


class LockFileAudit(ToolCheck):
    """Asks about every changed lock file on its own: two may pin the same package in two versions.

    Only in the deep profile, since names and versions of packages leave the machine. No answer is kept: the
    service's next one may be another.
    """

    kind = Kind.SECURITY
    suffixes: ClassVar[frozenset[str]] = frozenset()
    since = Profile.DEEP
    per_file = True
    keeps = False
    exits = frozenset({0, 1})
    nothing_left: ClassVar[str]
    """Why there is nothing to ask when the changed lock files were all deleted."""

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Every changed lock file, as a project."""
        files = [file for file in context.change.files if file.exists and self.concerns(file.path)]
        return [Project("", (file,)) for file in files] or Skip(self.nothing_left)

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """The one file."""
        del context
        return tuple(file.path for file in project.files)


def way_to_the_network(*names: str) -> dict[str, str]:
    """The variables of ours that say how the network is reached, and those `names`; in both spellings."""
    return passed_on(_both_spellings((*_PROXIES, *names)))


def _both_spellings(names: Iterable[str]) -> Iterable[str]:
    return (spelling for name in names for spelling in (name, name.lower()))
