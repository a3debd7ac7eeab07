"""The `artifactize` command: a table of subcommands, each imported when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from mcpkit.cli import LazyGroup, debug_option, run_command_line

if TYPE_CHECKING:
    from mcpkit.cli import ErrorBodies

_FOLDER = click.Path()  # without a path_type: pathlib would be loaded for --help

CONFIG = {
    "check": ("artifactize.commands.config:check", "Report every mistake in the declarations."),
    "graph": ("artifactize.commands.config:graph", "Show who takes what in, and what a change can reach."),
}
RUNS = {
    "list": ("artifactize.commands.runs:list_runs", "List the saved Runs, newest first."),
    "show": ("artifactize.commands.runs:show", "Show a saved Run."),
    "watch": ("artifactize.commands.runs:watch", "Watch a Run until it is over."),
    "cancel": ("artifactize.commands.runs:cancel", "Cancel a Run."),
}
REQUESTS = {
    "list": ("artifactize.commands.requests:list_requests", "List the requests of one Run or of all."),
    "show": ("artifactize.commands.requests:show", "Show a request."),
    "logs": ("artifactize.commands.requests:logs", "Show what an eval printed."),
    "claim": ("artifactize.commands.signing:claim", "Take a request that waits for a person."),
    "unclaim": ("artifactize.commands.signing:unclaim", "Give a claimed request back."),
    "schemas": ("artifactize.commands.signing:schemas", "Show which fields each verdict takes."),
    "tool": ("artifactize.commands.signing:tool", "Call a tool for a request that you have claimed."),
    "submit": ("artifactize.commands.signing:submit", "Sign a request that you have claimed."),
}
TOOLS = {
    "check": ("artifactize.commands.tools:check", "Check the declared tools; --execute tries each."),
}
CACHE = {
    "list": ("artifactize.commands.cache:list_records", "List the reusable verdicts."),
    "show": ("artifactize.commands.cache:show", "Show the verdict of a reuse key."),
    "rm": ("artifactize.commands.cache:remove", "Remove the verdict of a reuse key."),
}
TOKENS = {
    "create": ("artifactize.commands.server:create", "Make a token and print it, once."),
    "list": ("artifactize.commands.server:list_all", "List all tokens."),
    "revoke": ("artifactize.commands.server:revoke", "Revoke a token."),
}
SERVER = {
    "run": ("artifactize.commands.server:serve", "Serve the review store."),
    "token": ("artifactize.cli:token", "Make, list and revoke tokens."),
    "rm": ("artifactize.commands.server:remove", "Take back verdicts."),
}
REMOTE = {
    "login": ("artifactize.commands.remote:login", "Use a review store from now on."),
    "logout": ("artifactize.commands.remote:logout", "Forget the review store."),
    "status": ("artifactize.commands.remote:status", "Say whether the review store answers."),
    "push": ("artifactize.commands.remote:push", "Put the verdicts that wait into the review store."),
}
COMMANDS = {
    "verify": (
        "artifactize.commands.verify:verify",
        "Review what changed, reuse the rest, say GREEN or not.",
    ),
    "status": ("artifactize.commands.status:status", "Say what verify would do with each eval, and why."),
    "config": ("artifactize.cli:config", "Look at the declarations."),
    "run": ("artifactize.cli:run", "Look at saved Runs, or cancel one."),
    "request": ("artifactize.cli:request", "Look at the evals of a Run; sign those that wait."),
    "cache": ("artifactize.cli:cache", "Look at the reusable verdicts."),
    "tools": ("artifactize.cli:tools", "Look at the tools declared for reviewers."),
    "init": ("artifactize.commands.init:init", "Write a first index.artf."),
    "review": ("artifactize.commands.monitor:review", "Sign off what waits for a person, in a terminal."),
    "monitor": ("artifactize.commands.monitor:monitor", "Watch the Runs of every repository in a terminal."),
    "doctor": ("artifactize.commands.doctor:doctor", "Check the repository, the state and the worker."),
    "prune": ("artifactize.commands.prune:prune", "Remove old Runs with their output; verdicts stay."),
    "remote": ("artifactize.cli:remote", "Use a review store that a team shares."),
    "server": ("artifactize.cli:server", "Run a review store that a team shares."),
    "mcp": ("artifactize.commands.mcp:mcp", "Serve the tools to a coding agent over stdio."),
    "worker": ("artifactize.worker:worker", "Execute the Runs of a project; verify starts it when needed."),
    "completions": ("artifactize.commands.completions:completions", "Print a shell's completion script."),
}

config = LazyGroup("config", help="Look at the declarations.", lazy=CONFIG)
run = LazyGroup("run", help="Look at saved Runs, or cancel one.", lazy=RUNS)
request = LazyGroup("request", help="Look at the evals of a Run; sign those that wait.", lazy=REQUESTS)
remote = LazyGroup("remote", help="Use a review store that a team shares.", lazy=REMOTE)
token = LazyGroup("token", help="Make, list and revoke tokens of a review store.", lazy=TOKENS)
server = LazyGroup("server", help="Run a review store that a team shares.", lazy=SERVER)
tools = LazyGroup("tools", help="Look at the tools declared for reviewers.", lazy=TOOLS)
cache = LazyGroup("cache", help="Look at the reusable verdicts.", lazy=CACHE)


@debug_option
@click.option("--repo", type=_FOLDER, help="The project; default: the git repository around this folder.")
@click.option("--state-dir", type=_FOLDER, help="Where Runs and verdicts are kept, outside the project.")
@click.version_option(package_name="artifactize", prog_name="artifactize")
def _cli(repo: str | None, state_dir: str | None) -> None:
    del repo, state_dir  # subcommands read them from the context


cli = LazyGroup(
    "artifactize",
    lazy=COMMANDS,
    callback=_cli,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=list(reversed(_cli.__click_params__)),  # type: ignore[attr-defined] # click's decorators leave them
    help="Declare what has to be reviewed; reuse every verdict while it still holds.",
)


def main() -> NoReturn:
    """Run the command line as the whole process."""
    run_command_line(cli, prog="artifactize", envelope=_envelope)


def _envelope() -> ErrorBodies:
    bodies: ErrorBodies = import_module("artifactize.commands.common").ERRORS
    return bodies
