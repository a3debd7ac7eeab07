"""The `artifactize-tools` command: the built-in tools of reviewers, and the server of one eval's toolbox."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from mcpkit.cli import LazyGroup, debug_option, run_command_line

if TYPE_CHECKING:
    from mcpkit.cli import ErrorBodies

_READERS = "artifactize.commands.built_ins"
COMMANDS = {
    "read": (f"{_READERS}:read", "Show lines of a text file."),
    "list": (f"{_READERS}:list_folder", "List what is directly in a folder."),
    "glob": (f"{_READERS}:glob", "Find files by path."),
    "grep": (f"{_READERS}:grep", "Find lines that hold a text."),
    "view_image": (f"{_READERS}:view_image", "Show a PNG, JPEG, GIF or WebP."),
    "section": (f"{_READERS}:section", "Show the part of a Markdown file under a heading."),
    "open": (f"{_READERS}:open_path", "Say what a path is and show its beginning."),
    "help": (f"{_READERS}:help_text", "Say what there is to see, and what a tool takes."),
    "serve": ("artifactize.commands.tool_server:serve", "Serve one eval's tools over stdio."),
}


@debug_option
@click.version_option(package_name="artifactize", prog_name="artifactize-tools")
def _cli() -> None:
    """Take the options of the group."""


cli = LazyGroup(
    "artifactize-tools",
    lazy=COMMANDS,
    callback=_cli,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=list(reversed(_cli.__click_params__)),  # type: ignore[attr-defined] # click's decorators leave them
    help="Read an eval's files, or a folder's, with the built-in tools of reviewers.",
)


def main() -> NoReturn:
    """Run the command line as the whole process."""
    run_command_line(cli, prog="artifactize-tools", envelope=_envelope)


def _envelope() -> ErrorBodies:
    bodies: ErrorBodies = import_module("artifactize.commands.common").ERRORS
    return bodies


if __name__ == "__main__":
    main()
