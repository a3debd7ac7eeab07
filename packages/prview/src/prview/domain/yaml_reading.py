"""YAML with the line of every value.

PyYAML, because its composer gives the parsed nodes with their marks without building a single object: no tag
can construct anything, two equal keys are seen, and it ships wheels. Its safe resolver only names the types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.located import ConfigError, Located

if TYPE_CHECKING:
    from yaml.nodes import Node

MAX_DEPTH = 8
"""Levels of nesting that a configuration may have; also what ends a file that contains itself."""

_MAX_VALUES = 20_000
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_yaml(text: str, *, path: str) -> Located:
    """Return the document; an empty one is an empty mapping. Raises ConfigError."""
    import yaml  # deferred: most repositories have no policy

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark
        problem = f"is no YAML: {exc.problem or exc.context}"
        raise ConfigError(problem, path=path, line=mark.line + 1 if mark else 1) from exc
    except yaml.YAMLError as exc:
        raise ConfigError(f"is no YAML: {exc}", path=path, line=1) from exc
    except RecursionError as exc:
        raise ConfigError("is nested too deeply", path=path, line=1) from exc
    if node is None:
        return Located({}, path, 1)
    return _Reader(path).read(node, key="", line=node.start_mark.line + 1, depth=0)


class _Reader:
    """Turns nodes into values; aliases are followed, within bounds."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._left = _MAX_VALUES

    def read(self, node: Node, *, key: str, line: int, depth: int) -> Located:
        from yaml.nodes import MappingNode, SequenceNode

        self._left -= 1
        if depth > MAX_DEPTH or self._left < 0:
            raise ConfigError("is nested too deeply or too large", path=self._path, line=line, key=key)
        if isinstance(node, MappingNode):
            return self._mapping(node, key=key, line=line, depth=depth)
        if isinstance(node, SequenceNode):
            items = [
                self.read(item, key=f"{key}[{index}]", line=item.start_mark.line + 1, depth=depth + 1)
                for index, item in enumerate(node.value)
            ]
            return Located(tuple(items), self._path, line, key)
        return self._scalar(node, key=key, line=line)

    def _mapping(self, node: Node, *, key: str, line: int, depth: int) -> Located:
        values: dict[str, Located] = {}
        for name_node, value_node in node.value:
            at = name_node.start_mark.line + 1
            name = name_node.value
            if not isinstance(name, str):
                raise ConfigError("a key must be text", path=self._path, line=at, key=key)
            dotted = f"{key}.{name}" if key else name
            if name in values:
                raise ConfigError(
                    f"is given twice, first on line {values[name].line}",
                    path=self._path,
                    line=at,
                    key=dotted,
                    hint="keep one of them",
                )
            values[name] = self.read(value_node, key=dotted, line=at, depth=depth + 1)
        return Located(values, self._path, line, key)

    def _scalar(self, node: Node, *, key: str, line: int) -> Located:
        kind = node.tag.rpartition(":")[2]
        text: str = node.value
        if kind == "null":
            return Located(None, self._path, line, key)
        if kind == "bool":
            return Located(_TRUTH[text.lower()], self._path, line, key)
        if kind == "int" and text.lstrip("+-").isascii() and text.lstrip("+-").isdigit():
            return Located(int(text), self._path, line, key)
        if kind in {"str", "int", "float"}:  # 1.5 and 0x10 are no value of ours; told as they are written
            return Located(text, self._path, line, key)
        raise ConfigError(f"has the tag {node.tag}", path=self._path, line=line, key=key, hint="remove it")
