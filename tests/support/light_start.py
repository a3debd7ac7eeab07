"""Which heavy packages does `--help` of each command import? Run as a script: `light_start.py MODULE:FUNCTION PROG`.

Prints a JSON object: the words of the command -> {"code", "help", "heavy"}. Every command is asked in a fork of
a process that has imported nothing yet, and subcommands are found as a person finds them: in the help of their
group.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import sys
import traceback
from typing import Any

HEAVY = (
    "mcp",
    "pydantic",
    "sqlalchemy",
    "sqlmodel",
    "playwright",
    "textual",
    "anyio",
    "rich",
    "starlette",
    "uvicorn",
    "httpx",
    "tree_sitter",
    "griffe",
    "yaml",
    "pathspec",
    "platformdirs",
    "asyncio",
    "mcpkit.models",  # what every model of ours is made of
    "mcpkit.hosts",
)
Answer = dict[str, Any]


def main(entry: str, prog: str) -> None:
    """Walk the commands of a console script."""
    answers: dict[str, Answer] = {}
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        path = waiting.pop()
        answer = _in_fork(entry, prog, path)
        answers[" ".join((prog, *path))] = answer
        waiting.extend((*path, name) for name in subcommands(answer["help"]))
    json.dump(answers, sys.stdout)


def subcommands(text: str) -> list[str]:
    """The names under `Commands:` in a help text; lines that continue a description are indented deeper."""
    _, found, table = text.partition("\nCommands:\n")
    return re.findall(r"^  (\S+)", table, flags=re.MULTILINE) if found else []


def _in_fork(entry: str, prog: str, path: tuple[str, ...]) -> Answer:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            json.dump(_help(entry, prog, path), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer: Answer = json.load(pipe)
    os.waitpid(child, 0)
    return answer


def _help(entry: str, prog: str, path: tuple[str, ...]) -> Answer:
    module, _, function = entry.partition(":")
    sys.argv = [prog, *path, "--help"]
    said, code = io.StringIO(), None
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            getattr(importlib.import_module(module), function)()
        except SystemExit as ended:
            code = ended.code
        except BaseException:  # noqa: BLE001 - it must be told to the parent, not unwind into it
            traceback.print_exc()
    return {"code": code, "help": said.getvalue(), "heavy": [name for name in HEAVY if name in sys.modules]}


if __name__ == "__main__":
    main(*sys.argv[1:])
