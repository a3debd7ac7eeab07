"""What users of a changed Rust crate run into, on two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.breaking.rust import rust_breaks
from support.sides import Tree, told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.breaking.changes import Break

CRATE = {"Cargo.toml": '[package]\nname = "my-crate"\n'}


def _breaks(folder: Path, before: Tree, after: Tree, *, renamed: dict[str, str] | None = None) -> list[Break]:
    return rust_breaks(two_sides(folder, CRATE | before, CRATE | after, renamed=renamed))


def _lib(folder: Path, before: str, after: str) -> list[Break]:
    return _breaks(folder, {"src/lib.rs": before}, {"src/lib.rs": after})


BREAKING = {
    "a removed function": ("pub fn f() {}\npub fn g() {}", "pub fn g() {}", "removed", "f"),
    "a removed async function": ("pub async fn f() {}\npub fn g() {}", "pub fn g() {}", "removed", "f"),
    "a function that is pub(crate) now": ("pub fn f() {}", "pub(crate) fn f() {}", "removed", "f"),
    "a removed struct, once": ("pub struct S { pub a: u8 }\npub struct T;", "pub struct T;", "removed", "S"),
    "a removed constant": (
        "pub const A: u8 = 1;\npub const B: u8 = 1;",
        "pub const B: u8 = 1;",
        "removed",
        "A",
    ),
    "a removed static": ("pub static A: u8 = 1;\npub fn g() {}", "pub fn g() {}", "removed", "A"),
    "a removed alias": ("pub type A = u8;\npub fn g() {}", "pub fn g() {}", "removed", "A"),
    "a removed trait": ("pub trait A {}\npub fn g() {}", "pub fn g() {}", "removed", "A"),
    "a removed macro": ("#[macro_export]\nmacro_rules! m { () => {} }", "", "removed", "m!"),
    "a removed re-export": ("pub use std::fmt;\npub fn g() {}", "pub fn g() {}", "removed", "fmt"),
    "a removed method": (
        "pub struct S;\nimpl S { pub fn a(&self) {} pub fn b(&self) {} }",
        "pub struct S;\nimpl S { pub fn b(&self) {} }",
        "removed",
        "S::a",
    ),
    "a removed field": (
        "pub struct S { pub a: u8, pub b: u8, c: u8 }",
        "pub struct S { pub a: u8, c: u8 }",
        "removed",
        "S::b",
    ),
    "a removed variant": ("pub enum E { A, B }", "pub enum E { A }", "removed", "E::B"),
    "a new variant": ("pub enum E { A }", "pub enum E { A, B }", "member-added", "E::B"),
    "a new public field": (
        "pub struct S { pub a: u8 }",
        "pub struct S { pub a: u8, pub b: u8 }",
        "member-added",
        "S::b",
    ),
    "a first private field": (
        "pub struct S { pub a: u8 }",
        "pub struct S { pub a: u8, b: u8 }",
        "modifier-changed",
        "S",
    ),
    "a new required method of a trait": (
        "pub trait T { fn a(&self); }",
        "pub trait T { fn a(&self); fn b(&self); }",
        "member-added",
        "T::b",
    ),
    "a removed parameter": ("pub fn f(a: u8, b: u8) {}", "pub fn f(a: u8) {}", "parameter-removed", "f"),
    "a new parameter": ("pub fn f(a: u8) {}", "pub fn f(a: u8, b: u8) {}", "parameter-added-required", "f"),
    "another type": ("pub fn f(a: u8) {}", "pub fn f(a: u16) {}", "parameter-type-changed", "f"),
    "a reference": (
        "pub fn f(a: &S) {}\npub struct S;",
        "pub fn f(a: S) {}\npub struct S;",
        "parameter-type-changed",
        "f",
    ),
    "another self": (
        "pub struct S;\nimpl S { pub fn a(&self) {} }",
        "pub struct S;\nimpl S { pub fn a(&mut self) {} }",
        "parameter-type-changed",
        "S::a",
    ),
    "another result": ("pub fn f() -> u8 { 1 }", "pub fn f() -> Option<u8> { None }", "return-changed", "f"),
    "other bounds": (
        "pub fn f<T>(a: T) {}",
        "pub fn f<T>(a: T) where T: Clone {}",
        "generics-changed",
        "f",
    ),
    "unsafe": ("pub fn f() {}", "pub unsafe fn f() {}", "modifier-changed", "f"),
    "no longer const": ("pub const fn f() {}", "pub fn f() {}", "modifier-changed", "f"),
    "async": ("pub fn f() {}", "pub async fn f() {}", "modifier-changed", "f"),
    "a derive that went": (
        "#[derive(Debug, Clone)]\npub struct S;",
        "#[derive(Debug)]\npub struct S;",
        "base-removed",
        "S",
    ),
    "an inline module's function": (
        "pub mod m { pub fn f() {} pub fn g() {} }",
        "pub mod m { pub fn g() {} }",
        "removed",
        "m::f",
    ),
}


@pytest.mark.parametrize("case", BREAKING)
def test_what_breaks_is_found_once_under_its_path(tmp_path: Path, case: str) -> None:
    before, after, rule, symbol = BREAKING[case]
    found = _lib(tmp_path, before, after)
    assert told(found) == [(rule, f"my_crate::{symbol}")]
    assert found[0].level is Level.WARNING
    assert not found[0].heuristic


HARMLESS = {
    "another body": ("pub fn f() -> u8 { 1 }", "pub fn f() -> u8 { 2 }"),
    "a new function": ("pub fn f() {}", "pub fn f() {}\npub fn g() {}\npub async fn h() {}"),
    "a renamed parameter": ("pub fn f(a: u8) {}", "pub fn f(b: u8) {}"),
    "another layout": ("pub fn f(a: u8, b: &str) {}", "pub fn f(\n    a: u8,\n    b: &str,\n) {}"),
    "a mut binding": ("pub fn f(a: u8) {}", "pub fn f(mut a: u8) {}"),
    "pub(crate)": ("pub(crate) fn f() {}\npub fn g() {}", "pub fn g() {}"),
    "pub(super)": ("pub(super) struct S;\npub fn g() {}", "pub fn g() {}"),
    "a private function": ("fn f() {}\npub fn g() {}", "pub fn g() {}"),
    "a method of a private type": ("struct S;\nimpl S { pub fn f() {} }", "struct S;\nimpl S {}"),
    "a trait's implementation": (
        "pub struct S;\nimpl Clone for S { fn clone(&self) -> S { S } }",
        "pub struct S;\nimpl Clone for S { fn clone(&self) -> S { todo!() } }",
    ),
    "a test module": ("#[cfg(test)]\npub mod t { pub fn f() {} }\npub fn g() {}", "pub fn g() {}"),
    "a private inline module": ("mod m { pub fn f() {} }\npub fn g() {}", "mod m {}\npub fn g() {}"),
    "a variant of an open enum": (
        "#[non_exhaustive]\npub enum E { A }",
        "#[non_exhaustive]\npub enum E { A, B }",
    ),
    "a method with a default": (
        "pub trait T { fn a(&self); }",
        "pub trait T { fn a(&self); fn b(&self) {} }",
    ),
    "a private field beside another": ("pub struct S { a: u8 }", "pub struct S { a: u8, b: u8 }"),
    "a hidden item": ("#[doc(hidden)]\npub fn f() {}\npub fn g() {}", "pub fn g() {}"),
    "a derive that came": ("pub struct S;", "#[derive(Debug)]\npub struct S;"),
    "a function that is passed on now": ("pub fn min() {}", "pub use std::cmp::min;"),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_users_do_not_notice_is_not_a_break(tmp_path: Path, case: str) -> None:
    before, after = HARMLESS[case]
    assert told(_lib(tmp_path, before, after)) == []


def test_it_says_where_how_it_was_and_what_it_does_to_callers(tmp_path: Path) -> None:
    one = _lib(
        tmp_path,
        "pub async fn load<T: Clone>(\n    id: u32,\n) -> Result<T, Error> {\n    todo!()\n}\n",
        "// new\npub async fn load<T: Clone>() -> Result<T, Error> {\n    todo!()\n}\n",
    )[0]
    assert (one.path, one.line) == ("src/lib.rs", 2)
    assert one.old == "pub async fn load<T: Clone>( id: u32, ) -> Result<T, Error>"
    assert one.new == "pub async fn load<T: Clone>() -> Result<T, Error>"


# --- modules --------------------------------------------------------------------------------------------


def test_a_removed_module_is_said_once_at_its_old_path(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"src/lib.rs": "pub mod a;\npub fn x() {}", "src/a.rs": "pub fn f() {}\npub struct S;"},
        {"src/lib.rs": "pub fn x() {}"},
    )
    assert told(found) == [("module-removed", "my_crate::a")]
    assert (found[0].path, found[0].gone) == ("src/a.rs", True)


def test_a_module_that_became_a_folder_is_the_same(tmp_path: Path) -> None:
    lib = {"src/lib.rs": "pub mod a;"}
    found = _breaks(
        tmp_path,
        lib | {"src/a.rs": "pub fn f() {}\npub fn g() {}"},
        lib | {"src/a/mod.rs": "pub fn g() {}"},
        renamed={"src/a.rs": "src/a/mod.rs"},
    )
    assert told(found) == [("removed", "my_crate::a::f")]
    assert found[0].path == "src/a/mod.rs"


def test_an_item_that_moved_behind_pub_use_is_still_there(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"src/lib.rs": "pub fn f() {}\npub struct S;\npub fn k() {}"},
        {
            "src/lib.rs": "mod b;\npub use b::{f, S};\npub fn k() {}",
            "src/b.rs": "pub fn f() {}\npub struct S;",
        },
    )
    assert told(found) == []


def test_a_star_passes_on_only_what_is_there(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"src/lib.rs": "pub fn f() {}\npub fn g() {}"},
        {"src/lib.rs": "mod b;\npub use b::*;", "src/b.rs": "pub fn f() {}"},
    )
    assert told(found) == [("removed", "my_crate::g")]


def test_a_method_that_moved_with_its_impl_is_compared(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {
            "src/lib.rs": "mod b;\npub struct S;\nimpl S { pub fn f(&self) {} pub fn g(&self) {} }",
            "src/b.rs": "",
        },
        {
            "src/lib.rs": "mod b;\npub struct S;",
            "src/b.rs": "use crate::S;\nimpl S { pub fn f(&self) {} pub fn g(&self, a: u8) {} }",
        },
    )
    assert told(found) == [("parameter-added-required", "my_crate::S::g")]


@pytest.mark.parametrize(
    ("lib", "level"),
    [
        ("pub mod a;", Level.WARNING),
        ("mod a;", Level.NOTE),
        ("mod a;\npub use a::f;", Level.WARNING),
        ("mod a;\npub use a::*;", Level.WARNING),
        ("mod a;\npub use crate::a::{f as load};", Level.WARNING),
    ],
)
def test_what_no_public_path_reaches_is_a_note(tmp_path: Path, lib: str, level: Level) -> None:
    found = _breaks(
        tmp_path,
        {"src/lib.rs": lib, "src/a.rs": "pub fn f(a: u8) {}"},
        {"src/lib.rs": lib, "src/a.rs": "pub fn f() {}"},
    )
    assert [(item.rule, item.level) for item in found] == [("parameter-removed", level)]


def test_a_program_has_no_users(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"src/main.rs": "mod a;\npub fn m() {}", "src/a.rs": "pub fn f() {}"},
        {"src/main.rs": "mod a;", "src/a.rs": ""},
    )
    assert [(item.symbol, item.level) for item in found] == [("my_crate::a::f", Level.NOTE)]


def test_crates_of_a_workspace_are_told_apart(tmp_path: Path) -> None:
    manifests = {
        "crates/one/Cargo.toml": '[package]\nname = "one"\n',
        "crates/two/Cargo.toml": '[package]\nname = "two"\n',
    }
    found = _breaks(
        tmp_path,
        manifests | {"crates/one/src/lib.rs": "pub fn f() {}", "crates/two/src/lib.rs": "pub fn k() {}"},
        manifests | {"crates/one/src/lib.rs": "", "crates/two/src/lib.rs": "pub fn k() {}\npub fn f() {}"},
    )
    assert told(found) == [("removed", "one::f")]


@pytest.mark.parametrize("path", ["tests/it.rs", "benches/b.rs", "examples/e.rs", "build.rs", "src/bin/x.rs"])
def test_tests_and_programs_are_nobodys_interface(tmp_path: Path, path: str) -> None:
    assert _breaks(tmp_path, {path: "pub fn f() {}"}, {path: ""}) == []


def test_a_file_with_a_syntax_error_is_said_and_costs_no_other_file(tmp_path: Path) -> None:
    lib = {"src/lib.rs": "pub mod a;\npub mod b;"}
    work = two_sides(
        tmp_path,
        CRATE | lib | {"src/a.rs": "pub fn f() {}", "src/b.rs": "pub fn g() {}"},
        CRATE | lib | {"src/a.rs": "pub fn fn {}", "src/b.rs": ""},
    )
    assert told(rust_breaks(work)) == [("removed", "my_crate::b::g")]
    assert list(work.head.unread) == ["src/a.rs"]
