"""The `mcp` subcommand of every tool: serve, `--probe`, `--register HOST`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mcpkit import hosts
from mcpkit.cli.output import write_json, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OWN = ("probe", "register", "as_json")


@dataclass(frozen=True)
class _Tool:
    server: str
    script: str
    module: str
    call: tuple[str, Mapping[str, object]] | None


def mcp_command(
    *,
    server: str,
    script: str,
    module: str,
    call: tuple[str, Mapping[str, object]] | None = None,
) -> Callable[[Callable[..., None]], click.Command]:
    """Make the command `mcp` out of the function that serves.

    `server` is the name under which hosts register it, `script` the console script, `module` what
    `python -m` runs when no script is installed, `call` one cheap tool call for the probe. Options of the
    decorated function and of the groups above it become part of the registered command line:

        @mcp_command(server="artifactize", script="artifactize", module="artifactize", call=("status", {}))
        @click.option("--repo", type=click.Path(path_type=Path))
        def mcp(repo: Path | None) -> None:
            \"\"\"Serve the tools to a coding agent over stdio.\"\"\"
            serve(…)
    """
    tool = _Tool(server, script, module, call)

    def decorate(function: Callable[..., None]) -> click.Command:
        @click.pass_context
        def mcp(
            ctx: click.Context, /, *, probe: bool, register: str | None, as_json: bool, **options: object
        ) -> None:
            if register is not None:
                _register(tool, register, registered_command(tool, ctx))
            elif probe:
                _probe(tool, registered_command(tool, ctx), as_json=as_json)
            else:
                function(**options)

        mcp.__doc__ = function.__doc__
        mcp.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
        return click.command("mcp")(_with_options(mcp))

    return decorate


def registered_command(tool: _Tool, ctx: click.Context) -> list[str]:
    """Return the command line that starts this server again: absolute, with the options given to us."""
    words = hosts.absolute_command(tool.script, module=tool.module)
    chain = [ctx]
    while chain[0].parent is not None:
        chain.insert(0, chain[0].parent)
    for position, context in enumerate(chain):
        if position:
            words.append(str(context.info_name))
        words.extend(_given(context))
    return words


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    probe = click.option("--probe", is_flag=True, help="Start the server, make a call, say what happened.")
    register = click.option(
        "--register", type=click.Choice(hosts.HOSTS), metavar="HOST",
        help=f"Print the registration for {', '.join(hosts.HOSTS)}.",
    )  # fmt: skip
    as_json = click.option("--json", "as_json", is_flag=True, help="Print the probe's report as JSON.")
    decorated: Callable[..., Any] = probe(register(as_json(function)))
    return decorated


def _given(ctx: click.Context) -> list[str]:
    words: list[str] = []
    for param in ctx.command.get_params(ctx):
        name = param.name or ""
        if name in _OWN or not isinstance(param, click.Option) or not param.expose_value:
            continue
        if ctx.get_parameter_source(name) in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}:
            words.extend(_spelled(param, ctx.params[name]))
    return words


def _spelled(option: click.Option, value: object) -> list[str]:
    spelling = max(option.opts, key=len)
    if option.is_flag:
        off = option.secondary_opts
        return [spelling] if value else off[:1]
    values = value if option.multiple and isinstance(value, tuple) else (value,)
    return [word for one in values for word in (spelling, _absolute(option, one))]


def _absolute(option: click.Option, value: object) -> str:
    # hosts start servers in a directory of their own choice
    is_path = isinstance(option.type, click.Path) or isinstance(value, Path)
    # `absolute` keeps links, as hosts.absolute_command does
    return str(Path(value).absolute()) if is_path and isinstance(value, (str, Path)) else str(value)


def _register(tool: _Tool, host: str, command: list[str]) -> None:
    click.echo(hosts.advice(host, name=tool.server, command=command), err=True)
    write_text(hosts.registration(host, name=tool.server, command=command))


def _probe(tool: _Tool, command: list[str], *, as_json: bool) -> None:
    import anyio  # deferred, both: the probe is the client side and needs the SDK

    from mcpkit.probe import probe, render

    async def ask() -> Any:  # noqa: ANN401
        return await probe(command, call=tool.call)

    report = anyio.run(ask)
    if as_json:
        write_json(report.as_dict())
    else:
        write_text(render(report))
    raise SystemExit(0 if report.ok else 1)
