"""Python modules that still import what is gone, read from their syntax trees."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.ghosts.model import Reference
from prview.signals.import_lines import may_need, modules_named
from prview.signals.python_imports import bound_names, find_module, imports, package_of, parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.signals.ghosts.model import Gone, Module
    from prview.signals.own import Own
    from prview.signals.python_imports import Import


def python_references(own: Own, gone: Gone, path: str, text: str) -> list[Reference]:
    """The stale imports of one file, and uses of names that a module lost."""
    package = package_of(path, own.head.paths)
    if not may_need(modules_named(text, package=package), gone.dotted):
        return []  # parsing is what costs
    tree = parse_python(text)
    if tree is None:
        return []
    imported = imports(tree, package=package)
    found = [item for entry in imported for item in _stale(own, gone, path, entry)]
    found += _lost_attributes(gone, path, tree, imported)
    return list({(item.line, item.target): item for item in found}.values())


def _stale(own: Own, gone: Gone, path: str, entry: Import) -> Iterator[Reference]:
    level = Level.WARNING if entry.guarded or entry.typing else Level.ERROR
    module = _gone_module(gone, entry.module, path)
    if module:
        yield Reference(
            "stale-import",
            level,
            path,
            entry.line,
            module.dotted,
            f"imports {module.dotted}, which the change removed ({module.file})",
            module.now,
        )
    elif entry.name is not None:
        yield from _stale_name(own, gone, path, entry, level)


def _stale_name(own: Own, gone: Gone, path: str, entry: Import, level: Level) -> Iterator[Reference]:
    dotted = f"{entry.module}.{entry.name}"
    module = _gone_module(gone, dotted, path)
    if module and module.dotted == dotted and not _binds(own, module, entry):
        what = f"imports {dotted}, which the change removed ({module.file})"
        yield Reference("stale-import", level, path, entry.line, dotted, what, module.now)
    elif module is None and entry.name in gone.names.get(entry.module, ()):
        what = f"imports {entry.name} from {entry.module}, which no longer has it"
        yield Reference("stale-name", level, path, entry.line, dotted, what)


def _gone_module(gone: Gone, dotted: str, importer: str) -> Module | None:
    """The gone module that an import of `dotted` needs: itself or a package around it."""
    parts = dotted.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    module = next((gone.modules[name] for name in names if name in gone.modules), None)
    if module is None or "." in module.dotted:
        return module
    # a name without a package may be anybody's: it is the gone module's for its neighbours only
    return module if importer.startswith(f"{module.root}/" if module.root else "") else None


def _binds(own: Own, module: Module, entry: Import) -> bool:
    """Whether the package itself has the name now: a function in place of a submodule."""
    package = find_module(entry.module, module.root, own.head.paths)
    tree = parse_python(own.head.text(package) or "") if package else None
    names = bound_names(tree) if tree else set()
    return names is None or entry.name in names


def _lost_attributes(gone: Gone, path: str, tree: ast.Module, imported: list[Import]) -> Iterator[Reference]:
    """`module.name` where the module lost the name; by the names of imports, so a warning."""
    local = {
        entry.bound: entry.module if entry.name is None else f"{entry.module}.{entry.name}"
        for entry in imported
    }
    modules = {bound: module for bound, module in local.items() if module in gone.names}
    if not modules:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            module = modules.get(_written(node.value))
            if module and node.attr in gone.names[module]:
                what = f"uses {node.attr} of {module}, which no longer has it"
                yield Reference("stale-name", Level.WARNING, path, node.lineno, f"{module}.{node.attr}", what)


def _written(node: ast.expr) -> str:
    """`a.b` for the expression a.b; empty for what is no dotted name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _written(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
