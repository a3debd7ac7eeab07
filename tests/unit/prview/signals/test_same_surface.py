"""The shortcuts past reading whole files must never hide a changed interface."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.changed_part import changed_part
from prview.signals.breaking import go_symbols, rust_files, typescript_modules
from prview.signals.breaking.grammar import GrammarError, same_surface
from prview.signals.breaking.python_reading import PythonSyntaxError, read_module
from prview.signals.breaking.python_surface import same_surface as same_python_surface

if TYPE_CHECKING:
    from prview.domain.breaking.symbols import Symbol

TYPESCRIPT = """\
import { a } from './a';
/* one
comment */
export function load(
  id: string,
  retry = 3,
): string {
  const t = `text
export const fake = 1;
`;
  return t;
}

@Decorated()
export class Client<T> extends Base {
  private secret = 1;
  constructor(public name: string) { super(); }
  send(data: T): void {
    if (data) {
      work();
    }
  }
}
export const f = (x: number) => {
  return x;
};
export interface Props {
  id: string;
  name?: string;
}
export * from './b';
"""
RUST = """\
use std::fmt;
#[derive(Clone)]
pub struct S<T> {
    pub a: u8,
    b: T,
}
impl<T> S<T> {
    pub fn new(a: u8) -> Self {
        let x = r"
pub fn fake() {}
";
        Self { a }
    }
}
pub trait Run {
    fn run(&self);
    fn stop(&self) {
        done();
    }
}
pub enum E { A, B(u8) }
pub fn f<T>(a: T)
where
    T: Clone,
{
    body();
}
pub use fmt::Debug;
"""
GO = """\
package a

import "fmt"

// Client is one.
type Client struct {
	Name string
	age  int
}

func (c *Client) Send(
	data []byte,
) error {
	x := `
func Fake() {}
`
	return do(x)
}

const (
	A = iota
	B
)

type I interface {
	M(x int) error
}

var V = func() int {
	return 1
}()

func F(a, b int) (int, error) {
	return a, nil
}
"""
PYTHON = '''\
"""Module
def fake(): ...
"""
import os

__all__ = ["f", "C"]


def f(
    a,
    b="x",
):
    """Text
def inside(): ...
    """
    return a


class C:
    """Class."""

    field: int = 1

    def __init__(self, x):
        self.x = x
        y = """
z
"""

    async def m(self): return 1


if os.name:
    def g(): ...
else:
    g = None
'''


def _typescript(text: str) -> object:
    module = typescript_modules.read_module("m.ts", text)
    return _bare(module.api), set(module.forwards), set(module.stars), module.unread_line is None


def _rust(text: str) -> object:
    file = rust_files.read_file("m.rs", "", text)
    return _bare(file.api), file.modules, file.uses, file.globs


def _go(text: str) -> object:
    file = go_symbols.read_file("m.go", text)
    return _bare(file.api), file.package


def _bare(api: dict[str, Symbol]) -> dict[str, Symbol]:
    """Interfaces without the places of their parts."""
    return {name: replace(symbol, line=0) for name, symbol in api.items()}


_READ = {"typescript": _typescript, "rust": _rust, "go": _go}
_TEXTS = {"typescript": TYPESCRIPT, "rust": RUST, "go": GO}


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """The text with a few lines dropped, doubled, moved or put in from elsewhere."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "double", "copy", "blank"]))
        if kind == "drop":
            del lines[at]
        elif kind == "double":
            lines.insert(at, lines[at])
        elif kind == "copy":
            lines.insert(at, draw(st.sampled_from(text.split("\n"))))
        else:
            lines.insert(at, "")
        if not lines:
            return ""
    return "\n".join(lines)


@pytest.mark.parametrize("language", _TEXTS)
def test_a_changed_body_keeps_the_surface(language: str) -> None:
    text = _TEXTS[language]
    body = {"typescript": "      work();\n", "rust": "    body();\n", "go": "\treturn a, nil\n"}[language]
    assert body in text
    assert same_surface(language, text, text.replace(body, body + body))
    assert same_surface(language, text, text)


@given(st.sampled_from(sorted(_TEXTS)), st.data())
def test_no_changed_interface_has_the_same_surface(language: str, data: st.DataObject) -> None:
    """Whatever is edited: where reading the whole file sees a difference, so does the shortcut."""
    old = _TEXTS[language]
    new = data.draw(edits(old))
    if not same_surface(language, old, new):
        return
    try:
        now = _READ[language](new)
    except GrammarError:
        return  # cut off from the rest, the edited part reads well; it is not what anybody compiles
    assert now == _READ[language](old)


@given(edits(PYTHON))
def test_no_changed_python_interface_has_the_same_surface(new: str) -> None:
    if not same_python_surface(PYTHON, new):
        return
    try:
        after = read_module("m", "m.py", new)[0]
    except PythonSyntaxError:
        return
    before = read_module("m", "m.py", PYTHON)[0]
    assert after.exported == before.exported
    assert list(after.members) == list(before.members)
    for name, member in before.members.items():
        mine, other = getattr(member, "members", {}), getattr(after.members[name], "members", {})
        assert list(mine) == list(other)


@given(st.lists(st.sampled_from(["a", " b", "}", "`", "/*", "*/", ""]), max_size=12), st.data())
def test_both_parts_stand_between_the_same_lines(lines: list[str], data: st.DataObject) -> None:
    old = "\n".join(lines)
    new = data.draw(edits(old))
    parts = changed_part(old, new)
    if parts is None or old == new:
        return
    one, other = parts
    before = old[: old.index(one)] if one else None
    assert before is None or new.startswith(before)
    assert len(old) - len(one) == len(new) - len(other) or not one or not other


def test_a_cut_inside_of_a_long_text_is_refused() -> None:
    old = "a = `\nb\n`\nc\n"
    assert changed_part(old, old.replace("b", "`")) is None
