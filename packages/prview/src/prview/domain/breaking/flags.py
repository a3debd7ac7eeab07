"""Flags and subcommands as argparse, click, typer, commander, yargs, clap and cobra declare them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.breaking.masking import arguments, masked
from prview.domain.breaking.promises import Promise, PromiseKind, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PYTHON_CALL = re.compile(r"(?:\badd_argument|\boption|\bOption)\s*\(")
_PYTHON_COMMAND = re.compile(
    r"(?:\badd_parser\s*\(\s*|@[\w.]+\.(?:command|group)\s*\(\s*(?:name\s*=\s*)?)[\"']([\w-]+)[\"']"
)
_WHOLE_FLAG = re.compile(r"[\"'](-{1,2}[A-Za-z][\w-]*(?:/-{1,2}[A-Za-z][\w-]*)?)[\"']")
_SCRIPT_CALL = re.compile(
    r"\.(?:option|requiredOption)\s*\(\s*[\"'`]([^\"'`\n]+)[\"'`]|\bnew\s+Option\s*\(\s*[\"'`]([^\"'`\n]+)[\"'`]"
)
_SCRIPT_COMMAND = re.compile(r"\.command\s*\(\s*[\"'`]([\w-]+)")
_FLAG_WORD = re.compile(r"(?<![\w-])-{1,2}[A-Za-z][\w-]*")
_CLAP_FIELD = re.compile(
    r"#\[(?:arg|clap|structopt)\(((?:[^\[\]]|\[[^\]]*\])*)\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:"
)
_CLAP_NAMED = re.compile(r"\.long\s*\(\s*\"([\w-]+)\"")
_CLAP_SUBCOMMAND = re.compile(r"\bCommand::new\s*\(\s*\"([\w-]+)\"")
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"")  # help texts may say "long"
_LONG = re.compile(r"\blong\s*(?:=\s*\"([\w-]+)\")?")
_SHORT = re.compile(r"\bshort\s*(?:=\s*'(\w)')?")
_GO_FLAG = re.compile(
    r"\.(?:String|Bool|Int|Int32|Int64|Uint|Uint64|Float64|Duration|Count|Text|Func"
    r"|StringSlice|StringArray|IntSlice|StringToString)(?:Var)?P?\s*\(\s*(?:&?[\w.\[\]]+\s*,\s*)?\"([A-Za-z][\w-]*)\""
)
_GO_COMMAND = re.compile(r"\bUse:\s*\"([\w-]+)")


def flags(text: str, language: str) -> list[Promise]:
    """The flags and subcommands that a file declares, in order."""
    if not _may_declare(text, language):
        return []
    code = masked(text, language)
    read = {"Python": _python, "Rust": _rust, "Go": _go}.get(language, _script)
    return sorted(read(code), key=lambda promise: (promise.line, promise.name))


def _may_declare(text: str, language: str) -> bool:
    words = {
        "Python": ("add_argument", "option(", "Option(", "add_parser", ".command("),
        "Rust": ("#[arg", "#[clap", "#[structopt", ".long(", "Command::new"),
        "Go": ("flag.", "Flags()", "pflag", "cobra", "FlagSet"),
    }.get(language, ("commander", "yargs", "cac", "Option(", ".option(", ".requiredOption("))
    return any(word in text for word in words)


def _python(code: str) -> Iterator[Promise]:
    for call in _PYTHON_CALL.finditer(code):
        given = arguments(code, call.end() - 1)
        for match in _WHOLE_FLAG.finditer(given):
            where = line_of(code, call.end() + match.start())
            for name in match[1].split("/"):
                yield _flag(name, where)
    for match in _PYTHON_COMMAND.finditer(code):
        yield _command(match[1], line_of(code, match.start(1)))


def _script(code: str) -> Iterator[Promise]:
    for match in _SCRIPT_CALL.finditer(code):
        declared = match[1] or match[2]
        where = line_of(code, match.start())
        words = _FLAG_WORD.findall(declared)
        for name in words or ([f"--{declared}"] if re.fullmatch(r"[\w-]+", declared) else []):
            yield _flag(name, where)
    for match in _SCRIPT_COMMAND.finditer(code):
        yield _command(match[1], line_of(code, match.start(1)))


def _rust(code: str) -> Iterator[Promise]:
    for match in _CLAP_FIELD.finditer(code):
        where = line_of(code, match.start(2))
        options = _TEXT.sub(lambda text: text[0] if " " not in text[0] else "", match[1])
        if long := _LONG.search(options):
            yield _flag(f"--{long[1] or match[2].replace('_', '-')}", where)
        if short := _SHORT.search(options):
            yield _flag(f"-{short[1] or match[2][0]}", where)
    for match in _CLAP_NAMED.finditer(code):
        yield _flag(f"--{match[1]}", line_of(code, match.start()))
    for match in _CLAP_SUBCOMMAND.finditer(code):
        yield _command(match[1], line_of(code, match.start(1)))


def _go(code: str) -> Iterator[Promise]:
    for match in _GO_FLAG.finditer(code):
        yield _flag(f"--{match[1]}", line_of(code, match.start(1)))
    if "cobra" in code:
        for match in _GO_COMMAND.finditer(code):
            yield _command(match[1], line_of(code, match.start(1)))


def _flag(name: str, line: int) -> Promise:
    return Promise(PromiseKind.FLAG, name, name, line)


def _command(name: str, line: int) -> Promise:
    return Promise(PromiseKind.COMMAND, name, name, line)
