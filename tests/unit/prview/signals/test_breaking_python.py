"""What importers of changed Python modules run into, on two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.breaking.python import python_breaks
from support.sides import Tree, told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.breaking.changes import Break

PACKAGE = {"pkg/__init__.py": ""}


def _breaks(folder: Path, before: Tree, after: Tree, *, renamed: dict[str, str] | None = None) -> list[Break]:
    return python_breaks(two_sides(folder, PACKAGE | before, PACKAGE | after, renamed=renamed))


def _module(folder: Path, before: str, after: str) -> list[Break]:
    return _breaks(folder, {"pkg/m.py": before}, {"pkg/m.py": after})


BREAKING = {
    "a removed function": ("def f(): ...\ndef g(): ...\n", "def g(): ...\n", "removed", "pkg.m.f"),
    "a renamed function": ("def f(): ...\n", "def g(): ...\n", "removed", "pkg.m.f"),
    "a removed async function": ("async def f(): ...\n", "x = 1\n", "removed", "pkg.m.f"),
    "a removed class, once": ("class C:\n    def f(self): ...\n", "y = 1\n", "removed", "pkg.m.C"),
    "a removed method": (
        "class C:\n    def f(self): ...\n    def g(self): ...\n",
        "class C:\n    def g(self): ...\n",
        "removed",
        "pkg.m.C.f",
    ),
    "a removed constant": ("LIMIT = 3\nOTHER = 1\n", "OTHER = 1\n", "removed", "pkg.m.LIMIT"),
    "a removed instance attribute": (
        "class C:\n    def __init__(self):\n        self.a = 1\n        self.b = 2\n",
        "class C:\n    def __init__(self):\n        self.b = 2\n",
        "removed",
        "pkg.m.C.a",
    ),
    "a lost protocol": (
        "class C:\n    def __enter__(self): ...\n    x = 1\n",
        "class C:\n    x = 1\n",
        "removed",
        "pkg.m.C.__enter__",
    ),
    "a removed parameter": ("def f(a, b): ...\n", "def f(a): ...\n", "parameter-removed", "pkg.m.f"),
    "a removed first parameter, once": (
        "def f(a, b, c): ...\n",
        "def f(b, c): ...\n",
        "parameter-removed",
        "pkg.m.f",
    ),
    "a removed *args": ("def f(*args): ...\n", "def f(): ...\n", "parameter-removed", "pkg.m.f"),
    "a removed **kwargs": ("def f(a, **kw): ...\n", "def f(a): ...\n", "parameter-removed", "pkg.m.f"),
    "a renamed parameter": ("def f(a, b): ...\n", "def f(a, c): ...\n", "parameter-renamed", "pkg.m.f"),
    "a new required parameter": (
        "def f(a): ...\n",
        "def f(a, b): ...\n",
        "parameter-added-required",
        "pkg.m.f",
    ),
    "a new required keyword": (
        "def f(a): ...\n",
        "def f(a, *, b): ...\n",
        "parameter-added-required",
        "pkg.m.f",
    ),
    "a default that went": ("def f(a=1): ...\n", "def f(a): ...\n", "parameter-required", "pkg.m.f"),
    "another order": ("def f(a, b): ...\n", "def f(b, a): ...\n", "parameter-reordered", "pkg.m.f"),
    "an optional parameter in front": (
        "def f(a=0, b=0): ...\n",
        "def f(c=0, a=0, b=0): ...\n",
        "parameter-reordered",
        "pkg.m.f",
    ),
    "positional that is keyword-only now": (
        "def f(a, b): ...\n",
        "def f(a, *, b): ...\n",
        "parameter-kind-changed",
        "pkg.m.f",
    ),
    "keyword that is positional-only now": (
        "def f(a, b): ...\n",
        "def f(a, /, b): ...\n",
        "parameter-kind-changed",
        "pkg.m.f",
    ),
    "a function that became async": (
        "def f(): ...\n",
        "async def f(): ...\n",
        "modifier-changed",
        "pkg.m.f",
    ),
    "a function that is no longer async": (
        "async def f(): ...\n",
        "def f(): ...\n",
        "modifier-changed",
        "pkg.m.f",
    ),
    "a property that became a method": (
        "class C:\n    @property\n    def p(self): ...\n",
        "class C:\n    def p(self): ...\n",
        "kind-changed",
        "pkg.m.C.p",
    ),
    "a changed constructor": (
        "class C:\n    def __init__(self, a): ...\n",
        "class C:\n    def __init__(self, a, b): ...\n",
        "parameter-added-required",
        "pkg.m.C",
    ),
    "a new required field of a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: int\n",
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: int\n    b: str\n",
        "parameter-added-required",
        "pkg.m.C",
    ),
    "a new required field of a model": (
        "from pydantic import BaseModel, Field\nclass C(BaseModel):\n    a: int\n",
        "from pydantic import BaseModel, Field\nclass C(BaseModel):\n    a: int\n    b: str = Field(min_length=1)\n",
        "parameter-added-required",
        "pkg.m.C",
    ),
    "a removed base class": (
        "class A: ...\nclass B: ...\nclass C(A, B): ...\n",
        "class A: ...\nclass B: ...\nclass C(B): ...\n",
        "base-removed",
        "pkg.m.C",
    ),
    "a name that left __all__": (
        '__all__ = ["f", "g"]\ndef f(): ...\ndef g(): ...\n',
        '__all__ = ["g"]\ndef g(): ...\n',
        "removed",
        "pkg.m.f",
    ),
    "an underscore name of __all__": (
        '__all__ = ["_f"]\ndef _f(a): ...\n',
        '__all__ = ["_f"]\ndef _f(): ...\n',
        "parameter-removed",
        "pkg.m._f",
    ),
    "a nested class's method": (
        "class A:\n    class B:\n        def f(self, x): ...\n",
        "class A:\n    class B:\n        def f(self): ...\n",
        "parameter-removed",
        "pkg.m.A.B.f",
    ),
    "a removed overload": (
        "from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a): ...\n",
        "from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: bytes) -> bytes: ...\ndef f(a): ...\n",
        "overload-removed",
        "pkg.m.f",
    ),
}


@pytest.mark.parametrize("case", BREAKING)
def test_what_breaks_is_found_once_under_its_public_name(tmp_path: Path, case: str) -> None:
    before, after, rule, symbol = BREAKING[case]
    found = _module(tmp_path, before, after)
    assert told(found) == [(rule, symbol)]
    assert found[0].level is Level.WARNING
    assert found[0].effect
    assert not found[0].heuristic


HARMLESS = {
    "another body": ("def f(a):\n    return a\n", "def f(a):\n    b = a\n    return b\n"),
    "a new function": ("def f(): ...\n", "def f(): ...\ndef g(a, b): ...\n"),
    "a new optional parameter": ("def f(a): ...\n", "def f(a, b=1): ...\n"),
    "a new *args and **kwargs": ("def f(a): ...\n", "def f(a, *args, **kwargs): ...\n"),
    "another layout": ("def f(a, b): ...\n", "def f(\n    a,\n    b,\n):\n    ...\n"),
    "a private function": ("def _f(a): ...\nx = 1\n", "x = 1\n"),
    "a private class's method": ("class _C:\n    def f(self): ...\n", "class _C: ...\n"),
    "a private method": ("class C:\n    def _f(self): ...\n    x = 1\n", "class C:\n    x = 1\n"),
    "what is not in __all__": (
        '__all__ = ["f"]\ndef f(): ...\ndef g(): ...\n',
        '__all__ = ["f"]\ndef f(): ...\n',
    ),
    "a renamed positional-only parameter": ("def f(a, /): ...\n", "def f(b, /): ...\n"),
    "a renamed self": ("class C:\n    def f(self): ...\n", "class C:\n    def f(this): ...\n"),
    "a parameter swallowed by **kwargs": ("def f(*, a): ...\n", "def f(**kwargs): ...\n"),
    "an attribute that became a property": (
        "class C:\n    a = 1\n",
        "class C:\n    @property\n    def a(self): ...\n",
    ),
    "an import that went": ("import os\nfrom json import dumps\nx = 1\n", "x = 1\n"),
    "a method that moved to a base class": (
        "class A: ...\nclass C(A):\n    def f(self): ...\n",
        "class A:\n    def f(self): ...\nclass C(A): ...\n",
    ),
    "a base that is inherited now": (
        "class A: ...\nclass B(A): ...\nclass C(A): ...\n",
        "class A: ...\nclass B(A): ...\nclass C(B): ...\n",
    ),
    "a command's own parameters": (
        "import click\n@click.command()\ndef f(a): ...\n",
        "import click\n@click.command()\ndef f(b): ...\n",
    ),
    "a field with a default": (
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    a: int\n",
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    a: int\n    b: list = field(default_factory=list)\n",
    ),
    "other spellings of annotations": (
        "import typing as t\ndef f(a: t.Optional[t.List[int]]) -> 't.Dict[str, C]': ...\n",
        "def f(a: list[int] | None) -> dict[str, C]: ...\n",
    ),
    "an annotation where there was none": (
        "def f(a): ...\nx = 1\n",
        "def f(a: int) -> int: ...\nx: int = 1\n",
    ),
    "a module's logger and type variables": (
        "log = logging.getLogger(__name__)\nT = TypeVar('T')\nx = 1\n",
        "x = 1\n",
    ),
    "a renamed **kwargs": ("def f(**attrs): ...\n", "def f(x=1, **kwargs): ...\n"),
    "positional-only by its old spelling": ("def f(__a): ...\n", "def f(b, /): ...\n"),
    "a docstring": ('"""One."""\ndef f(): ...\n', '"""Two."""\ndef f(): ...\n'),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_callers_do_not_notice_is_not_a_break(tmp_path: Path, case: str) -> None:
    before, after = HARMLESS[case]
    assert told(_module(tmp_path, before, after)) == []


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("def f() -> int: ...\n", "def f() -> str: ...\n", "return-changed"),
        ("def f(a=1): ...\n", "def f(a=2): ...\n", "parameter-default-changed"),
        ("x: int = 1\n", "x: str = '1'\n", "type-changed"),
        ("f = make()\n", "def f(): ...\n", "kind-changed"),
    ],
)
def test_what_may_be_compatible_is_a_note(tmp_path: Path, before: str, after: str, rule: str) -> None:
    found = _module(tmp_path, before, after)
    assert [(item.rule, item.level) for item in found] == [(rule, Level.NOTE)]


def test_it_says_where_how_it_was_and_what_it_does_to_callers(tmp_path: Path) -> None:
    found = _module(
        tmp_path,
        "import os\n\n\nclass C:\n    async def send(self, data: bytes, *, retry: int = 3) -> None: ...\n",
        "class C:\n    @staticmethod\n    async def send(data: bytes) -> None: ...\n",
    )
    assert len(found) == 1
    one = found[0]
    assert (one.path, one.line, one.gone) == ("pkg/m.py", 3, False)
    assert one.old == "async def send(data: bytes, *, retry: int = 3) -> None"
    assert one.new == "async def send(data: bytes) -> None"
    assert one.what == "lost its parameter retry"
    assert one.effect == "calls that pass it fail"


def test_a_removed_name_is_located_where_it_was(tmp_path: Path) -> None:
    found = _module(
        tmp_path,
        "def a(): ...\n\n\ndef b(): ...\n\n\ndef c(): ...\n",
        "import os\nimport re\n\n\ndef a(): ...\n\n\ndef c(): ...\n",
    )
    assert [(item.symbol, item.path, item.line) for item in found] == [("pkg.m.b", "pkg/m.py", 8)]


def test_what_stood_behind_the_end_of_the_file_is_located_at_its_end(tmp_path: Path) -> None:
    found = _module(tmp_path, "def a(): ...\n\n\ndef b(): ...\n", "def a(): ...\n")
    assert [(item.symbol, item.line) for item in found] == [("pkg.m.b", 1)]


# --- modules --------------------------------------------------------------------------------------------


def test_a_removed_module_is_said_once_at_its_old_path(tmp_path: Path) -> None:
    found = _breaks(tmp_path, {"pkg/m.py": "def f(): ...\ndef g(): ...\n"}, {})
    assert told(found) == [("module-removed", "pkg.m")]
    assert (found[0].path, found[0].line, found[0].gone) == ("pkg/m.py", 1, True)
    assert "f, g" in found[0].what


def test_a_removed_module_says_where_its_names_went(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/m.py": "def f(): ...\n", "pkg/n.py": "x = 1\n"},
        {"pkg/n.py": "x = 1\ndef f(): ...\n"},
    )
    assert told(found) == [("module-removed", "pkg.m")]
    assert found[0].note == "Names of it are now in pkg.n."


def test_a_module_that_is_renamed_and_nothing_else_breaks_its_imports(tmp_path: Path) -> None:
    module = "def f(a): ...\n"
    found = _breaks(
        tmp_path, {"pkg/old.py": module}, {"pkg/new.py": module}, renamed={"pkg/old.py": "pkg/new.py"}
    )
    assert told(found) == [("module-renamed", "pkg.old")]


def test_a_renamed_module_breaks_its_imports_and_what_changed_in_it(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/old.py": "def f(a): ...\ndef g(): ...\n"},
        {"pkg/new.py": "def f(): ...\ndef g(): ...\n"},
        renamed={"pkg/old.py": "pkg/new.py"},
    )
    assert told(found) == [("module-renamed", "pkg.old"), ("parameter-removed", "pkg.old.f")]
    assert {item.path for item in found} == {"pkg/new.py"}


def test_a_module_that_became_a_package_is_the_same_module(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/m.py": "def f(a): ...\ndef g(): ...\n"},
        {"pkg/m/__init__.py": "from .inner import f\ndef g(): ...\n", "pkg/m/inner.py": "def f(): ...\n"},
        renamed={"pkg/m.py": "pkg/m/__init__.py"},
    )
    assert told(found) == [("parameter-removed", "pkg.m.f")]
    assert (found[0].path, found[0].line) == ("pkg/m/inner.py", 1)


def test_a_project_that_moved_as_a_whole_keeps_its_imports(tmp_path: Path) -> None:
    manifest = "[project]\nname = 'app'\n"
    found = _breaks(
        tmp_path,
        {"app/pyproject.toml": manifest, "app/src/app/__init__.py": "", "app/src/app/m.py": "def f(): ...\n"},
        {"new/pyproject.toml": manifest, "new/src/app/__init__.py": "", "new/src/app/m.py": "def f(): ...\n"},
        renamed={"app/src/app/m.py": "new/src/app/m.py"},
    )
    assert told(found) == []


@pytest.mark.parametrize(
    ("path", "more", "symbol"),
    [
        ("m.py", {}, "m.f"),
        ("src/app/m.py", {}, "app.m.f"),
        ("src/app/m.py", {"src/app/__init__.py": ""}, "app.m.f"),
        ("services/api/src/api/m.py", {"services/api/pyproject.toml": ""}, "api.m.f"),
        ("services/api/api/m.py", {"services/api/api/__init__.py": ""}, "api.m.f"),
        ("src/company/app/m.py", {"src/company/app/__init__.py": ""}, "company.app.m.f"),
    ],
)
def test_names_are_those_of_imports_wherever_the_project_lies(
    tmp_path: Path, path: str, more: Tree, symbol: str
) -> None:
    found = _breaks(tmp_path, {path: "def f(): ...\nx = 1\n"} | more, {path: "x = 1\n"} | more)
    assert told(found) == [("removed", symbol)]


@pytest.mark.parametrize(
    "path",
    [
        "tests/helpers.py",
        "pkg/test_m.py",
        "pkg/conftest.py",
        "docs/conf.py",
        "pkg/_private.py",
        "app/migrations/0001_initial.py",
        "setup.py",
    ],
)
def test_tests_and_private_modules_are_nobodys_interface(tmp_path: Path, path: str) -> None:
    assert told(_breaks(tmp_path, {path: "def f(): ...\nx = 1\n"}, {path: "x = 1\n"})) == []


# --- re-exports -----------------------------------------------------------------------------------------


def test_a_private_module_counts_where_a_package_re_exports_it(tmp_path: Path) -> None:
    init = {"pkg/__init__.py": "from ._impl import f\n"}
    found = _breaks(
        tmp_path,
        init | {"pkg/_impl.py": "def f(a): ...\ndef g(a): ...\n"},
        init | {"pkg/_impl.py": "def f(): ...\ndef g(): ...\n"},
    )
    assert told(found) == [("parameter-removed", "pkg.f")]
    assert (found[0].path, found[0].line) == ("pkg/_impl.py", 1)


def test_a_re_export_that_points_to_nothing_is_a_removed_name(tmp_path: Path) -> None:
    init = {"pkg/__init__.py": "from ._impl import f\n"}
    found = _breaks(
        tmp_path, init | {"pkg/_impl.py": "def f(): ...\nx = 1\n"}, init | {"pkg/_impl.py": "x = 1\n"}
    )
    assert told(found) == [("removed", "pkg.f")]


def test_a_removed_re_export_is_a_removed_name(tmp_path: Path) -> None:
    impl = {"pkg/_impl.py": "def f(): ...\n"}
    found = _breaks(
        tmp_path,
        impl | {"pkg/__init__.py": "from ._impl import f\nx = 1\n"},
        impl | {"pkg/__init__.py": "x = 1\n"},
    )
    assert told(found) == [("removed", "pkg.f")]


def test_what_moved_behind_its_re_export_is_still_there(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/__init__.py": "from ._a import f\n", "pkg/_a.py": "def f(x): ...\n"},
        {"pkg/__init__.py": "from ._b import f\n", "pkg/_b.py": "def f(x): ...\n"},
    )
    assert told(found) == []


def test_what_moved_behind_its_re_export_is_compared(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/m.py": "def f(x): ...\n"},
        {"pkg/m.py": "from ._b import *\n", "pkg/_b.py": "def f(): ...\n"},
    )
    assert told(found) == [("parameter-removed", "pkg.m.f")]


def test_a_name_that_moved_to_another_module_says_where(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"pkg/a.py": "def f(): ...\nx = 1\n", "pkg/b.py": "y = 1\n"},
        {"pkg/a.py": "x = 1\n", "pkg/b.py": "y = 1\ndef f(): ...\n"},
    )
    assert told(found) == [("removed", "pkg.a.f")]
    assert found[0].note == "A f is new in pkg.b."


def test_a_member_that_an_unread_base_may_provide_is_a_note(tmp_path: Path) -> None:
    found = _module(
        tmp_path,
        "from lib import View\nclass C(View):\n    def get(self): ...\n    x = 1\n",
        "from lib import View\nclass C(View):\n    x = 1\n",
    )
    assert [(item.rule, item.level) for item in found] == [("removed", Level.NOTE)]
    assert "unless View provides it" in found[0].what


def test_what_a_module_may_provide_when_asked_is_a_note(tmp_path: Path) -> None:
    found = _module(tmp_path, "def f(): ...\n", "def __getattr__(name): ...\n")
    assert [(item.rule, item.level) for item in found] == [("removed", Level.NOTE)]
    assert "unless __getattr__ provides it" in found[0].what


# --- what cannot be read --------------------------------------------------------------------------------


def test_a_file_with_a_syntax_error_is_said_and_costs_no_other_file(tmp_path: Path) -> None:
    work = two_sides(
        tmp_path,
        {"a.py": "def f(): ...\n", "b.py": "def g(): ...\nx = 1\n"},
        {"a.py": "def f(:\n", "b.py": "x = 1\n"},
    )
    assert told(python_breaks(work)) == [("removed", "b.g")]
    assert work.head.unread == {"a.py": "has a syntax error in line 1"}


def test_a_file_nested_too_deeply_is_said(tmp_path: Path) -> None:
    deep = "x = " + "(" * 400 + ")" * 400 + "\n"
    work = two_sides(tmp_path, {"a.py": "def f(): ...\n"}, {"a.py": deep})
    assert python_breaks(work) == []
    assert list(work.head.unread) == ["a.py"]


def test_a_generated_file_says_nothing(tmp_path: Path) -> None:
    found = _module(tmp_path, "# @generated by x\ndef f(): ...\n", "# @generated by x\n")
    assert found == []


def test_odd_escapes_and_cyclic_imports_are_no_trouble(tmp_path: Path) -> None:
    cyclic = {"pkg/a.py": "from .b import *\n", "pkg/b.py": "from .a import *\n"}
    found = _breaks(
        tmp_path,
        {"pkg/__init__.py": "from .a import *\n", "pkg/m.py": "P = '\\d'\ndef f(): ...\n"} | cyclic,
        {"pkg/__init__.py": "from .a import *\nx = 1\n", "pkg/m.py": "P = '\\d'\n"} | cyclic,
    )
    assert told(found) == [("removed", "pkg.m.f")]
