"""Griffe's objects as symbols: signatures, constructors, attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import griffe

from prview.domain.breaking.python_names import PROTOCOLS
from prview.domain.breaking.python_types import canonical
from prview.domain.breaking.symbols import Parameter, Passing, Role, Symbol, one_line
from prview.signals.breaking.python_reading import class_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PASSING = {
    griffe.ParameterKind.positional_only: Passing.POSITIONAL,
    griffe.ParameterKind.positional_or_keyword: Passing.EITHER,
    griffe.ParameterKind.var_positional: Passing.REST,
    griffe.ParameterKind.keyword_only: Passing.KEYWORD,
    griffe.ParameterKind.var_keyword: Passing.KEYWORDS,
}
_CALLED_BY_FRAMEWORKS = frozenset(
    {
        *("command", "group", "callback", "fixture", "task", "listener", "event", "tool", "on_event"),
        *("get", "post", "put", "delete", "patch", "head", "options", "route", "websocket", "middleware"),
        *("exception_handler", "errorhandler", "before_request", "after_request", "receiver", "register"),
    }
)
"""Last words of decorators after which a function is called by a framework, not by those who import it."""

_DATA_DECORATORS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs"})
_KEYWORD_BASES = frozenset({"BaseModel", "BaseSettings", "Struct"})
_DATA_BASES = _KEYWORD_BASES | {"NamedTuple"}
_DEFAULT_GIVEN = re.compile(r"\b(?:default|default_factory|factory)\s*=")
_FIELD_CALL = re.compile(r"^(?:[\w.]+\.)?(field|Field|ib|attrib)\((.*)\)$", re.DOTALL)
_PLUMBING = re.compile(r"(?:[\w.]+\.)?(?:TypeVar|ParamSpec|TypeVarTuple|getLogger|get_logger)\(")
_VALUE_CHARS = 80


def object_symbols(
    name: str, member: griffe.Object, path: str, gave_up: Callable[[str], None]
) -> list[Symbol]:
    """The symbol of one object and of its public members; what cannot be read is told to `gave_up`."""
    found: list[Symbol] = []
    for dotted, item in _tree(name, member):
        try:
            found.append(_symbol(dotted, item, path))
        except Exception:  # noqa: BLE001 - griffe meets every expression there is; one must not cost the others
            gave_up(dotted)
    return found


def is_plumbing(item: griffe.Object) -> bool:
    """Whether an attribute is a logger or a type variable: a module's own equipment, whatever its name."""
    return isinstance(item, griffe.Attribute) and _PLUMBING.match(_text(item.value) or "") is not None


def _tree(name: str, member: griffe.Object) -> Iterator[tuple[str, griffe.Object]]:
    yield name, member
    if isinstance(member, griffe.Class):
        for key, item in class_members(member):
            if key in PROTOCOLS or not key.startswith("_"):
                yield from _tree(f"{name}.{key}", item)


def _symbol(name: str, member: griffe.Object, path: str) -> Symbol:
    if isinstance(member, griffe.Class):
        return _class(name, member, path)
    if isinstance(member, griffe.Function):
        return _function(name, member, path)
    if isinstance(member, griffe.Attribute):
        return _attribute(name, member, path)
    return Symbol(name, member.kind.value, Role.TYPE, member.lineno or 1, name, path)


def _function(name: str, function: griffe.Function, path: str) -> Symbol:
    method = isinstance(function.parent, griffe.Class)
    prefix = "async " if "async" in function.labels else ""
    return Symbol(
        name,
        "method" if method else "function",
        Role.FUNCTION,
        _line(function),
        one_line(f"{prefix}def {function.signature()}"),
        path,
        parameters=None if _for_framework(function) else tuple(_parameters(function, method=method)),
        returns=_type(function.returns),
        modifiers=frozenset(function.labels) & {"async", "staticmethod", "classmethod"},
        overloads=frozenset(_alternative(item, method=method) for item in function.overloads or ()),
    )


def _alternative(function: griffe.Function, *, method: bool) -> str:
    """An overload in one spelling."""
    listed = [
        f"{item.name}: {item.type or 'Any'}" + ("" if item.required else " = …")
        for item in _parameters(function, method=method)
    ]
    return f"({', '.join(listed)}) -> {_type(function.returns)}"


def _parameters(function: griffe.Function, *, method: bool) -> list[Parameter]:
    """What a caller passes: not the object or class that a method is bound to."""
    listed = list(function.parameters)
    bound = method and "staticmethod" not in function.labels and listed and listed[0].kind in _BINDABLE
    return [_parameter(item) for item in listed[1 if bound else 0 :]]


