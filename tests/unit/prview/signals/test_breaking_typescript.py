"""What importers of changed TypeScript and JavaScript files run into, on two trees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.breaking.typescript import typescript_breaks
from support.sides import Tree, told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.breaking.changes import Break


def _breaks(folder: Path, before: Tree, after: Tree, *, renamed: dict[str, str] | None = None) -> list[Break]:
    return typescript_breaks(two_sides(folder, before, after, renamed=renamed))


def _file(folder: Path, before: str, after: str, *, path: str = "lib/m.ts") -> list[Break]:
    return _breaks(folder, {path: before}, {path: after})


BREAKING = {
    "a removed function": (
        "export function f() {}\nexport const x = 1;",
        "export const x = 1;",
        "removed",
        "f",
    ),
    "a renamed function": ("export function f() {}", "export function g() {}", "removed", "f"),
    "an export that is no longer one": ("export function f() {}", "function f() {}", "removed", "f"),
    "a removed constant": ("export const a = 1, b = 2;", "export const b = 2;", "removed", "a"),
    "a removed arrow function": ("export const f = () => 1;", "const f = () => 1;", "removed", "f"),
    "a removed default": (
        "export default function f() {}\nexport const x = 1;",
        "export const x = 1;",
        "removed",
        "default",
    ),
    "a removed class, once": (
        "export class C { f() {} }\nexport const x = 1;",
        "export const x = 1;",
        "removed",
        "C",
    ),
    "a removed method": ("export class C { f() {} g() {} }", "export class C { g() {} }", "removed", "C.f"),
    "a method that became private": (
        "export class C { f() {} }",
        "export class C { private f() {} }",
        "removed",
        "C.f",
    ),
    "a removed type": ("export type T = string;\nexport type U = 1;", "export type U = 1;", "removed", "T"),
    "a removed property of an interface": (
        "export interface I { a: string; b: number }",
        "export interface I { a: string }",
        "removed",
        "I.b",
    ),
    "a removed enum member": ("export enum E { A, B }", "export enum E { A }", "removed", "E.B"),
    "a removed alternative": (
        "export type T = 'a' | 'b' | 'c';",
        "export type T = 'a' | 'c';",
        "removed",
        'T."b"',
    ),
    "an export list that lost a name": (
        "const a = 1, b = 2;\nexport { a, b as c };",
        "const a = 1, b = 2;\nexport { a };",
        "removed",
        "c",
    ),
    "a removed parameter": (
        "export function f(a: number, b: string) {}",
        "export function f(a: number) {}",
        "parameter-removed",
        "f",
    ),
    "a new required parameter": (
        "export async function f(a: number) {}",
        "export async function f(a: number, b: string) {}",
        "parameter-added-required",
        "f",
    ),
    "a parameter that is no longer optional": (
        "export const f = (a?: number) => a;",
        "export const f = (a: number) => a;",
        "parameter-required",
        "f",
    ),
    "another parameter type": (
        "export function f(a: number) {}",
        "export function f(a: string) {}",
        "parameter-type-changed",
        "f",
    ),
    "another return type": (
        "export function f(): number { return 1 }",
        "export function f(): string { return '' }",
        "return-changed",
        "f",
    ),
    "other generics": (
        "export function f<T>(a: T) {}",
        "export function f<T extends object>(a: T) {}",
        "generics-changed",
        "f",
    ),
    "another constructor": (
        "export class C { constructor(a: number) {} }",
        "export class C { constructor(a: number, b: number) {} }",
        "parameter-added-required",
        "C",
    ),
    "another property type": (
        "export interface I { a: string }",
        "export interface I { a: number }",
        "type-changed",
        "I.a",
    ),
    "a property that became readonly": (
        "export interface I { a: string }",
        "export interface I { readonly a: string }",
        "modifier-changed",
        "I.a",
    ),
    "another base class": (
        "export class C extends A {}",
        "export class C extends B {}",
        "base-removed",
        "C",
    ),
    "a removed overload": (
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}",
        "export function f(a: string): void;\nexport function f(a: boolean): void;\nexport function f(a: any) {}",
        "overload-removed",
        "f",
    ),
    "a name of a namespace": (
        "export namespace N { export const a = 1; export const b = 2 }",
        "export namespace N { export const b = 2 }",
        "removed",
        "N.a",
    ),
}


@pytest.mark.parametrize("case", BREAKING)
@pytest.mark.parametrize("path", ["index.ts", "types.ts"])
def test_what_breaks_is_found_once(tmp_path: Path, case: str, path: str) -> None:
    before, after, rule, symbol = BREAKING[case]
    found = _file(tmp_path, before, after, path=path)
    assert told(found) == [(rule, f"{symbol} ({path})")]
    assert found[0].level is Level.WARNING
    assert not found[0].heuristic


HARMLESS = {
    "another body": (
        "export function f(a: number) { return a }",
        "export function f(a: number) { return a + 1 }",
    ),
    "another body of an arrow function": (
        "export const f = (a: number) => a;",
        "export const f = (a: number) => { return a };",
    ),
    "a new function": ("export function f() {}", "export function f() {}\nexport async function g() {}"),
    "a new optional parameter": ("export function f(a: number) {}", "export function f(a: number, b?: 1) {}"),
    "a new parameter with a default": ("export function f() {}", "export function f(b = 1) {}"),
    "a renamed parameter": ("export function f(a: number) {}", "export function f(b: number) {}"),
    "a rest parameter": ("export function f() {}", "export function f(...a: string[]) {}"),
    "another layout": (
        "export function f(a: { x: 'y'; z: number }, b: string[]): void {}",
        'export function f(\n  a: {\n    x: "y",\n    z: number,\n  },\n  b: string[],\n): void {\n}',
    ),
    "a comment in a signature": (
        "export function f(a: number) {}",
        "export function f(a: /* px */ number) {}",
    ),
    "a list instead of a keyword": ("export const a = 1;", "const a = 1;\nexport { a };"),
    "a private member": (
        "export class C { private a = 1; #b = 2; x = 1 }",
        "export class C { x = 1 }",
    ),
    "a new alternative with a leading bar": (
        "export type T = 'a' | 'b';",
        "export type T =\n  | 'a'\n  | 'b';",
    ),
    "another value": ("export const a = 1;", "export const a = 2;"),
    "what is not exported": ("function f() {}\nexport const x = 1;", "export const x = 1;"),
    "undefined in an optional property": (
        "export interface I { a?: string }",
        "export interface I { a?: string | undefined }",
    ),
    "a new optional property": ("export interface I { a: 1 }", "export interface I { a: 1; b?: 2 }"),
    "a syntax error in a body": (
        "export function f() { return 1 }",
        "export function f() { return ((( }\n",
    ),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_callers_do_not_notice_is_not_a_break(tmp_path: Path, case: str) -> None:
    before, after = HARMLESS[case]
    assert told(_file(tmp_path, before, after)) == []


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("export interface I { a: 1 }", "export interface I { a: 1; b: 2 }", "member-added"),
        ("export type T = 'a';", "export type T = 'b';", "type-changed"),
        ("export type T = 'a' | 'b';", "export type T = 'a' | 'b' | 'c';", "member-added"),
        ("export interface I { a: 1 }", "export interface I { a?: 1 }", "modifier-changed"),
    ],
)
def test_types_that_may_be_compatible_say_so(tmp_path: Path, before: str, after: str, rule: str) -> None:
    assert [item.rule for item in _file(tmp_path, before, after)] == [rule]


def test_it_says_where_how_it_was_and_what_it_does_to_callers(tmp_path: Path) -> None:
    one = _file(
        tmp_path,
        "// top\nexport async function load<T>(\n  id: string,\n  retry = 3,\n): Promise<T> {\n  return x;\n}\n",
        "export async function load<T>(retry = 3): Promise<T> {\n  return x;\n}\n",
        path="src/load.ts",
    )[0]
    assert (one.path, one.line, one.symbol) == ("src/load.ts", 1, "load (src/load.ts)")
    assert one.old == "async function load<T>( id: string, retry = 3, ): Promise<T>"
    assert one.new == "async function load<T>(retry = 3): Promise<T>"
    assert (one.what, one.effect) == ("lost its parameter id", "calls that pass it fail")


def test_a_declaration_file_is_an_interface_and_not_configuration(tmp_path: Path) -> None:
    found = _file(
        tmp_path,
        "export declare function f(a: number): void;\nexport declare const b: string;\n",
        "export declare const b: string;\n",
        path="types/index.d.ts",
    )
    assert told(found) == [("removed", "f (types/index.d.ts)")]


@pytest.mark.parametrize("path", ["src/a.test.ts", "__tests__/a.ts", "vite.config.ts", "src/a.stories.tsx"])
def test_tests_and_configuration_are_nobodys_interface(tmp_path: Path, path: str) -> None:
    assert _file(tmp_path, "export const a = 1;", "export const b = 1;", path=path) == []


# --- files ----------------------------------------------------------------------------------------------


def test_a_removed_file_is_said_once_at_its_old_path(tmp_path: Path) -> None:
    found = _breaks(tmp_path, {"a.ts": "export const x = 1;\nexport const y = 1;\n"}, {})
    assert told(found) == [("module-removed", "a.ts")]
    assert (found[0].path, found[0].gone) == ("a.ts", True)
    assert "x, y" in found[0].what


def test_a_renamed_file_breaks_its_imports(tmp_path: Path) -> None:
    text = "export const x = 1;\nexport function f() {}\n"
    found = _breaks(tmp_path, {"a.ts": text}, {"b.ts": text}, renamed={"a.ts": "b.ts"})
    assert told(found) == [("module-renamed", "a.ts")]
    assert (found[0].path, found[0].gone) == ("b.ts", False)


@pytest.mark.parametrize("now", ["a.tsx", "a/index.ts", "a.js"])
def test_a_file_that_imports_still_reach_is_the_same(tmp_path: Path, now: str) -> None:
    found = _breaks(
        tmp_path,
        {"a.ts": "export const x = 1;\nexport const y = 1;\n"},
        {now: "export const x = 1;\n"},
        renamed={"a.ts": now},
    )
    assert told(found) == [("removed", "y (a.ts)")]


# --- re-exports -----------------------------------------------------------------------------------------

LIBRARY = {"package.json": json.dumps({"name": "lib", "main": "./dist/index.js"})}


def test_an_export_that_moved_behind_a_re_export_is_still_there(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"a.ts": "export function f(x: number) {}\nexport const k = 1;\n"},
        {
            "a.ts": "export { f } from './b';\nexport const k = 1;\n",
            "b.ts": "export function f(x: number) {}\n",
        },
    )
    assert told(found) == []


def test_an_export_that_moved_behind_a_star_is_compared(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"a.ts": "export function f(x: number) {}\n"},
        {"a.ts": "export * from './b.js';\n", "b.ts": "export function f() {}\n"},
    )
    assert told(found) == [("parameter-removed", "f (a.ts)")]
    assert found[0].path == "b.ts"


def test_an_export_that_the_package_takes_from_elsewhere_now_is_still_there(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        LIBRARY
        | {
            "src/index.ts": "export { f } from './a';\n",
            "src/a.ts": "export const f = () => 1;\nexport const k = 1;\n",
        },
        LIBRARY
        | {
            "src/index.ts": "export { f } from './b';\n",
            "src/a.ts": "export const k = 1;\n",
            "src/b.ts": "export const f = () => 1;\n",
        },
    )
    assert told(found) == []


def test_what_the_package_exports_is_named_as_its_users_know_it(tmp_path: Path) -> None:
    index = {"src/index.ts": "export { f as load } from './a';\nexport * from './sub';\n"}
    sub = {"src/sub/index.ts": "export * from './deep';\n"}
    found = _breaks(
        tmp_path,
        LIBRARY
        | index
        | sub
        | {"src/a.ts": "export function f(x: 1) {}\n", "src/sub/deep.ts": "export const d: 1 = 1;\n"},
        LIBRARY
        | index
        | sub
        | {"src/a.ts": "export function f() {}\n", "src/sub/deep.ts": "export const d: 2 = 2;\n"},
    )
    assert told(found) == [("parameter-removed", "load (src/index.ts)"), ("type-changed", "d (src/index.ts)")]
    assert {item.level for item in found} == {Level.WARNING}


def test_an_export_and_its_re_export_that_go_together_are_said_once(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        LIBRARY
        | {
            "src/index.ts": "export { f, k } from './a';\n",
            "src/a.ts": "export const f = () => 1;\nexport const k = 1;\n",
        },
        LIBRARY | {"src/index.ts": "export { k } from './a';\n", "src/a.ts": "export const k = 1;\n"},
    )
    assert told(found) == [("removed", "f (src/index.ts)")]
    assert found[0].path == "src/a.ts"


def test_a_removed_re_export_is_a_removed_name(tmp_path: Path) -> None:
    same = {"src/a.ts": "export const f = 1;\n", "src/b.ts": "export const g = 1;\n"}
    found = _breaks(
        tmp_path,
        LIBRARY | same | {"src/index.ts": "export { f } from './a';\nexport * from './b';\n"},
        LIBRARY | same | {"src/index.ts": "export const x = 1;\n"},
    )
    assert told(found) == [("removed", "f (src/index.ts)"), ("removed", "g (src/index.ts)")]


def test_what_no_entry_exports_is_a_note_that_says_why(tmp_path: Path) -> None:
    same = LIBRARY | {"src/index.ts": "export const x = 1;\n"}
    found = _breaks(
        tmp_path, same | {"src/a.ts": "export const f = 1;\n"}, same | {"src/a.ts": "export {};\n"}
    )
    assert [(item.rule, item.level) for item in found] == [("removed", Level.NOTE)]
    assert found[0].note == "Not exported by src/index.ts: only code of this package is affected."


def test_a_private_application_has_no_users(tmp_path: Path) -> None:
    app = {"web/package.json": json.dumps({"private": True})}
    found = _breaks(tmp_path, app | {"web/a.ts": "export const f = 1;\n"}, app | {"web/a.ts": "export {};\n"})
    assert [item.level for item in found] == [Level.NOTE]
    assert "private" in found[0].note


def test_a_private_package_of_a_monorepo_has_users_through_its_entry(tmp_path: Path) -> None:
    manifest = {"packages/ui/package.json": json.dumps({"private": True, "exports": {".": "./src/index.ts"}})}
    index = {"packages/ui/src/index.ts": "export * from './button';\n"}
    found = _breaks(
        tmp_path,
        manifest
        | index
        | {"packages/ui/src/button.tsx": "export const Button = (p: P) => <a/>;\nexport const x = 1;\n"},
        manifest | index | {"packages/ui/src/button.tsx": "export const x = 1;\n"},
    )
    assert told(found) == [("removed", "Button (packages/ui/src/index.ts)")]
    assert found[0].level is Level.WARNING


def test_a_moved_export_says_where_it_is_now(tmp_path: Path) -> None:
    found = _breaks(
        tmp_path,
        {"a.ts": "export const f = 1;\nexport const k = 1;\n", "b.ts": "export const x = 1;\n"},
        {"a.ts": "export const k = 1;\n", "b.ts": "export const x = 1;\nexport const f = 1;\n"},
    )
    assert told(found) == [("removed", "f (a.ts)")]
    assert found[0].note == "A f is new in b.ts."


# --- JavaScript -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "rule", "symbol"),
    [
        ("module.exports = { a, b: 1 };\nfunction a() {}", "module.exports = { b: 1 };", "removed", "a"),
        ("exports.a = () => 1;\nexports.b = 1;", "exports.b = 1;", "removed", "a"),
        ("export function f(a, b) {}", "export function f(a) {}", "parameter-removed", "f"),
        ("export function f(a) {}", "export function f(a, b) {}", "parameter-added-required", "f"),
        ("export class A extends B { m() {} }", "export class A extends B {}", "removed", "A.m"),
        ("export default { a: 1 };\nexport const x = 1", "export const x = 1", "removed", "default"),
    ],
)
def test_javascript_exports_are_read_too(
    tmp_path: Path, before: str, after: str, rule: str, symbol: str
) -> None:
    found = _file(tmp_path, before, after, path="m.js")
    assert told(found) == [(rule, f"{symbol} (m.js)")]
    assert found[0].language == "JavaScript"


def test_a_call_with_too_many_arguments_still_runs_in_javascript(tmp_path: Path) -> None:
    found = _file(tmp_path, "export function f(a) {}", "export function f() {}", path="m.mjs")
    assert found[0].effect == "what calls pass for it is ignored"


# --- what cannot be read --------------------------------------------------------------------------------


def test_what_the_grammar_does_not_know_is_said_and_the_rest_is_compared(tmp_path: Path) -> None:
    """What is missing from a file that was read in part may still be in the other part."""
    work = two_sides(
        tmp_path,
        {"a.ts": "export function f(a: 1) {}\nexport const a = 1;\n", "b.ts": "export const b = 1;\n"},
        {"a.ts": "export function f() {}\nexport const = = 1;\n", "b.ts": "export {};\n"},
    )
    assert told(typescript_breaks(work)) == [("parameter-removed", "f (a.ts)"), ("removed", "b (b.ts)")]
    assert work.limits == ["a.ts has syntax in line 2 that cannot be read: only the rest was compared"]


def test_re_exports_in_a_circle_end(tmp_path: Path) -> None:
    same = {"a.ts": "export * from './b';\n", "b.ts": "export * from './a';\n"}
    found = _breaks(
        tmp_path,
        same | {"index.ts": "export * from './a';\nexport const x = 1;\n"},
        same | {"index.ts": "export * from './a';\n"},
    )
    assert told(found) == [("removed", "x (index.ts)")]
