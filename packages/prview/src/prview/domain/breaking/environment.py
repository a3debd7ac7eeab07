"""Environment variables that a program reads, and whether it can do without them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.breaking.masking import masked
from prview.domain.breaking.promises import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = r"([A-Za-z_][A-Za-z0-9_]*)"
_ANYWHERE = re.compile(
    rf"\b(?:\w*[rR]equired?_?[eE]nv\w*|must_?(?:get_?)?env\w*|get_?env_?or_?(?:throw|fail|die|panic)\w*)\s*\(\s*[\"'`]{_NAME}[\"'`]\s*[,)]",
    re.IGNORECASE,
)
_PYTHON_ITEM = re.compile(rf"(?<!del )(?<![\w.])(?:os\.)?environb?\[\s*[\"']{_NAME}[\"']\s*\](?!\s*=(?!=))")
_PYTHON_SOFT = re.compile(
    rf"\b(?:os\.)?(?:getenv|environ\.get|environ\.pop|environ\.setdefault)\(\s*[\"']{_NAME}[\"']"
)
_SCRIPT = re.compile(
    rf"\b(?:process\.env|import\.meta\.env)(?:\.{_NAME}|\[\s*[\"'`]{_NAME}[\"'`]\s*\])|\bDeno\.env\.get\(\s*[\"'`]{_NAME}[\"'`]\s*\)"
)
_SCRIPT_OPTIONAL = re.compile(r"^\s*(?:\?\?|\|\||\?\.|\?|&&|[!=]==?|=(?!=))")
_SCRIPT_TEST = re.compile(r"(?:\bif\s*\(\s*|\btypeof\s+|\bdelete\s+|Boolean\(\s*|!!|&&\s*|\|\|\s*)$")
_SCRIPT_FAILS = re.compile(r"^[^;{}]{0,200}\{?[^{}]{0,200}?\b(?:throw|process\.exit|invariant|assert)\b")
_RUST_VAR = re.compile(rf"\benv::var(?:_os)?\s*\(\s*\"{_NAME}\"\s*\)")
_RUST_REQUIRED = re.compile(r"^\s*(?:\.(?:expect|unwrap|context|with_context|map_err|ok_or)\b\s*\(|\?)")
_RUST_OPTIONAL = re.compile(r"^\s*\.(?:unwrap_or|ok\b|is_ok|is_err|or_else|map_or|unwrap_or_else)")
_RUST_MACRO = re.compile(rf"(?<!option_)\benv!\s*\(\s*\"{_NAME}\"")
_GO = re.compile(rf"\bos\.(Getenv|LookupEnv)\s*\(\s*\"{_NAME}\"\s*\)")
_GO_FAILS = re.compile(
    r"^[^\n]*\n?[^\n]{0,120}(?:==\s*\"\"|!ok)[^\n]*\{\s*[^}]{0,200}\b(?:log\.Fatal|panic\(|os\.Exit|fmt\.Errorf|errors\.New|return\b)"
)
_EXAMPLE_LINE = re.compile(rf"^(?:export\s+)?{_NAME}=(.*)$", re.MULTILINE)
_EXAMPLE_NAME = re.compile(
    r"(?:^|/)\.?env\.(?:example|sample|template|dist)$|(?:^|/)\.env\.[\w-]*\.?(?:example|sample|template)$"
)
_SET_BY_TOOLS = re.compile(
    r"^(?:NODE_ENV|CI|HOME|PATH|PWD|USER|SHELL|TERM|TMPDIR|LANG|LC_\w+|CARGO_\w+|OUT_DIR|MODE|DEV|PROD|SSR|BASE_URL|NEXT_RUNTIME|VERCEL\w*|GITHUB_\w+)$"
)


@dataclass(frozen=True)
class EnvRead:
    """One variable that a file reads. `required`: it fails without it; otherwise that cannot be told."""

    name: str
    line: int
    required: bool


def reads_environment(text: str, language: str) -> list[EnvRead]:
    """The variables that a file reads without a default; those every machine has are left out."""
    if "env" not in text and "ENV" not in text and "Env" not in text:
        return []
    code = masked(text, language)
    read = {"Python": _python, "Rust": _rust, "Go": _go}.get(language, _script)
    found = [
        *read(code),
        *(EnvRead(m[1], line_of(code, m.start()), required=True) for m in _ANYWHERE.finditer(code)),
    ]
    return [item for item in found if not _SET_BY_TOOLS.match(item.name)]


def mentions(text: str, names: frozenset[str]) -> frozenset[str]:
    """Which of the names stand in a text as whole words."""
    return frozenset(name for name in names if name in text and re.search(rf"\b{re.escape(name)}\b", text))


def is_example(path: str) -> bool:
    """Whether a file lists the variables of a program for those who set it up."""
    return _EXAMPLE_NAME.search(path) is not None


def example_names(text: str) -> dict[str, int]:
    """The variables of such a file by the line they stand in."""
    return {match[1]: line_of(text, match.start()) for match in _EXAMPLE_LINE.finditer(text)}


def _python(code: str) -> Iterator[EnvRead]:
    for match in _PYTHON_ITEM.finditer(code):
        yield EnvRead(match[1], line_of(code, match.start()), required=True)


def softly_read(text: str) -> frozenset[str]:
    """Variables that Python code reads and can do without."""
    return frozenset(match[1] for match in _PYTHON_SOFT.finditer(text))


def _script(code: str) -> Iterator[EnvRead]:
    for match in _SCRIPT.finditer(code):
        name = match[1] or match[2] or match[3]
        before, after = (
            code[max(0, match.start() - 40) : match.start()],
            code[match.end() : match.end() + 500],
        )
        where = line_of(code, match.start())
        if after.startswith("!") and not after.startswith("!="):
            yield EnvRead(name, where, required=True)
        elif before.rstrip().endswith("!") and not before.rstrip().endswith("!!"):
            if _SCRIPT_FAILS.match(after):
                yield EnvRead(name, where, required=True)
        elif not _SCRIPT_OPTIONAL.match(after) and not _SCRIPT_TEST.search(before):
            yield EnvRead(name, where, required=False)


def _rust(code: str) -> Iterator[EnvRead]:
    for match in _RUST_VAR.finditer(code):
        after = code[match.end() : match.end() + 60]
        if not _RUST_OPTIONAL.match(after):
            yield EnvRead(
                match[1], line_of(code, match.start()), required=_RUST_REQUIRED.match(after) is not None
            )
    for match in _RUST_MACRO.finditer(code):
        yield EnvRead(match[1], line_of(code, match.start()), required=True)


def _go(code: str) -> Iterator[EnvRead]:
    for match in _GO.finditer(code):
        fails = _GO_FAILS.match(code[match.end() : match.end() + 400]) is not None
        if fails or match[1] == "Getenv":
            yield EnvRead(match[2], line_of(code, match.start()), required=fails)
