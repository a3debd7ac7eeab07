"""The `completions` subcommand: the script that teaches a shell the tool's commands."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")
_WHERE = {
    "bash": 'eval "$({prog} completions bash)"   # in ~/.bashrc',
    "zsh": 'eval "$({prog} completions zsh)"   # in ~/.zshrc, after compinit',
    "fish": "{prog} completions fish > ~/.config/fish/completions/{prog}.fish",
}


def completions_command(prog: str) -> click.Command:
    """Return the command `completions SHELL` of the console script `prog`."""

    @click.command(
        "completions",
        short_help="Print a shell's completion script.",
        epilog="\b\n" + "\n".join(line.format(prog=prog) for line in _WHERE.values()),
    )
    @click.argument("shell", type=click.Choice(SHELLS))
    def completions(shell: str) -> None:
        """Print the completion script of bash, zsh or fish."""
        click.echo(completion_script(prog, shell))

    return completions


def completion_script(prog: str, shell: str) -> str:
    """Return the script that `shell` must read to complete `prog`."""
    from click.shell_completion import ShellComplete, get_completion_class  # deferred: not needed for --help

    kind = get_completion_class(shell)
    if kind is None:
        raise click.BadParameter(f"no completions for {shell!r}; choose from {', '.join(SHELLS)}")
    variable = f"_{prog}_COMPLETE".replace("-", "_").replace(".", "_").upper()
    # the base method: bash's own would start bash to ask for its version
    return ShellComplete.source(kind(click.Command(prog), {}, prog, variable))
