"""What a module imports, read from its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.graph.syntax import Import, exported_names, imports


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a from './a'", Import("./a", frozenset({"default"}))),
        ("import './a'", Import("./a")),
        ("import * as a from './a'", Import("./a")),
        ("import a, { b as c, type D } from './a'", Import("./a", frozenset({"default", "b"}))),
        ("import {\n  b,\n  c,\n} from './a'", Import("./a", frozenset({"b", "c"}))),
        ('import{b}from"./a"', Import("./a", frozenset({"b"}))),
        ("import type from './a'", Import("./a", frozenset({"default"}))),
        ("const a = require('./a')", Import("./a", kind="dynamic")),
        ("const a = await import(/* later */ './a')", Import("./a", kind="dynamic")),
        ("new Worker(new URL('./a.ts', import.meta.url))", Import("./a.ts", kind="dynamic")),
        (
            "export { a, b as c } from './a'",
            Import("./a", frozenset({"a", "b"}), exported=(("a", "a"), ("b", "c"))),
        ),
        ("export * from './a'", Import("./a", exported=(("*", "*"),))),
        ("export * as a from './a'", Import("./a", exported=(("*", "a"),))),
        ("import.meta.glob<Page>(['./a/*.md'])", Import("./a/*.md", kind="glob")),
    ],
)
def test_an_import_is_found_with_what_it_takes(source: str, expected: Import) -> None:
    assert imports(source) == (expected,)


@pytest.mark.parametrize(
    "source",
    [
        "// import a from './a'",
        "/* import a from './a' */",
        "const text = \"import a from './a'\"",
        "const text = `\nimport a from './a'\n`",
        "import type { A } from './a'",
        "import type A from './a'",
        "import { type A, type B } from './a'",
        "export type { A } from './a'",
        "type A = typeof import('./a')",
        "import(`./${name}`)",
    ],
)
def test_what_a_page_never_loads_is_no_import(source: str) -> None:
    assert imports(source) == ()


def test_an_apostrophe_in_a_page_hides_no_import_of_another_line() -> None:
    source = "import a from './a'\nconst p = <p>Don't</p>\nconst b = import('./b')"
    assert [found.specifier for found in imports(source)] == ["./a", "./b"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("export const a = 1\nexport function b() {}", {"a", "b"}),
        ("export default class A {}", {"default"}),
        ("const a = 1\nexport { a as b, type C }", {"b"}),
        ("export { a as b } from './a'", {"b"}),
        ("export async function a() {}", {"a"}),
    ],
)
def test_a_module_tells_what_it_exports(source: str, names: set[str]) -> None:
    assert exported_names(source) == frozenset(names)


@pytest.mark.parametrize("source", ["export * from './a'", "module.exports = {}", "export const { a } = b"])
def test_exports_that_cannot_be_told_are_not_guessed(source: str) -> None:
    assert exported_names(source) is None


@given(st.text(alphabet="import from'\"`/*{}\n\\$x.", max_size=200))
def test_no_text_is_too_odd_to_read(text: str) -> None:
    """Source in the middle of an edit is normal; nothing of it may end a run."""
    assert all(isinstance(found.specifier, str) for found in imports(text))
