"""Strongly connected components of a small directed graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def components(edges: Mapping[str, Sequence[str]]) -> list[frozenset[str]]:
    """Return the components, each after those it points to (Tarjan's order), without recursion.

    Targets that are not keys of `edges` are ignored. 10,000 nodes in a chain need no deep stack.
    """
    return _Search(edges).run()


class _Search:
    def __init__(self, edges: Mapping[str, Sequence[str]]) -> None:
        self.edges = edges
        self.index: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: list[str] = []
        self.is_open: set[str] = set()
        self.found: list[frozenset[str]] = []

    def run(self) -> list[frozenset[str]]:
        for node in self.edges:
            if node not in self.index:
                self._visit(node)
        return self.found

    def _visit(self, root: str) -> None:
        path: list[tuple[str, Iterator[str]]] = [self._enter(root)]
        while path:
            node, rest = path[-1]
            target = next(rest, None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    self.low[parent] = min(self.low[parent], self.low[node])
                self._close(node)
            elif target not in self.index:
                path.append(self._enter(target))
            elif target in self.is_open:
                self.low[node] = min(self.low[node], self.index[target])

    def _enter(self, node: str) -> tuple[str, Iterator[str]]:
        self.index[node] = self.low[node] = len(self.index)
        self.open.append(node)
        self.is_open.add(node)
        return node, iter([target for target in self.edges[node] if target in self.edges])

    def _close(self, node: str) -> None:
        if self.low[node] != self.index[node]:
            return
        start = self.open.index(node) if self.open[-1] != node else len(self.open) - 1
        group = frozenset(self.open[start:])
        del self.open[start:]
        self.is_open -= group
        self.found.append(group)
