"""Who still refers to what a change deleted or renamed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Level
from prview.signals import scan
from prview.signals.ghosts import analyzer
from prview.signals.ghosts.analyzer import ARTIFACT, Ghosts
from prview.signals.ghosts.mentions import lines_with
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

E, W, N = Level.ERROR, Level.WARNING, Level.NOTE


async def _said(folder: Path, before: Tree, after: Tree, **how: Any) -> list[tuple[str, int, str, Level]]:
    signal = await said(Ghosts(), folder, before, after, **how)
    found = signal.findings if signal else ()
    return sorted((item.path, item.line, item.rule, item.level) for item in found)


PACKAGE = {"src/pkg/__init__.py": "", "src/pkg/old.py": "def f(): ...\n"}
MOVED = {"src/pkg/__init__.py": "", "src/pkg/new.py": "def f(): ...\n"}
RENAMED = {"src/pkg/old.py": "src/pkg/new.py"}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("src/pkg/use.py", "x = 1\nfrom pkg.old import f\n", [(2, "stale-import", E)]),
        ("src/pkg/use.py", "import pkg.old as o\n", [(1, "stale-import", E)]),
        ("src/pkg/use.py", "from . import old\n", [(1, "stale-import", E)]),
        ("src/pkg/use.py", "from .old import f\n", [(1, "stale-import", E)]),
        ("src/pkg/sub/__init__.py", "from ..old import f\n", [(1, "stale-import", E)]),
        (
            "src/pkg/use.py",
            "def g():\n    from pkg import (\n        old,\n    )\n",
            [(3, "stale-import", E)],
        ),
        ("tests/test_use.py", "from pkg.old import f\n", [(1, "stale-import", E)]),
        (
            "src/pkg/use.py",
            "try:\n    from pkg.old import f\nexcept ImportError:\n    f = None\n",
            [(2, "stale-import", W)],
        ),
        (
            "src/pkg/use.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg.old import f\n",
            [(3, "stale-import", W)],
        ),
        ("tests/test_use.py", "mock.patch('pkg.old.f')\n", [(1, "stale-mention", N)]),
        ("src/pkg/use.py", "load('pkg.old:f')\n", [(1, "stale-mention", W)]),
        ("src/pkg/use.py", "# see pkg.old\n", [(1, "stale-mention", N)]),
        ("pyproject.toml", '[project.scripts]\nrun = "pkg.old:f"\n', [(2, "stale-mention", W)]),
        ("docs/api.md", "See `pkg.old`.\n", [(1, "stale-mention", N)]),
        ("src/pkg/use.py", "from pkg.older import f\nfrom other.pkg.old import g\n", []),
        ("src/pkg/use.py", "old = 1\nfrom elsewhere import old\n", []),
        ("CHANGELOG.md", "pkg.old is new, src/pkg/old.py\n", []),
        ("vendor/x.py", "from pkg.old import f\n", []),
        ("uv.lock", 'name = "pkg.old"\n', []),
    ],
)
async def test_a_stale_importer_of_a_renamed_python_module_is_found_at_its_line(
    tmp_path: Path, path: str, text: str, expected: list[tuple[int, str, Level]]
) -> None:
    found = await _said(tmp_path, PACKAGE | {path: text}, MOVED | {path: text}, renamed=RENAMED)
    assert found == [(path, *rest) for rest in expected]


async def test_a_finding_says_where_the_module_went(tmp_path: Path) -> None:
    use = {"src/pkg/use.py": "from pkg.old import f\n"}
    signal = await said(Ghosts(), tmp_path, PACKAGE | use, MOVED | use, renamed=RENAMED)
    assert signal is not None
    assert signal.findings[0].message == (
        "imports pkg.old, which the change removed (src/pkg/old.py); it is pkg.new now"
    )
    assert signal.artifacts[0].path == ARTIFACT
    assert "src/pkg/use.py:1: error: imports pkg.old" in signal.artifacts[0].text


@pytest.mark.parametrize(
    ("after", "renamed"),
    [
        pytest.param(
            {"src/pkg/old/__init__.py": "def f(): ...\n"},
            {"src/pkg/old.py": "src/pkg/old/__init__.py"},
            id="a package",
        ),
        pytest.param(
            {"src/pkg/old/part.py": "def f(): ...\n"},
            {"src/pkg/old.py": "src/pkg/old/part.py"},
            id="a folder",
        ),
        pytest.param(
            {"lib/pkg/old.py": "def f(): ...\n"}, {"src/pkg/old.py": "lib/pkg/old.py"}, id="another root"
        ),
        pytest.param({"src/pkg/old.pyx": "def f(): ...\n"}, {}, id="compiled"),
        pytest.param({"src/pkg/__init__.py": "def old(): ...\n"}, {}, id="a function of the package"),
    ],
)
async def test_a_module_that_became_something_else_is_not_gone(
    tmp_path: Path, after: Tree, renamed: dict[str, str]
) -> None:
    use = {"src/pkg/use.py": "from pkg import old\n"}
    found = await _said(tmp_path, PACKAGE | use, {"src/pkg/__init__.py": ""} | use | after, renamed=renamed)
    assert [item for item in found if item[2] == "stale-import"] == []


async def test_a_name_without_a_package_is_only_its_neighbours(tmp_path: Path) -> None:
    """`yaml.py` of a test folder is not the `yaml` that everybody else imports."""
    use = {"pyproject.toml": "", "src/app.py": "import yaml\n", "tools/src/run.py": "import yaml\n"}
    before = use | {"tools/src/yaml.py": "x = 1\n"}
    found = await _said(tmp_path, before, use)
    assert found == [("tools/src/run.py", 1, "stale-import", E)]


@pytest.mark.parametrize(
    ("before", "after", "use", "expected"),
    [
        ("def f(): ...\nX = 1\n", "X = 1\n", "from pkg.m import f, X\n", [(1, "stale-name", E)]),
        ("def f(): ...\n", "def f(): ...\n", "from pkg.m import f\n", []),
        ("def f(): ...\n", "from .n import *\n", "from pkg.m import f\n", []),
        ("def f(): ...\n", "def __getattr__(name): ...\n", "from pkg.m import f\n", []),
        ("def f(): ...\n", "from .n import f\n", "from pkg.m import f\n", []),
        ("def f(): ...\n", "if 1:\n    f, g = 1, 2\n", "from pkg.m import f\n", []),
        ("from x import f\n", "", "from pkg.m import f\n", [(1, "stale-name", E)]),
        ("def f(): ...\n", "x = 1\n", "import pkg.m\npkg.m.f()\n", [(2, "stale-name", W)]),
        ("def f(): ...\n", "x = 1\n", "from pkg import m\nm.f()\nm.x\n", [(2, "stale-name", W)]),
        ("def f(): ...\n", "x = 1\n", "from pkg import m as f\nf.x\n", []),
    ],
)
async def test_names_that_a_python_module_lost(
    tmp_path: Path, before: str, after: str, use: str, expected: list[tuple[int, str, Level]]
) -> None:
    rest = {"pkg/__init__.py": "", "pkg/use.py": use}
    found = await _said(tmp_path, rest | {"pkg/m.py": before}, rest | {"pkg/m.py": after})
    assert found == [("pkg/use.py", *item) for item in expected]


SCRIPT = {"web/old.ts": "export const a = 1;\n"}
SCRIPT_MOVED = {"web/new.ts": "export const a = 1;\n"}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("web/use.ts", "import { a } from './old';\n", [(1, "stale-import", E)]),
        ("web/use.js", "\nconst x = require('./old');\n", [(2, "stale-import", E)]),
        ("web/deep/use.tsx", "export * from '../old.js';\n", [(1, "stale-import", E)]),
        ("web/use.ts", "const p = import('./old');\n", [(1, "stale-import", E)]),
        ("web/use.ts", "import { a } from '@/old';\n", [(1, "stale-import", W)]),
        ("web/use.ts", "import { a } from './other';\nimport 'old';\n", []),
        ("web/use.ts", "// import { a } from './old';\n", []),
    ],
)
async def test_a_stale_importer_of_a_renamed_script(
    tmp_path: Path, path: str, text: str, expected: list[tuple[int, str, Level]]
) -> None:
    renamed = {"web/old.ts": "web/new.ts"}
    found = await _said(tmp_path, SCRIPT | {path: text}, SCRIPT_MOVED | {path: text}, renamed=renamed)
    assert [item for item in found if item[2] != "stale-mention"] == [(path, *rest) for rest in expected]


async def test_a_script_that_moves_away_from_its_imports(tmp_path: Path) -> None:
    text = "import { a } from './old';\n"
    found = await _said(
        tmp_path,
        SCRIPT | {"web/use.ts": text},
        SCRIPT | {"web/deep/use.ts": text},
        renamed={"web/use.ts": "web/deep/use.ts"},
    )
    assert found == [("web/deep/use.ts", 1, "stale-import", E)]


async def test_an_export_that_is_gone(tmp_path: Path) -> None:
    use = {"use.ts": "import { a, b as c } from './m';\n", "other.ts": "import { b } from './n';\n"}
    before = use | {"m.ts": "export const a = 1;\nexport function b() {}\n"}
    found = await _said(tmp_path, before, use | {"m.ts": "export const a = 1;\n"})
    assert found == [("use.ts", 1, "stale-name", E)]


async def test_rust_modules(tmp_path: Path) -> None:
    lib = 'mod old;\nmod kept;\nmod inline { }\n#[cfg(feature = "x")]\nmod gated;\n'
    before = {"src/lib.rs": lib, "src/old.rs": "", "src/kept.rs": "", "src/gated/mod.rs": ""}
    found = await _said(tmp_path, before, {"src/lib.rs": lib, "src/kept.rs": ""})
    assert found == [("src/lib.rs", 1, "stale-import", E), ("src/lib.rs", 5, "stale-import", W)]


async def test_go_packages(tmp_path: Path) -> None:
    use = 'package main\n\nimport (\n\t"example.org/shop/old"\n\t"example.org/shop/half"\n)\n'
    rest = {"go.mod": "module example.org/shop\n", "main.go": use, "half/b.go": "package half\n"}
    before = rest | {"old/a.go": "package old\n", "half/a.go": "package half\n"}
    found = await _said(tmp_path, before, rest)
    assert found == [("main.go", 4, "stale-import", E)]


CART = {"src/shop/__init__.py": "", "src/shop/cart.py": "def is_empty(): ...\n\n\ndef total(): ...\n"}
EMPTIED = {"src/shop/__init__.py": "", "src/shop/cart.py": "def total(): ...\n"}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("README.md", "Call `shop.cart.is_empty(cart)` first.\n", [(1, N)]),
        ("README.md", "Call `cart.is_empty()` first.\n", [(1, N)]),
        ("README.md", "```python\nfrom shop.cart import is_empty, total\n```\n", [(2, N)]),
        ("docs/api.rst", ".. autofunction:: shop.cart.is_empty\n", [(1, N)]),
        ("pyproject.toml", '[project.scripts]\nempty = "shop.cart:is_empty"\n', [(2, W)]),
        ("tests/test_use.py", "mock.patch('shop.cart.is_empty')\n", [(1, N)]),
        ("src/shop/use.py", "load('shop.cart.is_empty')\n", [(1, W)]),
        ("README.md", "`shop.cart.total()`, `other.cart.total`, is_empty, `list.is_empty`\n", []),
        ("src/shop/use.py", "# cart.is_empty()\n", []),
        ("CHANGELOG.md", "shop.cart.is_empty is gone\n", []),
    ],
)
async def test_mentions_of_a_name_that_a_module_lost(
    tmp_path: Path, path: str, text: str, expected: list[tuple[int, Level]]
) -> None:
    found = await _said(tmp_path, {**CART, path: text}, {**EMPTIED, path: text})
    assert found == [(path, line, "stale-mention", level) for line, level in expected]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("ci.yml", "run: sh scripts/build.sh\n", [(1, W)]),
        ("Dockerfile", "COPY ./scripts/build.sh /\n", [(1, W)]),
        ("tools/run.py", "open('scripts/build.sh')\n", [(1, W)]),
        ("tools/run.py", "# scripts/build.sh did this\n", [(1, N)]),
        ("docs/a.md", "See [it](../scripts/build.sh).\n", [(1, N)]),
        ("scripts/README.md", "[it](build.sh)\n", [(1, N)]),
        ("tsconfig.json", '{"include": ["scripts/*"]}\n', [(1, W)]),
        ("docs/a.md", "a build.sh of ours, other/scripts/build.sh.\n", []),
        ("scripts/a.md", "scripts/build.sh.bak, scripts/build\n", []),
        ("CHANGES/1.md", "scripts/build.sh\n", []),
        ("changes/1.md", "scripts/build.sh\n", []),
    ],
)
async def test_mentions_of_a_path_that_is_gone(
    tmp_path: Path, path: str, text: str, expected: list[tuple[int, Level]]
) -> None:
    found = await _said(tmp_path, {path: text, "scripts/build.sh": "ls\n"}, {path: text})
    assert found == [(path, line, "stale-mention", level) for line, level in expected]


async def test_a_path_that_is_there_from_the_files_own_folder_is_no_ghost(tmp_path: Path) -> None:
    rest = {"a/README.md": "See src/x.py.\n", "a/src/x.py": ""}
    assert await _said(tmp_path, rest | {"src/x.py": "x = 1\n"}, rest) == []


async def test_a_change_that_removes_nothing_is_silent(tmp_path: Path) -> None:
    before = {"a.py": "import gone_before\n", "docs/x.md": "nowhere/at/all.py\n"}
    assert await said(Ghosts(), tmp_path, before, before | {"b.py": "x = 1\n"}) is None


async def test_a_removal_without_references_is_silent(tmp_path: Path) -> None:
    assert await said(Ghosts(), tmp_path, PACKAGE, {"src/pkg/__init__.py": ""}) is None


async def test_a_search_that_was_cut_says_so_and_lowers_the_confidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = {"a.py": "x = 1\n", "b.py": "from old import f\n"}

    monkeypatch.setattr(analyzer, "HeadPass", partial(scan.HeadPass, max_files=1))
    signal = await said(Ghosts(), tmp_path, rest | {"old.py": "def f(): ...\n"}, rest)
    assert signal is not None
    assert places(signal) == []
    assert signal.limits == ("ghost references: 1 of 2 files were not searched: too much text",)


@given(
    st.text(st.sampled_from("ab\n c"), max_size=40),
    st.lists(st.text(st.sampled_from("abc"), min_size=1, max_size=2), max_size=3),
)
def test_lines_with_words_are_those_that_looking_at_each_finds(text: str, words: list[str]) -> None:
    one_by_one = [
        (number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if any(word in line for word in words)
    ]
    assert list(lines_with(text, words)) == one_by_one
