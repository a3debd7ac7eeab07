"""What Python modules import and bind."""

from __future__ import annotations

import pytest

from prview.signals.python_imports import bound_names, imports, package_of, parse_python


def _imports(text: str, package: str = "pkg.sub") -> list[tuple[str, str | None, str]]:
    tree = parse_python(text)
    assert tree is not None
    return [(entry.module, entry.name, entry.bound) for entry in imports(tree, package=package)]


def test_every_form_of_import_is_absolute() -> None:
    text = "import a.b\nimport c as d\nfrom e import f as g\nfrom . import h\nfrom .i import j\nfrom ..k import l\nfrom .. import m\n"
    assert _imports(text) == [
        ("a.b", None, "a.b"),
        ("c", None, "d"),
        ("e", "f", "g"),
        ("pkg.sub", "h", "h"),
        ("pkg.sub.i", "j", "j"),
        ("pkg.k", "l", "l"),
        ("pkg", "m", "m"),
    ]


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("import a\n", (False, False, False)),
        ("try:\n    import a\nexcept ImportError:\n    pass\n", (True, False, False)),
        ("try:\n    import a\nexcept (OSError, ModuleNotFoundError):\n    pass\n", (True, False, False)),
        ("try:\n    import a\nexcept:\n    pass\n", (True, False, False)),
        ("try:\n    import a\nexcept ValueError:\n    pass\n", (False, False, False)),
        ("with contextlib.suppress(ImportError):\n    import a\n", (True, False, False)),
        ("if TYPE_CHECKING:\n    import a\n", (False, True, False)),
        ("if typing.TYPE_CHECKING:\n    pass\nelse:\n    import a\n", (False, False, False)),
        ("class C:\n    def f(self):\n        if 1:\n            import a\n", (False, False, True)),
        ("match x:\n    case 1:\n        import a\n", (False, False, False)),
    ],
)
def test_an_import_knows_when_it_runs_and_what_catches_it(text: str, flags: tuple[bool, bool, bool]) -> None:
    tree = parse_python(text)
    assert tree is not None
    (entry,) = imports(tree, package="")
    assert (entry.guarded, entry.typing, entry.lazy) == flags


def test_the_names_a_module_binds() -> None:
    text = """\
import a.b, c as d
from e import f
def g(): inner = 1
class H: attribute = 1
i = j = 1
k, (l, *m) = 1, (2, 3)
n: int
o += 1
if (p := 1):
    q = 1
else:
    r = 1
for s in t:
    u = 1
with v() as w:
    pass
try:
    x = 1
except E:
    y = 1
z.attribute = 1
"""
    tree = parse_python(text)
    assert tree is not None
    assert bound_names(tree) == set("adfgHijklmnopqrsuwxy")


@pytest.mark.parametrize("text", ["from a import *\n", "def __getattr__(name): ...\n"])
def test_names_that_appear_at_run_time_cannot_be_told(text: str) -> None:
    tree = parse_python(text)
    assert tree is not None
    assert bound_names(tree) is None


@pytest.mark.parametrize("text", ["def f(:\n", "x\0y", "(" * 500])
def test_what_is_no_python_is_none(text: str) -> None:
    assert parse_python(text) is None


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("src/pkg/a.py", "pkg"),
        ("src/pkg/__init__.py", "pkg"),
        ("top.py", ""),
        ("src/pkg/sub/__init__.py", "pkg.sub"),
    ],
)
def test_relative_imports_start_from_the_package(path: str, package: str) -> None:
    paths = frozenset({"src/pkg/__init__.py", "src/pkg/a.py", "src/pkg/sub/__init__.py", "top.py"})
    assert package_of(path, paths) == package
