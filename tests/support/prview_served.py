"""prview's services in this process, over a repository whose one run was published without any tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from mcpkit.canonical import compact_json, plain
from oskit.clock import now
from oskit.git import open_repository
from prview.domain.keys import branch_key
from prview.models import requests
from prview.service.api import Prview
from prview.service.packing import pack_files
from prview.service.settings import Settings
from prview.store.home import Home
from prview.store.pack import publish
from prview.store.run_folder import reserve
from support.prview_review import change_of, changed_file, result, reviewed
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import BaseModel

    from prview.domain.findings import Judged
    from prview.models.results import FindingsResult, ReadArtifactResult, VerdictResult
    from prview.store.home import BranchRuns

WIRE_LIMIT = 64 * 1024


@dataclass(frozen=True)
class Served:
    """The services, the checkout they are asked about, and its run."""

    prview: Prview
    repo: GitRepo
    branch: BranchRuns
    run_id: str

    @property
    def where(self) -> str:
        """The argument `repo`."""
        return str(self.repo.path)

    @property
    def pack(self) -> Path:
        """The folder of the run's pack."""
        return self.branch.published(self.run_id)

    async def verdict(self, run_id: str | None = None) -> VerdictResult:
        """Ask for the run's verdict, or another one's."""
        asked = requests.VerdictRequest(repo=self.where, run_id=run_id or self.run_id)
        return await self.prview.verdict(asked)

    async def findings(self, **arguments: Any) -> FindingsResult:
        """Ask for a page of the run's findings."""
        asked = {"repo": self.where, "run_id": self.run_id, **arguments}
        return await self.prview.findings(requests.FindingsRequest(**asked))

    async def read(self, artifact: str, **arguments: Any) -> ReadArtifactResult:
        """Ask for a page of a file of the run."""
        asked = {"repo": self.where, "run_id": self.run_id, "artifact": artifact, **arguments}
        return await self.prview.read_artifact(requests.ReadArtifactRequest(**asked))


def served(folder: Path, *judged: Judged) -> Served:
    """A repository of one commit on `main`, reviewed with these findings."""
    repo = GitRepo.create(folder / "repo")
    repo.write("a.py", "x = 1\n").commit("first")
    home = Home(folder / "prview")
    branch = home.repository(anyio.run(key_of, repo)).branch(branch_key("main", repo.head))
    run = reserve(branch, started=now(), commit=repo.head)
    change = change_of([changed_file("a.py", "+x")])
    review = reviewed(change, result("ruff", *judged), run_id=run.run_id, branch_key=branch.folder.name)
    publish(run, pack_files(review))
    return Served(Prview(Settings(home=home, command=())), repo, branch, run.run_id)


async def key_of(repo: GitRepo) -> str:
    """The name under which a repository's runs are kept."""
    return (await (await open_repository(repo.path)).identity()).key


def wire_size(answer: BaseModel) -> int:
    """Bytes of an answer as it goes over the wire: the object, and its mirror as text."""
    text = compact_json(plain(answer))
    return len(text.encode()) + len(compact_json(text).encode())
