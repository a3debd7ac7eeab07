"""Two interfaces of one unit (a module, a file, a package) compared name by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.calls import call_changes
from prview.domain.breaking.changes import ApiChange
from prview.domain.breaking.symbols import Role
from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.breaking.symbols import Api, Style, Symbol

SETTLED = frozenset({"kind-changed", "removed"})
"""Rules after which nothing more is said about a symbol."""


def api_changes(old: Api, new: Api, style: Style) -> list[ApiChange]:
    """What callers of `old` can run into with `new`. A name that goes takes its members along, said once."""
    found: list[ApiChange] = []
    settled: set[str] = set()
    for name, symbol in old.items():
        if symbol.owner in settled:
            settled.add(name)
            continue
        changes = symbol_changes(symbol, new.get(name), style)
        found += changes
        if any(change.rule in SETTLED for change in changes):
            settled.add(name)
    return [*found, *_duties(old, new, settled)]


def symbol_changes(old: Symbol, new: Symbol | None, style: Style) -> list[ApiChange]:
    """What became of one symbol."""
    if new is None:
        return [_removed(old)]
    if old.role is not new.role:
        return [_kind_changed(old, new)]
    return [*_call(old, new, style), *_rest(old, new, style)]


def _removed(old: Symbol) -> ApiChange:
    verb = "it" if old.role is not Role.TYPE else "it or its members"
    return ApiChange(
        "removed",
        Level.WARNING,
        old.name,
        f"{old.word} was removed{old.doubt}",
        f"whoever uses {verb} fails",
        old=old,
    )


def _kind_changed(old: Symbol, new: Symbol) -> ApiChange:
    """A value may have been callable and a function may have become a callable value: then it is a note."""
    unsure = not old.owner and Role.VALUE in {old.role, new.role} and "property" not in {old.word, new.word}
    return ApiChange(
        "kind-changed",
        Level.NOTE if unsure else Level.WARNING,
        old.name,
        f"was a {old.word} and is a {new.word}",
        "uses as the former may fail" if unsure else "uses as the former fail",
        old=old,
        new=new,
    )


def _call(old: Symbol, new: Symbol, style: Style) -> list[ApiChange]:
    if old.overloads or new.overloads:
        return _overloads(old, new)
    if old.parameters is None or new.parameters is None:
        return []
    return [
        ApiChange(change.rule, change.level, old.name, change.what, change.effect, old=old, new=new)
        for change in call_changes(old.parameters, new.parameters, style)
    ]


def _overloads(old: Symbol, new: Symbol) -> list[ApiChange]:
    if not old.overloads:
        return []
    if not new.overloads:
        what, effect = "is no longer overloaded", "calls that relied on an overload may fail"
        return [ApiChange("overload-removed", Level.NOTE, old.name, what, effect, old=old, new=new)]
    gone = sorted(old.overloads - new.overloads)
    if not gone:
        return []
    what = f"no longer has the overload {gone[0]}" + (f" and {len(gone) - 1} more" if len(gone) > 1 else "")
    effect = "calls that relied on it may fail"
    return [ApiChange("overload-removed", Level.WARNING, old.name, what, effect, old=old, new=new)]


def _rest(old: Symbol, new: Symbol, style: Style) -> Iterator[ApiChange]:
    """Return type, other written types, generics, modifiers, bases."""

    def changed(rule: str, level: Level, what: str, effect: str) -> ApiChange:
        return ApiChange(rule, level, old.name, what, effect, old=old, new=new)

    if style.returns and _differ(old.returns, new.returns, style) and not (old.overloads or new.overloads):
        what = f"returns {new.returns or 'nothing written'} instead of {old.returns or 'nothing written'}"
        yield changed("return-changed", style.returns, what, f"uses of the result {style.may or 'may fail'}")
    if style.shapes and _differ(old.shape, new.shape, style):
        what = f"changed its type from {old.shape or 'none'} to {new.shape or 'none'}"
        yield changed("type-changed", style.shapes, what, f"uses of the old type {style.may or 'fail'}")
    if style.generics and old.generics != new.generics:
        what = f"changed its type parameters from {old.generics or 'none'} to {new.generics or 'none'}"
        yield changed("generics-changed", style.generics, what, "explicit type arguments may no longer fit")
    for sign, words in (("+", new.modifiers - old.modifiers), ("-", old.modifiers - new.modifiers)):
        for word in sorted(words):
            if rule := style.modifiers.get(sign + word):
                verb = "became" if sign == "+" else "is no longer"
                yield changed("modifier-changed", rule[0], f"{verb} {word}", rule[1])
    for base in old.bases:
        if base not in new.bases:
            effect = "code that relies on being one, or on inherited members, fails"
            yield changed("base-removed", Level.WARNING, f"is no longer a {base}", effect)


def _differ(old: str | None, new: str | None, style: Style) -> bool:
    return old != new and not (style.inferred and not (old and new))


def _duties(old: Api, new: Api, settled: set[str]) -> list[ApiChange]:
    """New members that ask something of those who implement, build or match what was there before."""
    return [
        ApiChange(
            "member-added", symbol.duty.level, name, f"new {symbol.word}", symbol.duty.effect, new=symbol
        )
        for name, symbol in new.items()
        if symbol.duty and name not in old and symbol.owner in old and symbol.owner not in settled
    ]
