"""The operations with which people sign off, bound to one workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.graph import Graph
from artifactize.errors import ToolRefusedError
from artifactize.models.signing import ClaimResult, HumanToolResult, SchemasResult, SignResult
from artifactize.models.states import RequestState
from artifactize.service.signing import Answer, claim, declaration_of, require_claim, submit, unclaim
from artifactize.service.workspace import off_loop
from artifactize.toolbox.assembling import open_toolbox
from artifactize.tree.discovery import read_project
from oskit.files import ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.domain.declarations import EvalDeclaration
    from artifactize.models.signing import ClaimRequest, HumanToolRequest, SchemasRequest, SignRequest
    from artifactize.service.workspace import Workspace
    from artifactize.toolbox.toolbox import EvalToolbox


class SigningOff:
    """Claiming, looking, and signing. `workspace` is asked for when an operation needs it."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def claim(self, request: ClaimRequest) -> ClaimResult:
        """Take a request, so that nobody else signs it meanwhile. Raises SignoffRefusedError."""
        found, reviewer = await claim(self._workspace(), request.request_id, request.reviewer)
        _, declared = await declaration_of(self._workspace(), found.id)
        return ClaimResult(
            request_id=found.id,
            eval=found.eval,
            instruction=instruction_of(declared),
            reviewer=reviewer,
            claimed=True,
        )

    async def unclaim(self, request: ClaimRequest) -> ClaimResult:
        """Give a request back. Raises SignoffRefusedError."""
        found, reviewer = await unclaim(self._workspace(), request.request_id, request.reviewer)
        return ClaimResult(
            request_id=found.id, eval=found.eval, instruction="", reviewer=reviewer, claimed=False
        )

    async def schemas(self, request: SchemasRequest) -> SchemasResult:
        """Say what is asked and which fields each verdict has. Raises SignoffRefusedError."""
        found, declared = await declaration_of(self._workspace(), request.request_id)
        return SchemasResult.model_validate(
            {
                "request_id": found.id,
                "eval": found.eval,
                "title": declared.title,
                "instruction": instruction_of(declared),
                "pass_schema": declared.pass_schema,
                "fail_schema": declared.fail_schema,
            }
        )

    async def submit(self, request: SignRequest) -> SignResult:
        """Sign a request that was claimed. Raises SignoffRefusedError."""
        answer = Answer(RequestState(request.verdict), request.fields, request.comment)
        signed = await submit(self._workspace(), request.request_id, answer, request.reviewer)
        return SignResult(
            request_id=signed.request.id,
            eval=signed.request.eval,
            reviewer=signed.reviewer,
            verdict=request.verdict,
            state=signed.request.state,
            missing=signed.missing,
        )

    async def tool(self, request: HumanToolRequest) -> HumanToolResult:
        """Call a tool for a person who has claimed the request. Raises ToolRefusedError."""
        workspace = self._workspace()
        await require_claim(workspace, request.request_id, request.reviewer)
        found, _ = await declaration_of(workspace, request.request_id)
        toolbox = await off_loop(lambda: human_toolbox(workspace, found.eval))
        answer = await toolbox.call(request.tool, request.arguments)
        if answer.error is not None:
            raise ToolRefusedError(answer.text)
        return HumanToolResult(tool=request.tool, text=answer.text)


def human_toolbox(workspace: Workspace, eval_id: str) -> EvalToolbox:
    """Return the tools that people have for an eval; blocks."""
    graph = Graph(read_project(workspace.root))
    declared = graph.project.artifacts[graph.project.evals[eval_id].artifact].declaration
    private = workspace.state_dir / "people"
    ensure_private_dir(private)
    return open_toolbox(
        workspace.root,
        graph,
        eval_id,
        tools=declared.human_tools,
        private=private,
        environment=workspace.environment,
    )


def instruction_of(declared: EvalDeclaration) -> str:
    """Return what a person is asked to do."""
    return str(declared.payload.get("instruction", ""))
