"""`prview init [PART…]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option

if TYPE_CHECKING:
    from prview.models.explaining import InitResult


@click.command()
@click.argument("parts", nargs=-1, metavar="[PART]...")
@repo_option
@click.option("--host", "hosts", multiple=True, metavar="HOST",
              help="Register the MCP server in claude, cursor or vscode.")  # fmt: skip
@click.option("--local", is_flag=True,
              help="Register with this machine's paths, for a file that is not committed.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace files that are there and differ.")
@output_options
def init(*, as_json: bool, quiet: bool, **options: object) -> None:
    """Write policy, hook, CI and MCP registration into the project.

    PART is policy, settings, hook (or pre-commit, lefthook, husky), ci or mcp; default: policy hook ci mcp.
    Files that are there and differ are kept. All of them are meant to be committed; with --local the MCP
    registration is not.
    """
    from prview.models.envelope import envelope
    from prview.models.requests import InitRequest
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().init(request),
        lambda: InitRequest.model_validate(options),
        init_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )


def init_lines(result: InitResult) -> str:
    """What became of every file."""
    lines: list[str] = []
    for file in result.files:
        what = f"{file.action:<11} {file.path}" if file.path else "by hand    "
        lines.append(f"{what}  ({file.purpose})")
        lines += [f"    {line}" for line in (file.hint or "").splitlines()]
    return "\n".join(lines)
