"""What scripts import and export."""

from __future__ import annotations

import pytest

from prview.signals.script_imports import ScriptImport, exports, resolve, script_imports

TEXT = """\
import a, { b as c, type D } from "./x";
import type { E } from './t';
import "./side.css";
export { f as g } from "./y";
export * as ns from "./n";
const z = require("./z"); other("./no");
const l = () => import('./lazy');
export const q = 1, { r, s: u } = v;
export default function () {}
export type T = string;
export async function h() {}
export { i, j as k };
// import "./comment";
const text = 'import "./string"';
"""


@pytest.mark.parametrize("grammar", ["typescript", "tsx"])
def test_every_form_of_import_is_read(grammar: str) -> None:
    assert script_imports(TEXT, grammar) == [
        ScriptImport("./x", 1, names=("b", "D")),
        ScriptImport("./t", 2, names=("E",), type_only=True),
        ScriptImport("./side.css", 3),
        ScriptImport("./y", 4, names=("f",)),
        ScriptImport("./n", 5),
        ScriptImport("./z", 6, lazy=True),
        ScriptImport("./lazy", 7, lazy=True),
    ]


def test_every_form_of_export_is_read() -> None:
    assert exports(TEXT, "typescript") == {"g", "ns", "q", "r", "u", "default", "T", "h", "i", "k"}
    assert exports("export * from './x';", "javascript") is None


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("./a", "web/a.ts"),
        ("./a.js", "web/a.ts"),
        ("../web/a?raw", "web/a.ts"),
        ("./folder", "web/folder/index.tsx"),
        ("./style.css", "web/style.css"),
        ("./data", "web/data.json"),
        ("./none", None),
        ("react", None),
        ("../../../etc/passwd", None),
    ],
)
def test_relative_specifiers_name_files(specifier: str, expected: str | None) -> None:
    paths = frozenset({"web/a.ts", "web/folder/index.tsx", "web/style.css", "web/data.json"})
    assert resolve(specifier, "web/use.ts", paths) == expected
