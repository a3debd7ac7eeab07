"""The sign-offs that wait in a state, of whatever repository, and what a person does with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from artifactize.domain.people import same_person
from artifactize.models.signing import HumanToolRequest
from artifactize.models.states import RequestState
from artifactize.service.looking import read_graph
from artifactize.service.reviewers import reviewer_of
from artifactize.service.signing import Answer, claim, declaration_of, submit, unclaim
from artifactize.service.signing_off import SigningOff, instruction_of
from artifactize.service.workspace import off_loop
from artifactize.toolbox.assembling import open_toolbox
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from artifactize.domain.declarations import EvalDeclaration, Json
    from artifactize.domain.graph import Graph
    from artifactize.models.stored import EvalRequest
    from artifactize.service.monitoring import Monitor
    from artifactize.service.workspace import Workspace
    from artifactize.store.monitoring import WaitingRow
    from artifactize.toolbox.contract import ToolSpec

Verdict = Literal["GREEN", "RED"]


@dataclass(frozen=True, slots=True)
class SignOff:
    """A request that waits for a person. `holder` is who has claimed it, None for nobody."""

    repository: str
    request_id: str
    eval: str
    title: str
    instruction: str
    holder: str | None
    is_mine: bool
    tools: tuple[ToolSpec, ...]
    pass_schema: Mapping[str, Json] | None
    fail_schema: Mapping[str, Json] | None


class WaitingSignOffs:
    """Looks through a monitor, which writes nothing; what a person does goes through `open_workspace`.

    `reviewer` is who signs; without a name, git's `user.email` of each repository.
    """

    def __init__(
        self, monitor: Monitor, open_workspace: Callable[[str], Workspace], *, reviewer: str | None = None
    ) -> None:
        self._monitor = monitor
        self._open = open_workspace
        self._given = reviewer
        self._opened: dict[str, Workspace] = {}
        self._reviewers: dict[str, str | None] = {}

    async def waiting(self) -> tuple[SignOff, ...]:
        """Return all that wait, oldest Run first. Raises StateError."""
        rows = await off_loop(self._monitor.waiting_for_people)
        return tuple([await self._signoff(row) for row in rows])

    async def claim(self, found: SignOff) -> None:
        """Take a sign-off. Raises SignoffRefusedError."""
        await claim(self._workspace(found.repository), found.request_id, self._given)

    async def unclaim(self, found: SignOff) -> None:
        """Give it back. Raises SignoffRefusedError."""
        await unclaim(self._workspace(found.repository), found.request_id, self._given)

    async def call(self, found: SignOff, tool: str, arguments: Mapping[str, Json]) -> str:
        """Call a tool of a claimed sign-off. Raises SignoffRefusedError, ToolRefusedError."""
        request = HumanToolRequest(
            request_id=found.request_id, reviewer=self._given, tool=tool, arguments=dict(arguments)
        )
        return (await SigningOff(lambda: self._workspace(found.repository)).tool(request)).text

    async def submit(self, found: SignOff, verdict: Verdict, fields: Mapping[str, Json]) -> str:
        """Submit a verdict and return what came of it. Raises SignoffRefusedError with nothing saved."""
        answer = Answer(RequestState(verdict), fields, None)
        signed = await submit(self._workspace(found.repository), found.request_id, answer, self._given)
        more = f"; {signed.missing} more have to sign it" if signed.missing else ""
        return f"{verdict} submitted for {signed.request.eval} by {signed.reviewer}{more}"

    def close(self) -> None:
        """Close every state that was opened for writing."""
        for workspace in self._opened.values():
            workspace.close()
        self._opened.clear()

    def _workspace(self, repository: str) -> Workspace:
        if repository not in self._opened:
            self._opened[repository] = self._open(repository)
        return self._opened[repository]

    async def _signoff(self, row: WaitingRow) -> SignOff:
        looking = self._monitor.workspace(row.repository)
        try:
            request, declared = await declaration_of(looking, row.request_id)
            graph = await read_graph(looking.root)
        except ToolError as failure:
            return _lost(row, failure.message)
        tools = _offered(looking, graph, request.eval)
        mine = row.holder is not None and await self._is_me(looking, row.holder)
        return _known(row, request, declared, tools, is_mine=mine)

    async def _is_me(self, workspace: Workspace, holder: str) -> bool:
        if workspace.repository not in self._reviewers:
            try:
                self._reviewers[workspace.repository] = await reviewer_of(workspace, self._given)
            except ToolError:
                self._reviewers[workspace.repository] = None
        me = self._reviewers[workspace.repository]
        return me is not None and same_person(me, holder)


def _offered(workspace: Workspace, graph: Graph, eval_id: str) -> tuple[ToolSpec, ...]:
    """Return what the tools of people are told to be; unlike for a call, no folder is made for them."""
    artifact = graph.project.artifacts[graph.project.evals[eval_id].artifact]
    return open_toolbox(
        workspace.root,
        graph,
        eval_id,
        tools=artifact.declaration.human_tools,
        private=workspace.state_dir / "people",
        environment=workspace.environment,
    ).specs


def _known(
    row: WaitingRow,
    request: EvalRequest,
    declared: EvalDeclaration,
    tools: tuple[ToolSpec, ...],
    *,
    is_mine: bool,
) -> SignOff:
    return SignOff(
        repository=row.repository,
        request_id=request.id,
        eval=request.eval,
        title=declared.title,
        instruction=instruction_of(declared),
        holder=row.holder,
        is_mine=is_mine,
        tools=tools,
        pass_schema=declared.pass_schema,
        fail_schema=declared.fail_schema,
    )


def _lost(row: WaitingRow, why: str) -> SignOff:
    """Return a sign-off that nobody can give: what it asks is not there any more."""
    return SignOff(
        repository=row.repository,
        request_id=row.request_id,
        eval=row.eval,
        title="cannot be signed",
        instruction=why,
        holder=row.holder,
        is_mine=False,
        tools=(),
        pass_schema=None,
        fail_schema=None,
    )
