"""Destructive operations of Alembic and Django migrations, from their syntax trees (pure)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prview.signals.python_imports import parse_python
from prview.signals.schema.operation import SchemaOperation
from prview.signals.schema.sql import sql_operations

if TYPE_CHECKING:
    from collections.abc import Iterator

_CALLS = {
    "drop_table": "drop-table",
    "drop_column": "drop-column",
    "rename_table": "rename",
    "DeleteModel": "drop-table",
    "RemoveField": "drop-column",
    "RenameField": "rename",
    "RenameModel": "rename",
    "AlterModelTable": "rename",
    "AlterField": "type-change",
}
_SQL_CALLS = frozenset({"execute", "RunSQL"})
_NULLABLE = "nullable"


def migration_operations(text: str) -> list[SchemaOperation]:
    """What applying the migration does; `downgrade` is what undoes it and does not count."""
    tree = parse_python(text)
    if tree is None:
        return []
    found = [item for call in _applied(tree) for item in _of_call(call)]
    return sorted(found, key=lambda item: item.line)


def same_code(old: str, new: str) -> bool:
    """Whether two texts differ in comments and layout only."""
    trees = parse_python(old), parse_python(new)
    return trees[0] is not None and trees[1] is not None and ast.dump(trees[0]) == ast.dump(trees[1])


def _applied(tree: ast.Module) -> Iterator[ast.Call]:
    for node in tree.body:
        if not (isinstance(node, ast.FunctionDef) and node.name == "downgrade"):
            yield from (item for item in ast.walk(node) if isinstance(item, ast.Call))


def _of_call(call: ast.Call) -> Iterator[SchemaOperation]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _CALLS:
        yield _operation(_CALLS[name], call, name)
    elif name in _SQL_CALLS:
        yield from _sql(call)
    elif name == "alter_column":
        if _keyword(call, "type_"):
            yield _operation("type-change", call, name)
        if _is_false(_keyword(call, _NULLABLE)):
            yield _operation("not-null", call, name)
        if _keyword(call, "new_column_name"):
            yield _operation("rename", call, name)
    elif name == "add_column" and any(_is_required(argument) for argument in call.args):
        yield _operation("not-null", call, name)


def _operation(rule: str, call: ast.Call, name: str) -> SchemaOperation:
    words = [_text(item) for item in (*call.args, *(keyword.value for keyword in call.keywords))]
    target = ".".join(word for word in words[:2] if word)
    return SchemaOperation(rule, call.lineno, target.lower(), f"{name} {target}".strip())


def _sql(call: ast.Call) -> Iterator[SchemaOperation]:
    """Only what is applied: the first argument (the second of RunSQL undoes it)."""
    first = call.args[0] if call.args else _keyword(call, "sql")
    if isinstance(first, ast.Call) and first.args:  # sa.text("…")
        first = first.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield from sql_operations(first.value, first_line=first.lineno)


def _is_required(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not _is_false(_keyword(node, _NULLABLE)):
        return False
    return _keyword(node, "server_default") is None


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and node.args:  # sa.Column("name", …)
        return _text(node.args[0])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
