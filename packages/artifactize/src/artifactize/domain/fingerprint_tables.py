"""Reading the `fingerprint` field of a declaration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from artifactize.domain.declarations import MAX_TIMEOUT_MS, FingerprintRule, FingerprintScript
from artifactize.domain.eval_tables import MAX_ARGS, command_fault
from artifactize.domain.logical_paths import path_fault
from artifactize.domain.references import operand

if TYPE_CHECKING:
    from artifactize.domain.fields import Fault, Table

MAX_FILES = 64
_SCRIPT_TIMEOUT_MS = 30_000
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


def read_fingerprint(artifact: Table, *, target: str | None) -> FingerprintRule | None:
    """Return the rule, the default when the field is absent, None for `fingerprint = false`."""
    if not artifact.has("fingerprint"):
        return FingerprintRule()
    value = artifact.raw("fingerprint")
    if value is False:
        return None
    if value is True:
        artifact.add(
            "fingerprint", "true says nothing; leave the field out for the default, or write a table"
        )
        return None
    table = artifact.table("fingerprint")
    return None if table is None else _rule(table, target)


def _rule(table: Table, target: str | None) -> FingerprintRule:
    script_table = table.table("script")
    files = table.texts("files", least=1, most=MAX_FILES, fault=_files_fault(target)) or (".",)
    ignore = table.texts("ignore", most=MAX_FILES, fault=_pattern_fault) or ()
    env = table.texts("env", most=MAX_FILES, fault=_variable_fault) or ()
    tools = _tools(table)
    if script_table is not None:
        for key in ("files", "ignore"):
            if table.has(key):
                table.add(key, f"a fingerprint script replaces {key}; remove one of the two")
    table.close()
    return FingerprintRule(files, ignore, env, tools, None if script_table is None else _script(script_table))


def _script(table: Table) -> FingerprintScript | None:
    command = table.text("command", required=True, fault=command_fault)
    args = table.texts("args", most=MAX_ARGS, fault=_literal_fault, unique=False) or ()
    files = table.texts("files", most=MAX_FILES, fault=path_fault) or ()
    timeout_ms = table.whole("timeout_ms", default=_SCRIPT_TIMEOUT_MS, least=1, most=MAX_TIMEOUT_MS)
    table.close()
    return None if command is None else FingerprintScript(command, args, files, timeout_ms)


def _tools(table: Table) -> tuple[tuple[str, ...], ...]:
    value = table.raw("tools")
    if value is None:
        return ()
    if isinstance(value, list) and len(value) <= MAX_FILES and all(_is_argv(item) for item in value):
        return tuple(tuple(cast("list[str]", item)) for item in value)
    table.add(
        "tools", f"expected at most {MAX_FILES} commands, each a list of strings: [['python3', '--version']]"
    )
    return ()


def _is_argv(item: object) -> bool:
    if not isinstance(item, list) or not item:
        return False
    if not all(isinstance(word, str) and "\0" not in word for word in item):
        return False
    return bool(item[0].strip()) and command_fault(item[0]) is None


def _files_fault(target: str | None) -> Fault:
    def fault(path: str) -> str | None:
        if path.endswith(".artf"):
            return f"{path!r} is a declaration; declarations are never fingerprinted"
        if target is not None and path not in {".", target}:
            return f"{path!r} is outside this Artifact, which is the file {target!r} alone"
        return path_fault(path)

    return fault


def _literal_fault(argument: str) -> str | None:
    if operand(argument) is None:
        return None
    return f"{argument!r} is a reference; a fingerprint covers its own Artifact, so use a relative path"


def _pattern_fault(pattern: str) -> str | None:
    if not pattern.strip() or "\n" in pattern or "\0" in pattern:
        return "an ignore pattern is one line in gitignore syntax"
    return "a pattern cannot start with '!' or '#'" if pattern[0] in "!#" else None


def _variable_fault(name: str) -> str | None:
    return None if _VARIABLE.fullmatch(name) else f"{name!r} is not the name of an environment variable"
