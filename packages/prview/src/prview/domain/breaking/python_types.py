"""Annotations of Python in one spelling: `t.Optional[t.List[int]]` and `list[int] | None` are equal."""

from __future__ import annotations

import ast
from functools import lru_cache

_MODULES = frozenset({"typing", "t", "te", "typing_extensions", "collections", "abc", "cabc", "types"})
_BUILTIN = {"List", "Dict", "Tuple", "Set", "FrozenSet", "Type"}


@lru_cache(maxsize=4096)
def canonical(annotation: str) -> str:
    """The annotation without quotes, typing's prefixes and old names; unchanged if it cannot be parsed."""
    try:
        tree = ast.parse(annotation.strip(), mode="eval")
        return ast.unparse(_Spelling().visit(tree))
    except (SyntaxError, ValueError, RecursionError):
        return annotation


class _Spelling(ast.NodeTransformer):
    """Rewrites one expression from the inside out."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """A quoted annotation is the annotation."""
        if not isinstance(node.value, str):
            return node
        try:
            inner: ast.expr = self.visit(ast.parse(node.value.strip(), mode="eval").body)
        except SyntaxError:
            return node
        return inner

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """`typing.X` and `collections.abc.X` are X."""
        if _is_typing(node.value):
            return self.visit_Name(ast.Name(node.attr))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """`List` is `list`."""
        return ast.Name(node.id.lower()) if node.id in _BUILTIN else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """`Optional[X]` is `X | None`, `Union[A, B]` is `A | B`; literal values stay as they are."""
        owner = self.visit(node.value)
        name = owner.id if isinstance(owner, ast.Name) else ""
        if name == "Literal":
            return ast.Subscript(owner, node.slice)
        inner = self.visit(node.slice)
        if name == "Optional":
            return ast.BinOp(inner, ast.BitOr(), ast.Constant(None))
        if name == "Union":
            return _either(inner.elts if isinstance(inner, ast.Tuple) else [inner])
        return ast.Subscript(owner, inner)


def _is_typing(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _MODULES
    return isinstance(node, ast.Attribute) and node.attr in _MODULES and _is_typing(node.value)


def _either(members: list[ast.expr]) -> ast.expr:
    found, *rest = members
    for member in rest:
        found = ast.BinOp(found, ast.BitOr(), member)
    return found
