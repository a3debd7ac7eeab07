"""A click group that imports a subcommand when it runs, not when the group's help is printed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """A group of subcommands given as `name -> ("module:attribute", "short help")`.

    The table's order is the order of the help. A target may itself be a `LazyGroup`; commands added with
    `add_command` stand after the table. `default` names the subcommand that runs when the first argument is
    neither a subcommand nor an option of the group (`prview main` is `prview review main`).
    """

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - click's own signature is passed through
        lazy: Mapping[str, tuple[str, str]],
        default: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - click's own signature is passed through
    ) -> None:
        if default is not None:
            kwargs.setdefault("no_args_is_help", False)
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy)
        self.default = default

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, those of the table first and in its order."""
        return [*self.lazy, *(name for name in super().list_commands(ctx) if name not in self.lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command; None when there is none of that name."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.lazy[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.lazy[cmd_name][0]} is no click command (subcommand {cmd_name!r})")
        return command

    def _help_line(self, ctx: click.Context, name: str) -> str | None:
        """Return the help line of a subcommand without importing it; None for a hidden one."""
        if name in self.lazy:
            return self.lazy[name][1]
        command = super().get_command(ctx, name)
        return None if command is None or command.hidden else command.get_short_help_str(limit=90)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of subcommands, importing none of them."""
        lines = [(name, self._help_line(ctx, name)) for name in self.list_commands(ctx)]
        visible = [(name, text) for name, text in lines if text is not None]
        if visible:
            with formatter.section("Commands"):
                formatter.write_dl(visible)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default subcommand in front of arguments that name no other."""
        if self.default is not None and not ctx.resilient_parsing and not self._is_ours(ctx, args[:1]):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; an unknown one is refused with the names that come close."""
        known = args[0] in self.list_commands(ctx)
        if not known and self.default is not None:
            args = [self.default, *args]
        elif not known and not ctx.resilient_parsing and not args[0].startswith("-"):
            ctx.fail(f"no such command {args[0]!r}; {self._advice(ctx, args[0])}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete subcommands from the table and the group's own options."""
        from click.shell_completion import CompletionItem

        lines = [(name, self._help_line(ctx, name)) for name in self.list_commands(ctx)]
        names = [
            CompletionItem(name, help=text)
            for name, text in lines
            if text is not None and name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def _is_ours(self, ctx: click.Context, first: list[str]) -> bool:
        if not first:
            return False
        options = {
            spelling for param in self.get_params(ctx) for spelling in param.opts + param.secondary_opts
        }
        return first[0] in self.list_commands(ctx) or first[0].partition("=")[0] in options

    def _advice(self, ctx: click.Context, name: str) -> str:
        from difflib import get_close_matches  # deferred: for typos only

        close = get_close_matches(name, self.list_commands(ctx))
        if close:
            return "did you mean " + " or ".join(repr(match) for match in close) + "?"
        return f"see `{ctx.command_path} --help`"
