"""Checks on real repositories without the rest of a review, and jobs for tests of parsers."""

from __future__ import annotations

import itertools
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oskit.git import open_repository
from oskit.process import Completed
from prview.checks.base import CheckContext, Profile
from prview.checks.jobs import Budget, Job, Output
from prview.checks.runner import run_checks
from prview.checks.tools import Tool
from prview.checks.trees import Trees
from prview.domain.change import Change
from prview.service.preparing import prepare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.checks.base import Check
    from prview.checks.trees import Side
    from prview.domain.checks import CheckResult
    from prview.store.cache import ResultCache
    from support.repos import GitRepo

PROGRAMS = Path(sys.executable).parent
"""Where the programs of the development environment are: ruff, mypy, pytest."""


@dataclass
class Checker:
    """Runs checks on a repository: branch `topic` (or what is checked out) against `main`."""

    repo: GitRepo
    scratch: Path
    profile: Profile = Profile.STANDARD
    timeout_s: float = 60
    may_run_code: bool = True
    cache: ResultCache | None = None
    _runs: Any = field(default_factory=lambda: itertools.count(1))

    async def run(self, *checks: Check, target: str | None = None, base: str = "main") -> list[CheckResult]:
        """Run all of them as one review would; the run's id is `run-1`, then `run-2` and so on."""
        repository = await open_repository(self.repo.path)
        change = await prepare(repository, target=target, bases=[base])
        run_id = f"run-{next(self._runs)}"
        scratch = self.scratch / run_id
        scratch.mkdir(parents=True)
        trees = Trees(repository, head=change.head, base=change.merge_base, folder=scratch)
        context = CheckContext(
            change=change,
            trees=trees,
            paths=frozenset(await trees.listing("head")),
            checkouts=(self.repo.path,),
            scratch=scratch.resolve(),
            profile=self.profile,
            may_run_code=self.may_run_code,
            timeout_s=self.timeout_s,
            run_id=run_id,
            cache=self.cache,
        )

        async def step(_done: int, _message: str) -> None:
            return None

        return list(await run_checks(checks, context, step=step))

    async def one(self, check: Check, **options: str) -> CheckResult:
        """Run one check."""
        (result,) = await self.run(check, **options)
        return result


def origins(result: CheckResult) -> list[tuple[str, int, str, str]]:
    """Path, line, rule and origin of every finding, in order."""
    return [
        (item.finding.path, item.finding.line, item.finding.rule, item.provenance.value)
        for item in result.judged
    ]


def own_programs(repo: GitRepo, *names: str) -> None:
    """Link programs of this environment into the project's .venv, as the project's own."""
    folder = repo.path / ".venv/bin"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(PROGRAMS / name)


def job_at(
    tree: Path,
    *,
    check: str,
    project: str = "",
    side: Side = "head",
    targets: Sequence[str] | None = None,
) -> Job:
    """A job on a folder of files, for reading output; it can run nothing."""
    nothing: Any = None
    change = Change("t", "t", "h" * 40, (), "b" * 40, (), ())
    context = CheckContext(change, nothing, frozenset(), (), tree, Profile.QUICK, True, 60)
    return Job(
        side=side,
        tree=tree,
        project=project,
        targets=None if targets is None else tuple(targets),
        listing={},
        tool=Tool(check, Path(os.devnull), "here"),
        version="1",
        context=context,
        scratch=tree,
        budget=Budget(60),
        check=check,
    )


def said(stdout: str, stderr: str = "", *, code: int = 0, tree: Path | None = None) -> Output:
    """What a program printed, `@TREE@` being `tree`, as if it had just ended."""
    texts = [text.replace("@TREE@", str(tree)).encode() for text in (stdout, stderr)]
    completed = Completed(
        argv=("tool",),
        returncode=code,
        stdout=b"",
        stderr=b"",
        stdout_total=0,
        stderr_total=0,
        timed_out=False,
        duration_s=0.1,
    )
    return Output(completed, *texts)