_BINDABLE = {griffe.ParameterKind.positional_only, griffe.ParameterKind.positional_or_keyword}


def _parameter(item: griffe.Parameter) -> Parameter:
    passing = _PASSING[item.kind or griffe.ParameterKind.positional_or_keyword]
    if passing is Passing.EITHER and item.name.startswith("__") and not item.name.endswith("__"):
        passing = Passing.POSITIONAL  # the spelling before Python 3.8, as type checkers read it
    optional = item.default is not None or passing in {Passing.REST, Passing.KEYWORDS}
    return Parameter(
        item.name,
        passing,
        required=not optional,
        type=_type(item.annotation),
        default=_text(item.default),
    )


def _class(name: str, owner: griffe.Class, path: str) -> Symbol:
    bases = tuple(str(base) for base in owner.bases)
    return Symbol(
        name,
        "class",
        Role.TYPE,
        _line(owner),
        one_line(f"class {owner.name}" + (f"({', '.join(bases)})" if bases else "")),
        path,
        parameters=_constructor(owner),
        bases=tuple(base for base in bases if base not in {"object", "ABC", "abc.ABC"}),
    )


def _constructor(owner: griffe.Class) -> tuple[Parameter, ...] | None:
    """Parameters of `__init__` as written, or as a data class gets them; None where they are inherited."""
    init = owner.members.get("__init__")
    if isinstance(init, griffe.Function):
        return tuple(_parameters(init, method=True))
    last_words = {str(base).partition("[")[0].rpartition(".")[2] for base in owner.bases}
    decorated = [item for item in owner.decorators if _last_word(item) in _DATA_DECORATORS]
    if not decorated and not last_words & _DATA_BASES:
        return None
    by_name = bool(last_words & _KEYWORD_BASES) or any(
        "kw_only=True" in _squeezed(d.value) for d in decorated
    )
    return tuple(_fields(owner, by_name=by_name))


def _fields(owner: griffe.Class, *, by_name: bool) -> Iterator[Parameter]:
    passing = Passing.KEYWORD if by_name else Passing.EITHER
    for name, item in class_members(owner):
        if not isinstance(item, griffe.Attribute) or item.annotation is None or "property" in item.labels:
            continue
        if "instance-attribute" not in item.labels or name.startswith("_") or name == "model_config":
            continue
        value = _text(item.value)
        if value is not None and "init=False" in _squeezed(value):
            continue
        yield Parameter(name, passing, required=_no_default(value), default=value)


def _no_default(value: str | None) -> bool:
    """Whether a field must be given: nothing assigned, or a field description that brings no default."""
    if value is None:
        return True
    call = _FIELD_CALL.match(value)
    if not call or _DEFAULT_GIVEN.search(call[2]):
        return False
    first = call[2].partition(",")[0].strip()
    return call[1] != "Field" or first in {"", "..."} or "=" in first


def _attribute(name: str, item: griffe.Attribute, path: str) -> Symbol:
    is_property = "property" in item.labels
    annotation, value = _text(item.annotation), _text(item.value)
    shown = item.name + (f": {annotation}" if annotation else "")
    if value is not None and not is_property:
        shown += f" = {value if len(value) <= _VALUE_CHARS else value[:_VALUE_CHARS] + '…'}"
    return Symbol(
        name,
        "property" if is_property else "attribute",
        Role.VALUE,
        _line(item),
        one_line(shown),
        path,
        shape=_type(item.annotation) or "",
    )


def _for_framework(function: griffe.Function) -> bool:
    return any(_last_word(item) in _CALLED_BY_FRAMEWORKS for item in function.decorators)


def _last_word(decorator: griffe.Decorator) -> str:
    return decorator.callable_path.rpartition(".")[2]


def _line(item: griffe.Object) -> int:
    """The line of `def` or `class`, below the decorators."""
    decorators = getattr(item, "decorators", None)
    last = max((decorator.endlineno or 0 for decorator in decorators or ()), default=0)
    return last + 1 if last else item.lineno or 1


def _text(value: str | griffe.Expr | None) -> str | None:
    return None if value is None else str(value)


def _type(value: str | griffe.Expr | None) -> str | None:
    return None if value is None else canonical(str(value))


def _squeezed(value: object) -> str:
    return "".join(str(value).split())
