"""The commands that README and the manual show, where they stand, and which of them are run by a test.

The commands of a fenced block are run, one after the other in one place, when the line above the block is an
HTML comment with an exit code for each:

    <!-- run 0 2 -->
    ```console
    $ prview state
    $ prview gate --strict
    ```
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md")
TOOLS = (
    "prview",
    "codevetter",
    "codevetter-verify-mcp",
    "codevetter-mcp",
    "artifactize",
    "artifactize-tools",
)

_FENCE = re.compile(
    r"(?:^<!-- run(?P<codes>(?: \d+)+) -->\n)?^```(?P<kind>\w*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL
)
_OUTPUT = re.compile(r"^<!-- output (?P<line>.+) -->\n```text\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_CHANGES = re.compile(r"\d{8}-\d{6}-[0-9a-f]{7}|…")
"""What is another one each time: ids of runs, and what a page leaves out."""
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_CONSOLE = {"console", "bash", "sh"}


@dataclass(frozen=True)
class Shown:
    """A command line that a page shows."""

    page: str
    line: str

    def __str__(self) -> str:
        return f"{self.page}: {self.line}"

    @property
    def words(self) -> list[str]:
        """The words up to a pipe, a redirection, or a second command."""
        words = shlex.split(self.line, comments=True)
        stops = [index for index, word in enumerate(words) if word in {"|", ">", "&&", "&", ";", "2>"}]
        return words[: stops[0]] if stops else words


@dataclass(frozen=True)
class Block:
    """A fenced block: its commands, and the exit codes it is run for (none: it is only shown)."""

    page: str
    commands: tuple[Shown, ...]
    codes: tuple[int, ...]

    def __str__(self) -> str:
        return str(self.commands[0])


def pages() -> list[Path]:
    """Every page that people read."""
    return [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]


def blocks() -> list[Block]:
    """Every fenced block with a command of one of the tools."""
    found = [_block(page, fence) for page in pages() for fence in _FENCE.finditer(page.read_text("utf-8"))]
    return [block for block in found if block.commands]


def outputs(page: str) -> dict[str, re.Pattern[str]]:
    """What a page says that a command prints, by command line: `<!-- output COMMAND -->` before a text block."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return {found["line"]: _like(found["body"]) for found in _OUTPUT.finditer(text)}


def _like(body: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in _CHANGES.split(body)))


def shown() -> list[Shown]:
    """Every command of one of the tools, in fences and in code spans."""
    fenced = [command for block in blocks() for command in block.commands]
    return list(dict.fromkeys([*fenced, *(command for page in pages() for command in _spans(page))]))


def _spans(page: Path) -> Iterator[Shown]:
    for span in _SPAN.finditer(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if span[1].split()[0] in TOOLS:
            yield Shown(str(page.relative_to(ROOT)), span[1])


def _block(page: Path, fence: re.Match[str]) -> Block:
    name = str(page.relative_to(ROOT))
    lines = fence["body"].replace("\\\n", " ").splitlines() if fence["kind"] in _CONSOLE else []
    typed = [line.strip().removeprefix("$ ") for line in lines]
    commands = tuple(Shown(name, line) for line in typed if line.split(" ")[0] in TOOLS)
    return Block(name, commands, tuple(int(code) for code in (fence["codes"] or "").split()))


def command_of(tool: str) -> click.Command:
    """The click command behind a console script."""
    (script,) = entry_points(group="console_scripts", name=tool)
    # a script may begin in a module that loads the command line only when it is needed
    modules = (script.module, f"{script.module.partition('.')[0]}.cli")
    found = [value for module in modules for value in vars(import_module(module)).values()]
    return next(value for value in found if isinstance(value, click.Command) and value.name == tool)


def problem_of(words: list[str]) -> str | None:
    """What is wrong with a shown command line: a subcommand or an option that does not exist."""
    command, ctx = command_of(words[0]), click.Context(click.Command(words[0]))
    options = _options(command)
    rest = iter(words[1:])
    for word in rest:
        if word.startswith("-"):
            option = options.get(word.partition("=")[0])
            if option is None:
                return f"`{command.name}` has no option {word}"
            if not (option.is_flag or option.count or "=" in word):
                next(rest, None)  # its value
        elif isinstance(command, click.Group) and not word.startswith(("[", "<", "…")):
            chosen = _subcommand(command, ctx, word)
            if chosen is None:
                return f"`{command.name}` has no subcommand {word}"
            command = chosen
            options |= _options(command)
    return None


def _subcommand(group: click.Group, ctx: click.Context, word: str) -> click.Command | None:
    """The subcommand that `word` chooses; a group with a default one takes any other word as its argument."""
    default: str | None = getattr(group, "default", None)
    return (
        group.get_command(ctx, word)
        if word in group.list_commands(ctx) or not default
        else (group.get_command(ctx, default))
    )


def _options(command: click.Command) -> dict[str, click.Option]:
    """A command's options by spelling, those of its group's default command too."""
    ctx = click.Context(command)
    own = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    spelled = {spelling: option for option in own for spelling in (*option.opts, *option.secondary_opts)}
    default = getattr(command, "default", None)
    chosen = command.get_command(ctx, default) if isinstance(command, click.Group) and default else None
    return {**(_options(chosen) if chosen else {}), **spelled}
