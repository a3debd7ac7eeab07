"""What importers of a changed Go package run into, on two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.breaking.golang import go_breaks
from support.sides import Tree, told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.breaking.changes import Break

MODULE = {"go.mod": "module example.com/m\n\ngo 1.23\n"}


def _breaks(folder: Path, before: Tree, after: Tree, *, renamed: dict[str, str] | None = None) -> list[Break]:
    return go_breaks(two_sides(folder, MODULE | before, MODULE | after, renamed=renamed))


def _file(folder: Path, before: str, after: str) -> list[Break]:
    return _breaks(folder, {"a/a.go": f"package a\n{before}\n"}, {"a/a.go": f"package a\n{after}\n"})


BREAKING = {
    "a removed function": ("func F() {}\nfunc G() {}", "func G() {}", "removed", "F"),
    "a function that is unexported now": ("func F() {}", "func f() {}", "removed", "F"),
    "a removed type, once": ("type T struct { A int }\nfunc G() {}", "func G() {}", "removed", "T"),
    "a removed constant": ("const (\n\tA = iota\n\tB\n)", "const (\n\tA = iota\n)", "removed", "B"),
    "a removed variable": ("var V = 1\nfunc G() {}", "func G() {}", "removed", "V"),
    "a removed method": (
        "type T struct{}\nfunc (t *T) A() {}\nfunc (t *T) B() {}",
        "type T struct{}\nfunc (t *T) B() {}",
        "removed",
        "T.A",
    ),
    "a removed field": (
        "type T struct {\n\tA int\n\tB int\n}",
        "type T struct {\n\tA int\n}",
        "removed",
        "T.B",
    ),
    "a removed method of an interface": (
        "type I interface {\n\tA()\n\tB()\n}",
        "type I interface {\n\tA()\n}",
        "removed",
        "I.B",
    ),
    "a new method of an interface": (
        "type I interface {\n\tA()\n}",
        "type I interface {\n\tA()\n\tB()\n}",
        "member-added",
        "I.B",
    ),
    "a removed parameter": ("func F(a, b int) {}", "func F(a int) {}", "parameter-removed", "F"),
    "a new parameter": ("func F(a int) {}", "func F(ctx Ctx, a int) {}", "parameter-added-required", "F"),
    "another type": ("func F(a int) {}", "func F(a string) {}", "parameter-type-changed", "F"),
    "another order": ("func F(a int, b string) {}", "func F(b string, a int) {}", "parameter-reordered", "F"),
    "another result": (
        "func F() int { return 1 }",
        "func F() (int, error) { return 1, nil }",
        "return-changed",
        "F",
    ),
    "another field type": (
        "type T struct {\n\tA int\n}",
        "type T struct {\n\tA string\n}",
        "type-changed",
        "T.A",
    ),
    "other type parameters": (
        "func F[T any](a T) {}",
        "func F[T comparable](a T) {}",
        "generics-changed",
        "F",
    ),
    "another underlying type": ("type T int", "type T string", "type-changed", "T"),
    "an embedded type that went": (
        "type T struct {\n\tBase\n\tA int\n}",
        "type T struct {\n\tA int\n}",
        "base-removed",
        "T",
    ),
    "a method of a generic type": (
        "type L[T any] struct{}\nfunc (l *L[T]) Add(a T) {}",
        "type L[T any] struct{}\nfunc (l *L[T]) Add() {}",
        "parameter-removed",
        "L.Add",
    ),
}


@pytest.mark.parametrize("case", BREAKING)
def test_what_breaks_is_found_once_under_its_import_path(tmp_path: Path, case: str) -> None:
    before, after, rule, symbol = BREAKING[case]
    found = _file(tmp_path, before, after)
    assert told(found) == [(rule, f"example.com/m/a.{symbol}")]
    assert found[0].level is Level.WARNING
    assert not found[0].heuristic


HARMLESS = {
    "another body": ("func F() int { return 1 }", "func F() int { return 2 }"),
    "a new function": ("func F() {}", "func F() {}\nfunc G() {}"),
    "a renamed parameter": ("func F(a int) {}", "func F(b int) {}"),
    "named results": (
        "func F() (int, error) { return 0, nil }",
        "func F() (n int, err error) { return 0, nil }",
    ),
    "options behind the rest": ("func F(a int) {}", "func F(a int, opts ...Option) {}"),
    "grouped parameters": ("func F(a int, b int) {}", "func F(a, b int) {}"),
    "an unexported function": ("func f() {}\nfunc G() {}", "func G() {}"),
    "a method of an unexported type": ("type t struct{}\nfunc (t) A() {}", "type t struct{}"),
    "a new field": ("type T struct {\n\tA int\n}", "type T struct {\n\tA int\n\tB int\n}"),
    "another tag": ("type T struct {\n\tA int\n}", 'type T struct {\n\tA int `json:"a"`\n}'),
    "a method of a sealed interface": (
        "type I interface {\n\ta()\n}",
        "type I interface {\n\ta()\n\tB()\n}",
    ),
    "a new constant": ("const A = 1", "const (\n\tA = 1\n\tB = 2\n)"),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_importers_do_not_notice_is_not_a_break(tmp_path: Path, case: str) -> None:
    before, after = HARMLESS[case]
    assert told(_file(tmp_path, before, after)) == []


def test_it_says_where_how_it_was_and_what_it_does_to_callers(tmp_path: Path) -> None:
    one = _file(
        tmp_path,
        "func (c *Client) Send(ctx context.Context, data []byte) (int, error) {\n\treturn 0, nil\n}\ntype Client struct{}",
        "// Client is one.\ntype Client struct{}\n\nfunc (c *Client) Send(data []byte) (int, error) {\n\treturn 0, nil\n}",
    )[0]
    assert (one.path, one.line, one.symbol) == ("a/a.go", 5, "example.com/m/a.Client.Send")
    assert one.old == "func (c *Client) Send(ctx context.Context, data []byte) (int, error)"
    assert one.new == "func (c *Client) Send(data []byte) (int, error)"


def test_a_pointer_receiver_is_a_note(tmp_path: Path) -> None:
    found = _file(tmp_path, "type T struct{}\nfunc (t T) A() {}", "type T struct{}\nfunc (t *T) A() {}")
    assert [(item.rule, item.level) for item in found] == [("modifier-changed", Level.NOTE)]


# --- packages -------------------------------------------------------------------------------------------


def test_a_name_that_moved_within_its_package_is_compared(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"a/a.go": "package a\nfunc F() {}\nfunc G() {}\n"},
        {"a/a.go": "package a\n", "a/b.go": "package a\nfunc F() {}\nfunc G(x int) {}\n"},
    )
    assert told(found) == [("parameter-added-required", "example.com/m/a.G")]
    assert found[0].path == "a/b.go"


def test_a_removed_package_is_said_once_at_its_old_path(tmp_path: Path) -> None:
    found = _breaks(tmp_path, {"a/a.go": "package a\nfunc F() {}\n", "a/b.go": "package a\ntype T int\n"}, {})
    assert told(found) == [("module-removed", "example.com/m/a")]
    assert (found[0].path, found[0].gone) == ("a/a.go", True)
    assert "F, T" in found[0].what


def test_a_moved_package_breaks_its_imports(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"a/a.go": "package a\nfunc F() {}\nfunc G() {}\n"},
        {"b/a.go": "package b\nfunc F() {}\n"},
        renamed={"a/a.go": "b/a.go"},
    )
    assert told(found) == [("module-renamed", "example.com/m/a"), ("removed", "example.com/m/a.G")]


def test_an_internal_package_is_a_note(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"internal/a/a.go": "package a\nfunc F() {}\n"},
        {"internal/a/a.go": "package a\n"},
    )
    assert [(item.symbol, item.level) for item in found] == [("example.com/m/internal/a.F", Level.NOTE)]


@pytest.mark.parametrize(
    ("path", "package"), [("cmd/x/main.go", "main"), ("a/a_test.go", "a"), ("testdata/a.go", "a")]
)
def test_programs_and_tests_are_nobodys_interface(tmp_path: Path, path: str, package: str) -> None:
    assert (
        _breaks(tmp_path, {path: f"package {package}\nfunc F() {{}}\n"}, {path: f"package {package}\n"}) == []
    )


def test_modules_of_a_monorepo_are_told_apart(tmp_path: Path) -> None:
    nested = {"svc/go.mod": "module example.com/svc\n"}
    found = _breaks(
        tmp_path,
        nested | {"svc/api/api.go": "package api\nfunc F() {}\n"},
        nested | {"svc/api/api.go": "package api\n"},
    )
    assert told(found) == [("removed", "example.com/svc/api.F")]


def test_a_file_with_a_syntax_error_is_said_and_its_package_left_alone(tmp_path: Path) -> None:
    work = two_sides(
        tmp_path,
        MODULE | {"a/a.go": "package a\nfunc F() {}\n", "b/b.go": "package b\nfunc G() {}\n"},
        MODULE | {"a/a.go": "package a\nfunc F( {\n", "b/b.go": "package b\n"},
    )
    assert told(go_breaks(work)) == [("removed", "example.com/m/b.G")]
    assert list(work.head.unread) == ["a/a.go"]
