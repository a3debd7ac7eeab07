"""Unsafe constructs of Rust, through tree-sitter. Code of tests is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.syntax import ancestors, captures, parse, source
from prview.signals.unsafe.construct import SHELL, TLS, WEAK_HASH, Construct, Danger, at_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_QUERY = """
(unsafe_block) @unsafe
(function_item) @function
(impl_item) @impl
(call_expression) @call
(macro_invocation) @macro
"""
_UNSAFE = Danger("unsafe-code", "turns off checks of the compiler")
_UNWRAP = Danger("unwrap", "ends the program when there is no value", level=Level.NOTE)
_PANIC = Danger("panic", "ends the program when it gets here", level=Level.NOTE)
_UNSAFE_START = re.compile(
    r"^(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|default)\s+)*unsafe\s+(?:fn|extern|impl)\b"
)
_MACROS = frozenset({"panic", "todo", "unimplemented"})
_SHELL = re.compile(r"""Command::new\(\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd|cmd\.exe)"\s*\)$""")
_TLS = re.compile(r"\.danger_accept_invalid_(?:certs|hostnames)$")
_WEAK = re.compile(r"^(?:md5::compute|(?:md5::)?Md5::(?:new|digest)|(?:sha1::)?Sha1::(?:new|digest))$")


def rust_constructs(text: str) -> list[Construct]:
    """All unsafe constructs of a file."""
    found = captures("rust", parse("rust", text), _QUERY)
    constructs = [at_node(_UNSAFE, Level.WARNING, node) for node in found.get("unsafe", [])]
    constructs += [
        at_node(_UNSAFE, Level.WARNING, node)
        for node in (*found.get("function", []), *found.get("impl", []))
        if _UNSAFE_START.match(source(node))
    ]
    constructs += [item for node in found.get("call", []) if not _in_test(node) for item in _call(node)]
    constructs += [
        at_node(_PANIC, Level.NOTE, node)
        for node in found.get("macro", [])
        if source(node.child_by_field_name("macro")) in _MACROS and not _in_test(node)
    ]
    return sorted(constructs, key=lambda item: (item.line, item.column, item.rule))


def _call(node: Node) -> Iterator[Construct]:
    function = node.child_by_field_name("function")
    name = source(function)
    arguments = source(node.child_by_field_name("arguments"))
    if function and function.type == "field_expression":
        method = source(function.child_by_field_name("field"))
        if (method == "unwrap" and arguments == "()") or (method == "expect" and arguments != "()"):
            yield at_node(_UNWRAP, Level.NOTE, node)
        elif _TLS.search(name) and arguments == "(true)":
            yield at_node(TLS, Level.WARNING, node)
    elif _SHELL.search(source(node)):
        yield at_node(SHELL, Level.WARNING, node)
    elif _WEAK.match(name):
        yield at_node(WEAK_HASH, Level.NOTE, node)


def _in_test(node: Node) -> bool:
    """Whether a function or module around it has an attribute about tests."""
    return any(
        above.type in {"function_item", "mod_item"} and _has_test_attribute(above)
        for above in ancestors(node)
    )


def _has_test_attribute(item: Node) -> bool:
    before = item.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item" and re.search(r"\btest\b", source(before)):
            return True
        before = before.prev_named_sibling
    return False
