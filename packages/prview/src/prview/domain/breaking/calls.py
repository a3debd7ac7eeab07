"""Which calls that worked before fail now: two parameter lists compared the way a caller meets them.

One cause is stated once: a removed first parameter also moves all others, which is not said again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import BY_NAME, BY_POSITION, VARIADIC, Parameter, Passing
from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.breaking.symbols import Style


@dataclass(frozen=True)
class CallChange:
    """One incompatibility of a parameter list, as `ApiChange` words it."""

    rule: str
    level: Level
    what: str
    effect: str


def call_changes(old: Sequence[Parameter], new: Sequence[Parameter], style: Style) -> list[CallChange]:
    """Everything about `new` that a caller of `old` can run into."""
    pairs = _pairs(old, new)
    kept = {id(one): other for one, other in pairs}
    taken = {id(other) for _, other in pairs}
    found = [change for one, other in pairs for change in _pair(one, other, style)]
    found += _removed([one for one in old if id(one) not in kept and not _swallowed(one, new)], style)
    added = [other for other in new if id(other) not in taken]
    found += _added([other for other in added if other.required and other.passing not in VARIADIC], style)
    return found + _order(old, new, pairs, added)


Pair = tuple[Parameter, Parameter]


def _pairs(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[Pair]:
    """Old parameters with what they are now: by name, else by place (passed by position, or renamed)."""
    named = {parameter.name: parameter for parameter in reversed(new)}
    pairs = [(one, named[one.name]) for one in old if one.name in named]
    used = {id(other) for _, other in pairs}
    for one in old:
        if one.name in named:
            continue
        other = _variadic(one, new) if one.passing in VARIADIC else _at_same_place(one, old, new)
        if other and id(other) not in used and other.name not in {item.name for item in old}:
            used.add(id(other))
            pairs.append((one, other))
    return pairs


def _variadic(one: Parameter, new: Sequence[Parameter]) -> Parameter | None:
    return next((item for item in new if item.passing is one.passing), None)


def _at_same_place(one: Parameter, old: Sequence[Parameter], new: Sequence[Parameter]) -> Parameter | None:
    """The parameter that a positional argument for `one` reaches now, if the lists are as long as before.

    A required one counts as renamed, an optional one when nothing else about it changed: else one went and
    another came.
    """
    places, now = _positional(old), _positional(new)
    if one not in places or len(places) != len(now):
        return None
    other = now[places.index(one)]
    both_required = one.required and other.required
    same = (one.type, one.default, one.required) == (other.type, other.default, other.required)
    return other if both_required or same or one.passing is Passing.POSITIONAL else None


def _positional(parameters: Sequence[Parameter]) -> list[Parameter]:
    return [item for item in parameters if item.passing in BY_POSITION]


def _pair(old: Parameter, new: Parameter, style: Style) -> list[CallChange]:
    checks = (_renamed(old, new), _kind(old, new), _required(old, new), _type(old, new, style))
    found = [change for change in checks if change]
    default = _default(old, new, style)
    return [*found, default] if default else found


def _renamed(old: Parameter, new: Parameter) -> CallChange | None:
    if old.name == new.name or old.passing not in BY_NAME or new.passing in VARIADIC:
        return None
    return CallChange(
        "parameter-renamed",
        Level.WARNING,
        f"renamed its parameter {old.name} to {new.name}",
        f"calls that pass {old.name}= fail",
    )


def _kind(old: Parameter, new: Parameter) -> CallChange | None:
    if old.passing is new.passing or new.passing in VARIADIC or old.passing in VARIADIC:
        return None
    lost = []
    if old.passing in BY_POSITION and new.passing not in BY_POSITION:
        lost.append("by position")
    if old.passing in BY_NAME and new.passing not in BY_NAME:
        lost.append("by name")
    if not lost:
        return None
    return CallChange(
        "parameter-kind-changed",
        Level.WARNING,
        f"takes its parameter {new.name} {new.passing.value}",
        f"calls that pass it {' or '.join(lost)} fail",
    )


def _required(old: Parameter, new: Parameter) -> CallChange | None:
    if old.required or not new.required or {old.passing, new.passing} & VARIADIC:
        return None
    return CallChange(
        "parameter-required",
        Level.WARNING,
        f"requires its parameter {new.name}, which was optional",
        "calls that leave it out fail",
    )


def _type(old: Parameter, new: Parameter, style: Style) -> CallChange | None:
    if style.types is None or old.type == new.type or (style.inferred and None in {old.type, new.type}):
        return None
    return CallChange(
        "parameter-type-changed",
        style.types,
        f"changed the type of its parameter {new.name} from {old.type or 'none'} to {new.type or 'none'}",
        f"arguments of the old type {style.may or 'no longer fit'}",
    )


def _default(old: Parameter, new: Parameter, style: Style) -> CallChange | None:
    if style.defaults is None or old.required or new.required or old.default == new.default:
        return None
    return CallChange(
        "parameter-default-changed",
        style.defaults,
        f"changed the default of {new.name} from {old.default} to {new.default}",
        "calls that leave it out get another value",
    )


def _swallowed(old: Parameter, new: Sequence[Parameter]) -> bool:
    """Whether *args and **kwargs still accept what was passed for a removed parameter."""
    kinds = {item.passing for item in new}
    needed = {
        Passing.POSITIONAL: {Passing.REST},
        Passing.KEYWORD: {Passing.KEYWORDS},
        Passing.EITHER: {Passing.REST, Passing.KEYWORDS},
    }.get(old.passing)
    return needed is not None and needed <= kinds


def _removed(gone: list[Parameter], style: Style) -> list[CallChange]:
    if not gone:
        return []
    stars = {Passing.REST: "*", Passing.KEYWORDS: "**"}
    names = [stars.get(old.passing, "") + old.name for old in gone]
    it = _it(names)
    effect = f"what calls pass for {it} is ignored" if style.lenient else f"calls that pass {it} fail"
    return [CallChange("parameter-removed", Level.WARNING, f"lost its {_listed(names)}", effect)]


def _added(new: list[Parameter], style: Style) -> list[CallChange]:
    if not new:
        return []
    names = [item.name for item in new]
    it = _it(names)
    effect = f"calls without {it} pass undefined" if style.lenient else f"calls without {it} fail"
    return [
        CallChange("parameter-added-required", Level.WARNING, f"requires the new {_listed(names)}", effect)
    ]


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _listed(names: list[str]) -> str:
    return f"parameter {names[0]}" if len(names) == 1 else f"parameters {', '.join(names)}"


def _order(
    old: Sequence[Parameter], new: Sequence[Parameter], pairs: list[Pair], added: list[Parameter]
) -> list[CallChange]:
    """Whether arguments passed by position reach another parameter, for a reason not stated yet."""
    now = {id(one): other for one, other in pairs}
    places = _positional(new)
    stayed = [now[id(one)] for one in _positional(old) if id(one) in now]
    kept = [item for item in stayed if item in places]
    moved = [places.index(item) for item in kept]
    if moved != sorted(moved):
        order = ", ".join(item.name for item in sorted(kept, key=places.index))
        return [_reordered(f"takes its parameters in another order: {order}")]
    last = max(moved, default=-1)
    inserted = [item for item in places[:last] if item in added and not item.required]
    return [_reordered(f"takes a new parameter {item.name} before older ones") for item in inserted]


def _reordered(what: str) -> CallChange:
    return CallChange(
        "parameter-reordered", Level.WARNING, what, "arguments passed by position reach another parameter"
    )
