"""The rules that compare interfaces, whatever language they come from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.breaking.arrivals import PYTHON as PYTHON_NAMES
from prview.domain.breaking.arrivals import SCRIPT as SCRIPT_NAMES
from prview.domain.breaking.arrivals import arrivals
from prview.domain.breaking.calls import call_changes
from prview.domain.breaking.compare import api_changes
from prview.domain.breaking.python_types import canonical
from prview.domain.breaking.symbols import Parameter, Passing, Role, Style, Symbol
from prview.domain.findings import Level

PYTHON = Style("Python", types=None, returns=None, shapes=None)
_ORDER = [Passing.POSITIONAL, Passing.EITHER, Passing.REST, Passing.KEYWORD, Passing.KEYWORDS]


@st.composite
def parameter_lists(draw: st.DrawFn) -> list[Parameter]:
    """Lists that Python accepts: kinds in order, one of each star, no required one behind an optional one."""
    names = draw(st.lists(st.sampled_from("abcdefg"), unique=True, max_size=5))
    kinds = sorted((draw(st.sampled_from(_ORDER)) for _ in names), key=_ORDER.index)
    found: list[Parameter] = []
    optional = False
    for name, kind in zip(names, kinds, strict=True):
        star = kind in {Passing.REST, Passing.KEYWORDS}
        if star and any(item.passing is kind for item in found):
            continue
        required = not star and draw(st.booleans())
        if kind in {Passing.POSITIONAL, Passing.EITHER}:
            required = required and not optional
            optional = not required
        found.append(Parameter(name, kind, required=required, default=None if required or star else "0"))
    return found


def _function(parameters: list[Parameter], body: str = "") -> str:
    parts: list[str] = []
    kinds = [item.passing for item in parameters]
    for index, item in enumerate(parameters):
        star = {Passing.REST: "*", Passing.KEYWORDS: "**"}.get(item.passing, "")
        if item.passing is Passing.KEYWORD and Passing.REST not in kinds and "*" not in parts:
            parts.append("*")
        parts.append(star + item.name + ("" if item.required or star else "=0"))
        last_positional = item.passing is Passing.POSITIONAL and Passing.POSITIONAL not in kinds[index + 1 :]
        if last_positional:
            parts.append("/")
    return f"def f({', '.join(parts)}):\n    return {body or 'None'}\n"


def _accepts(source: str, positional: int, named: frozenset[str]) -> dict[str, object] | None:
    """How Python itself binds a call; None when it refuses."""
    space: dict[str, object] = {}
    exec("import inspect\n" + source + "signature = inspect.signature(f)\n", space)
    try:
        bound = space["signature"].bind(*range(positional), **dict.fromkeys(named, "named"))  # type: ignore[attr-defined]
    except TypeError:
        return None
    arguments: dict[str, object] = bound.arguments
    return arguments


@given(
    parameter_lists(),
    parameter_lists(),
    st.integers(0, 4),
    st.frozensets(st.sampled_from("abcdefg"), max_size=3),
)
def test_a_call_that_python_refuses_now_was_told(
    old: list[Parameter], new: list[Parameter], positional: int, named: frozenset[str]
) -> None:
    """Python binds the same call to both: when only the old one takes it, the comparison must have said so."""
    before = _accepts(_function(old), positional, named)
    after = _accepts(_function(new), positional, named)
    if before is not None and after is None:
        assert call_changes(old, new, PYTHON)


@given(parameter_lists())
def test_an_unchanged_list_breaks_nothing(parameters: list[Parameter]) -> None:
    assert call_changes(parameters, list(parameters), PYTHON) == []


@given(parameter_lists(), st.booleans())
def test_adding_only_stars_and_optional_names_breaks_nothing(old: list[Parameter], star: bool) -> None:
    extra = (
        []
        if any(item.passing is Passing.KEYWORDS for item in old)
        else [Parameter("kw", Passing.KEYWORDS, required=False)]
    )
    body = [item for item in old if item.passing is not Passing.KEYWORDS]
    tail = [item for item in old if item.passing is Passing.KEYWORDS]
    option = [Parameter("z", Passing.KEYWORD, required=False, default="0")] if star else []
    assert call_changes(old, [*body, *option, *tail, *extra], PYTHON) == []


def _parameters(*names: str) -> list[Parameter]:
    return [Parameter(name, Passing.EITHER) for name in names]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("abc", "c", ["lost its parameters a, b"]),
        ("a", "abc", ["requires the new parameters b, c"]),
        ("ab", "xb", ["renamed its parameter a to x"]),
        ("abc", "cab", ["takes its parameters in another order: c, a, b"]),
    ],
)
def test_one_cause_is_said_once(old: str, new: str, said: list[str]) -> None:
    found = call_changes(_parameters(*old), _parameters(*new), PYTHON)
    assert [change.what for change in found] == said


def test_an_optional_parameter_that_another_one_replaced_is_not_a_rename() -> None:
    old = [Parameter("a", Passing.EITHER, required=False, type="int", default="1")]
    new = [Parameter("b", Passing.EITHER, required=False, type="str", default="''")]
    assert [change.rule for change in call_changes(old, new, PYTHON)] == ["parameter-removed"]


def test_a_removed_owner_takes_its_members_along() -> None:
    api = {name: Symbol(name, "class", Role.TYPE, 1, name) for name in ("A", "A.B", "A.B.c", "Z")}
    found = api_changes(api, {"Z": api["Z"]}, PYTHON)
    assert [(change.rule, change.name, change.level) for change in found] == [("removed", "A", Level.WARNING)]


@pytest.mark.parametrize(
    ("annotation", "one_spelling"),
    [
        ("t.Optional[t.List[int]]", "list[int] | None"),
        ("typing.Union[str, None]", "str | None"),
        ("'Foo[\"Bar\"]'", "Foo[Bar]"),
        ("collections.abc.Iterator[x.y.Z]", "Iterator[x.y.Z]"),
        ("Literal['List', 'a']", "Literal['List', 'a']"),
        ("Dict[str,Any]", "dict[str, Any]"),
        ("not an expression", "not an expression"),
    ],
)
def test_annotations_have_one_spelling(annotation: str, one_spelling: str) -> None:
    assert canonical(annotation) == one_spelling
    assert canonical(one_spelling) == one_spelling


def test_a_name_that_is_new_elsewhere_is_where_it_may_be_now() -> None:
    sides = [
        ("a", "def f(): ...\n", ""),
        ("b", "class C: ...\n", "class C: ...\nasync def f(): ...\n    def inner(): ...\n"),
    ]
    assert arrivals(sides, PYTHON_NAMES) == {"f": ["b"]}
    assert arrivals([("m.ts", "", "export async function f() {}\nfunction g() {}\n")], SCRIPT_NAMES) == {
        "f": ["m.ts"]
    }
