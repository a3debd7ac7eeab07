"""What a Python module imports and what it binds, from its syntax tree."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.breaking.python_names import module_files, module_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_CATCHES_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


@dataclass(frozen=True)
class Import:
    """One imported name: `import module` has no `name`, `from module import name` has one.

    `guarded`: a missing module is caught. `typing`: only for type checkers. `lazy`: runs when a function is
    called, not when the module is imported. `bound` is the local name.
    """

    module: str
    name: str | None
    line: int
    bound: str
    guarded: bool = False
    typing: bool = False
    lazy: bool = False


def parse_python(text: str) -> ast.Module | None:
    """The tree of a module; None when this Python cannot read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes of a reviewed file are not about this run
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def imports(tree: ast.Module, *, package: str) -> list[Import]:
    """Every import of a module that lies in `package` (dotted, `""` at a root), with absolute names."""
    return list(_imports(tree.body, package, Import("", None, 0, "")))


def package_of(path: str, paths: frozenset[str]) -> str:
    """The package that relative imports of a file start from."""
    dotted = module_name(path, paths).dotted
    if path.rpartition("/")[2].startswith("__init__."):
        return dotted
    return dotted.rpartition(".")[0]


def find_module(dotted: str, root: str, paths: frozenset[str]) -> str | None:
    """The file of a module below an import root, as Python looks for it."""
    return next((path for path in module_files(dotted, root) if path in paths), None)


def bound_names(tree: ast.Module) -> set[str] | None:
    """The names a module binds at its top; None when more appear at run time (`import *`, `__getattr__`)."""
    found: set[str] = set()
    for node in _top(tree.body):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return None
        found |= set(_bound(node))
    return None if "__getattr__" in found else found


def _imports(body: list[ast.stmt], package: str, state: Import) -> Iterator[Import]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_statement(node, package, state)
            continue
        for inner, inside in _blocks(node, state):
            yield from _imports(inner, package, inside)


def _blocks(node: ast.stmt, state: Import) -> Iterator[tuple[list[ast.stmt], Import]]:
    """The blocks of a statement with what holds for imports in them."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.body, _with(state, lazy=True)
    elif isinstance(node, ast.If):
        yield node.body, _with(state, typing=state.typing or _is_type_checking(node.test))
        yield node.orelse, state
    elif isinstance(node, ast.Try | ast.TryStar):
        caught = any(_catches(handler) for handler in node.handlers)
        yield node.body, _with(state, guarded=state.guarded or caught)
        for handler in node.handlers:
            yield handler.body, state
        yield [*node.orelse, *node.finalbody], state
    elif isinstance(node, ast.With) and any(_suppresses(item.context_expr) for item in node.items):
        yield node.body, _with(state, guarded=True)
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield case.body, state
    else:
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block, state


def _with(state: Import, *, lazy: bool = False, typing: bool = False, guarded: bool = False) -> Import:
    return Import(
        "",
        None,
        0,
        "",
        lazy=state.lazy or lazy,
        typing=state.typing or typing,
        guarded=state.guarded or guarded,
    )


def _of_statement(node: ast.Import | ast.ImportFrom, package: str, state: Import) -> Iterator[Import]:
    how = (state.guarded, state.typing, state.lazy)
    for alias in node.names:
        line = getattr(alias, "lineno", node.lineno)
        if isinstance(node, ast.Import):
            yield Import(alias.name, None, node.lineno, alias.asname or alias.name, *how)
        else:
            yield Import(_absolute(node, package), alias.name, line, alias.asname or alias.name, *how)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    above = parts[: len(parts) - (node.level - 1)] if node.level > 1 else parts
    return ".".join([*above, *([node.module] if node.module else [])])


def _is_type_checking(test: ast.expr) -> bool:
    return (test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")) == "TYPE_CHECKING"


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        kind is None or getattr(kind, "id", getattr(kind, "attr", "")) in _CATCHES_MISSING for kind in kinds
    )


def _suppresses(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    kinds = {getattr(kind, "id", getattr(kind, "attr", "")) for kind in node.args}
    return name == "suppress" and not _CATCHES_MISSING.isdisjoint(kinds)


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at import, those inside of `if`, `try`, `with` and loops, too."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for inner, _ in _blocks(node, Import("", None, 0, "")):
                yield from _top(inner)


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    elif type(node).__name__ == "TypeAlias":  # Python 3.12 and later
        yield from (name.id for name in ast.walk(node) if isinstance(name, ast.Name))
    else:
        for target in _targets(node):
            yield from (
                name.id
                for name in ast.walk(target)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            )


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
        return [node.target]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.optional_vars for item in node.items if item.optional_vars]
    if isinstance(node, ast.Expr | ast.If | ast.While):  # `(name := value)`
        return [node.value if isinstance(node, ast.Expr) else node.test]
    return []
