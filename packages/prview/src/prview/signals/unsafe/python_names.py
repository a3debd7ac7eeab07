"""What names in a Python module stand for, as far as its imports say."""

from __future__ import annotations

import ast


def imported_names(tree: ast.Module) -> dict[str, str]:
    """Local name to dotted origin for everything imported anywhere in the module (`sp` -> `subprocess`)."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {
                alias.asname or alias.name.partition(".")[0]: alias.name
                if alias.asname
                else alias.name.partition(".")[0]
                for alias in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def dotted(node: ast.expr, names: dict[str, str]) -> str | None:
    """The dotted name of an expression with imports resolved (`sp.run` -> `subprocess.run`), or None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([names.get(node.id, node.id), *reversed(parts)])
