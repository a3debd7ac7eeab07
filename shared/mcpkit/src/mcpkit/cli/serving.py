"""The `mcp` subcommand of every tool: serve, `--probe`, `--register HOST`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from mcpkit.known_hosts import HOSTS, ONE_CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_OWN = ("probe", "register", "shared", "as_json")


class _Tool(NamedTuple):
    server: str
    script: str
    module: str
    call: tuple[str, Mapping[str, object]] | None
    variables: tuple[str, ...]
    project: Callable[[], Sequence[str]] | None


def mcp_command(
    *,
    server: str,
    script: str,
    module: str,
    call: tuple[str, Mapping[str, object]] | None = None,
    variables: Sequence[str] = (),
    project: Callable[[], Sequence[str]] | None = None,
) -> Callable[[Callable[..., None]], click.Command]:
    """Make the command `mcp` out of the function that serves.

    `server` is the name under which hosts register it, `script` the console script, `module` what
    `python -m` runs when no script is installed, `call` one cheap tool call for the probe, `variables` the
    environment variables that a registration repeats when they are set. `project` says which options bind
    the server to the project around the current folder; hosts that keep one configuration for all projects
    and start servers elsewhere get them, unless the caller gave the options. Options of the
    decorated function and of the groups above it become part of the registered command line:

        @mcp_command(server="artifactize", script="artifactize", module="artifactize", call=("status", {}))
        @click.option("--repo", type=click.Path())
        def mcp(repo: str | None) -> None:
            \"\"\"Serve the tools to a coding agent over stdio.\"\"\"
            serve(…)
    """
    tool = _Tool(server, script, module, call, tuple(variables), project)

    def decorate(function: Callable[..., None]) -> click.Command:
        @click.pass_context
        def mcp(
            ctx: click.Context,
            /,
            *,
            probe: bool,
            register: str | None,
            shared: bool,
            as_json: bool,
            **options: object,
        ) -> None:
            if shared:
                _register(tool, _sharing(register), [tool.script, *_words(ctx, shared=True)], shared=True)
            elif register is not None:
                command = registered_command(tool, ctx)
                _register(tool, register, [*command, *_bound(tool, register, command)], shared=False)
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
    from mcpkit import hosts  # deferred: not needed for --help

    return [*hosts.absolute_command(tool.script, module=tool.module), *_words(ctx, shared=False)]


def _words(ctx: click.Context, *, shared: bool) -> list[str]:
    """The subcommands and options given to us; without paths of this machine for a file that is shared."""
    words: list[str] = []
    chain = [ctx]
    while chain[0].parent is not None:
        chain.insert(0, chain[0].parent)
    for position, context in enumerate(chain):
        if position:
            words.append(str(context.info_name))
        words.extend(_given(context, shared=shared))
    return words


def _sharing(host: str | None) -> str:
    if host is None:
        raise click.UsageError("--shared goes with --register HOST")
    if host in ONE_CONFIGURATION:
        raise click.UsageError(f"{host} keeps one configuration for all projects, which no team can share")
    return host


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    probe = click.option("--probe", is_flag=True, help="Start the server, make a call, say what happened.")
    register = click.option(
        "--register", type=click.Choice(HOSTS), metavar="HOST",
        help=f"Print the registration for {', '.join(HOSTS)}.",
    )  # fmt: skip
    as_json = click.option("--json", "as_json", is_flag=True, help="Print the probe's report as JSON.")
    shared = click.option(
        "--shared", is_flag=True,
        help="Make --register print an entry for a file that a team shares: no path of this machine.",
    )  # fmt: skip
    decorated: Callable[..., Any] = probe(register(shared(as_json(function))))
    return decorated


def _given(ctx: click.Context, *, shared: bool) -> list[str]:
    words: list[str] = []
    for param in ctx.command.get_params(ctx):
        name = param.name or ""
        if name in _OWN or not isinstance(param, click.Option) or not param.expose_value:
            continue
        if shared and _is_path(param):
            continue  # the host starts the server in whoever's checkout it is
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
    from pathlib import Path  # deferred: not needed for --help

    is_path = _is_path(option) or isinstance(value, Path)
    if not (is_path and isinstance(value, (str, Path))):
        return str(value)
    return str(Path(value).absolute())  # keeps links, as hosts.absolute_command does


def _is_path(option: click.Option) -> bool:
    return isinstance(option.type, click.Path)


def _bound(tool: _Tool, host: str, command: Sequence[str]) -> Sequence[str]:
    options = tool.project() if tool.project is not None and host in ONE_CONFIGURATION else ()
    return () if options and options[0] in command else options


def _register(tool: _Tool, host: str, command: list[str], *, shared: bool) -> None:
    from mcpkit import hosts  # deferred, both: not needed for --help
    from mcpkit.cli.output import write_text

    env = {} if shared else hosts.carried(tool.variables)
    click.echo(hosts.advice(host, name=tool.server, command=command, env=env, shared=shared), err=True)
    write_text(hosts.registration(host, name=tool.server, command=command, env=env, shared=shared))


def _probe(tool: _Tool, command: list[str], *, as_json: bool) -> None:
    import anyio  # deferred, all: the probe is the client side and needs the SDK

    from mcpkit.cli.output import write_json, write_text
    from mcpkit.probe import probe, render

    async def ask() -> Any:  # noqa: ANN401
        return await probe(command, call=tool.call)

    report = anyio.run(ask)
    if as_json:
        write_json(report.as_dict())
    else:
        write_text(render(report))
    raise SystemExit(0 if report.ok else 1)
