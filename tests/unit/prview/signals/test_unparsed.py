"""What tells that a file need not be parsed never hides what parsing it would tell: asked of real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prview.signals.import_lines import may_need, modules_named
from prview.signals.python_imports import imports, parse_python
from prview.signals.unsafe.python import python_constructs
from prview.signals.unsafe.python_words import may_have_constructs

LIBRARY = Path(json.__file__).parent.parent
FOLDERS = (
    "asyncio",
    "concurrent",
    "distutils",
    "email",
    "http",
    "logging",
    "multiprocessing",
    "unittest",
    "xmlrpc",
)
FILES = sorted(
    path for folder in FOLDERS for path in LIBRARY.glob(f"{folder}/**/*.py") if "test" not in path.parts
)
SMALL = ("pdb.py", "timeit.py", "tempfile.py", "cgi.py", "webbrowser.py", "tarfile.py", "shelve.py", "ssl.py", "uuid.py")  # fmt: skip


def test_every_unsafe_construct_has_one_of_the_words() -> None:
    texts = [path.read_text() for path in (*FILES, *(LIBRARY / name for name in SMALL)) if path.exists()]
    found = [text for text in texts if python_constructs(text)]
    assert len(found) > 5
    assert all(map(may_have_constructs, found))
    assert sum(map(may_have_constructs, texts)) < len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "from os import system as s\ns(x)\n",
        "import builtins as b\nb.eval(x)\n",
        "eval (\n    x)\n",
        "import subprocess\nsubprocess.run(x, shell = True)\n",
        'db.execute(  # why\n    f"""\\\n    select {x}""")\n',
        'db.execute("drop table " + x)\n',
        'db.raw(("insert into %s" % x))\n',
        "path.chmod(0o666)\n",
        "path.chmod(mode, 511)\n",
        "app.run(\n    debug=True)\n",
    ],
)
def test_a_construct_is_seen_however_it_is_written(text: str) -> None:
    assert python_constructs(text)
    assert may_have_constructs(text)


def test_every_module_that_a_file_imports_is_named_in_its_lines() -> None:
    for path in FILES:
        text, package = path.read_text(), ".".join(path.relative_to(LIBRARY).parts[:-1])
        tree = parse_python(text)
        assert tree is not None
        named = modules_named(text, package=package)
        assert {entry.module for entry in imports(tree, package=package)} <= named, path


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("import a, b.c as d\n", "b.c"),
        ("import a, \\\n    b.c\n", "b.c"),
        ("if x: import b.c\n", "b.c"),
        ("x = 1; from b.c import (\n    d,\n)\n", "b.c"),
        ("from . import d\n", "p.q"),
        ("from .. import d\n", "p"),
        ("from ..r import d\n", "p.r"),
        ("from .r.s import d\n", "p.q.r.s"),
    ],
)
def test_a_statement_names_its_module(text: str, module: str) -> None:
    assert module in modules_named(text, package="p.q")


@pytest.mark.parametrize(
    ("module", "needed"),
    [("a.b", True), ("a.b.c", True), ("a.b.c.d", True), ("a", False), ("a.x", False), ("b.c", False)],
)
def test_a_file_may_need_a_module_when_it_imports_it_its_package_or_something_in_it(
    module: str, *, needed: bool
) -> None:
    assert may_need([module], frozenset({"a.b.c"})) == needed
