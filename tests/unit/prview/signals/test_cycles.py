"""Import cycles that a change closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.cycles import graph
from prview.signals.cycles.analyzer import ARTIFACT, Cycles
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

PY = {
    "pkg/__init__.py": "",
    "pkg/a.py": "from pkg import b\n",
    "pkg/b.py": "from .c import x\n",
    "pkg/c.py": "x = 1\n",
}
TS = {"web/a.ts": "import { b } from './b';\n", "web/b.ts": "export const b = 1;\n"}


async def test_an_import_that_closes_a_ring_is_found_at_its_line(tmp_path: Path) -> None:
    signal = await said(Cycles(), tmp_path, PY, PY | {"pkg/c.py": "x = 1\nfrom pkg import a\n"})
    assert signal is not None
    assert places(signal) == [("pkg/c.py", 2, "import-cycle")]
    assert signal.findings[0].level is Level.WARNING
    assert "pkg/c.py -> pkg/a.py -> pkg/b.py -> pkg/c.py" in signal.findings[0].message
    assert signal.artifacts[0].path == ARTIFACT
    assert signal.data["cycles"] == [["pkg/c.py", "pkg/a.py", "pkg/b.py"]]


async def test_scripts_go_round_too(tmp_path: Path) -> None:
    after = TS | {"web/b.ts": "import { a } from './a.js';\nexport const b = 1;\n"}
    assert places(await said(Cycles(), tmp_path, TS, after)) == [("web/b.ts", 1, "import-cycle")]


async def test_a_ring_of_two_new_files_is_said_once(tmp_path: Path) -> None:
    after = {"p/__init__.py": "", "p/a.py": "from p import b\n", "p/b.py": "from p import a\n"}
    assert places(await said(Cycles(), tmp_path, {}, after)) == [("p/a.py", 1, "import-cycle")]


async def test_a_package_and_its_module_may_be_a_ring(tmp_path: Path) -> None:
    before = {"p/__init__.py": "from p.a import x\n", "p/a.py": "x = 1\n"}
    after = before | {"p/a.py": "from p import y\nx = 1\n"}
    assert places(await said(Cycles(), tmp_path, before, after)) == [("p/a.py", 1, "import-cycle")]


RING = {"p/__init__.py": "", "p/a.py": "import p.b\n", "p/b.py": "import p.a\n", "p/c.py": "import p.a\n"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            PY, PY | {"pkg/c.py": "def f():\n    from pkg import a\n"}, id="when a function is called"
        ),
        pytest.param(
            PY,
            PY | {"pkg/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg import a\n"},
            id="for types",
        ),
        pytest.param(PY, PY | {"pkg/d.py": "from pkg import a\n"}, id="no way back"),
        pytest.param(RING, RING | {"p/a.py": "import p.b\nx = 1\n"}, id="a ring that was there"),
        pytest.param(RING, RING | {"p/c.py": "import p.a\nimport p.b\n"}, id="into a ring"),
        pytest.param(TS, TS | {"web/b.ts": "import type { A } from './a';\n"}, id="types of scripts"),
        pytest.param(TS, TS | {"web/b.ts": "const a = () => import('./a');\n"}, id="dynamic"),
        pytest.param(
            {"a.go": "package a\n"},
            {"a.go": 'package a\nimport "b"\n', "b.go": 'package b\nimport "a"\n'},
            id="Go",
        ),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: Tree, after: Tree) -> None:
    assert await said(Cycles(), tmp_path, before, after) is None


async def test_a_ring_that_moved_with_its_files_is_not_new(tmp_path: Path) -> None:
    after = {
        "p/__init__.py": "",
        "p/z.py": "import p.b\n",
        "p/b.py": "import p.z\n",
        "p/c.py": "import p.z\n",
    }
    assert await said(Cycles(), tmp_path, RING, after, renamed={"p/a.py": "p/z.py"}) is None


async def test_a_way_that_is_too_long_to_follow_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "MAX_FILES", 2)
    signal = await said(Cycles(), tmp_path, PY, PY | {"pkg/c.py": "x = 1\nfrom pkg import a\n"})
    assert signal is not None
    assert signal.findings == ()
    assert len(signal.limits) == 1
