"""Calling a built-in tool outside of a review."""

from __future__ import annotations

import base64
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from artifactize.domain.graph import Graph
from artifactize.errors import ToolRefusedError, UnknownSelectionError
from artifactize.models.tool_answers import AnswerImage, BuiltInCall, BuiltInResult
from artifactize.service.workspace import off_loop
from artifactize.toolbox.scoping import eval_scope, folder_scope
from artifactize.toolbox.toolbox import EvalToolbox
from artifactize.tree.discovery import read_project

if TYPE_CHECKING:
    from artifactize.toolbox.contract import Image
    from artifactize.toolbox.scope import Scope


async def call_built_in(request: BuiltInCall, root: Path) -> BuiltInResult:
    """Call a tool on the eval's files of the project at `root`, or on that folder. Raises ToolError."""
    if request.eval_id is None:
        toolbox = EvalToolbox(partial(folder_scope, root))
    else:
        scope = await off_loop(partial(_scope, root, request.eval_id))
        toolbox = EvalToolbox(lambda: scope)
    answer = await toolbox.call(request.tool, request.arguments)
    if answer.error is not None:
        raise ToolRefusedError(answer.text)
    return BuiltInResult(tool=request.tool, text=answer.text, image=_image(answer.image))


def _scope(root: Path, eval_id: str) -> Scope:
    project = read_project(root)
    if eval_id not in project.evals:
        raise UnknownSelectionError(f"no eval {eval_id!r} is declared")
    return eval_scope(root, Graph(project), eval_id)


def _image(image: Image | None) -> AnswerImage | None:
    if image is None:
        return None
    return AnswerImage(media_type=image.media_type, data=base64.b64encode(image.data).decode("ascii"))
