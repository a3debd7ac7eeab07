"""`artifactize-tools read`, `list`, `grep` and so on: their options are read off each tool's schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from artifactize.commands.common import ERRORS, json_option
from artifactize.toolbox.builtins import HELP, READERS
from mcpkit.cli import run

if TYPE_CHECKING:
    from artifactize.models.tool_answers import BuiltInCall, BuiltInResult
    from artifactize.toolbox.contract import ToolSpec

_FOLDER = click.Path(path_type=Path)
_PLACES = ("root", "repo", "eval_id")


def _command(spec: ToolSpec) -> click.Command:
    def call(*, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - read off the schema
        from artifactize.models.tool_answers import BuiltInCall  # deferred: --help stays light

        places = {name: options.pop(name) for name in _PLACES}
        arguments = {name: value for name, value in options.items() if value is not None}
        run(
            _answered,
            lambda: BuiltInCall(tool=spec.name, arguments=arguments, **places),
            _text,
            as_json=as_json,
            envelope=ERRORS,
        )

    call.__doc__ = f"{spec.description}\n\nPaths are relative to --root, or those of the eval's Artifacts."
    for parameter in reversed([*_parameters(spec), *_place_options()]):
        call = parameter(call)
    return click.command(spec.name)(json_option(call))


def _parameters(spec: ToolSpec) -> list[Any]:
    required = cast("list[str]", spec.input_schema["required"])
    properties = cast("dict[str, dict[str, Any]]", spec.input_schema["properties"])
    first = next(iter(properties))
    # the first argument of each tool stands without a name, as a person types it
    named = [_option(name, declared) for name, declared in properties.items() if name != first]
    return [click.argument(first, required=first in required), *named]


def _option(name: str, declared: dict[str, Any]) -> Any:  # noqa: ANN401 - click's decorators have no better type
    words = f"--{name.replace('_', '-')}"
    if declared["type"] == "boolean":
        return click.option(words, name, is_flag=True, default=None, help=declared["description"])
    kind = int if declared["type"] == "integer" else str
    return click.option(words, name, type=kind, help=declared["description"])


def _place_options() -> list[Any]:
    return [
        click.option("--root", type=_FOLDER, help="The folder to read; default: this one."),
        click.option("--eval", "eval_id", metavar="ID", help="Read what this eval covers instead."),
        click.option("--repo", type=_FOLDER, help="The project of --eval."),
    ]


async def _answered(request: BuiltInCall) -> BuiltInResult:
    from artifactize.errors import NotARepositoryError  # deferred, as above
    from artifactize.service.reading_tools import call_built_in
    from artifactize.wiring import find_root

    if request.eval_id is None:
        root = request.root or Path.cwd()
    else:
        root = request.repo or find_root(Path.cwd()) or Path.cwd()
    if not root.is_dir():
        raise NotARepositoryError(f"{root} is not a folder")
    return await call_built_in(request, root.resolve())


def _text(result: BuiltInResult) -> str:
    return result.text


_ALL = {each.spec.name: _command(each.spec) for each in READERS}
read = _ALL["read"]
list_folder = _ALL["list"]
glob = _ALL["glob"]
grep = _ALL["grep"]
view_image = _ALL["view_image"]
section = _ALL["section"]
open_path = _ALL["open"]
help_text = _command(HELP)
