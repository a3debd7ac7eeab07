"""From the address of an import to a file, as bundlers do it."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.graph.resolve import Resolver

TREE = {
    "src/a.ts": "",
    "src/b/index.tsx": "",
    "src/c.vue": "",
    "src/_mixins.scss": "",
    "src/private.ts": "",
    "packages/ui/src/index.ts": "",
    "packages/ui/src/deep/thing.ts": "",
    "packages/bare/index.js": "",
    "shared/x.ts": "",
    "tsconfig.json": '{"extends": "./tsconfig.paths.json"}',
    "tsconfig.paths.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./src/*"], "x": ["shared/x.ts"]}}}',
    "vite.config.ts": "export default { resolve: { alias: { '#app': fileURLToPath(new URL('./src', import.meta.url)), $b: './src/b' } } }",
    "package.json": '{"name": "root", "imports": {"#own": {"default": "./src/private.ts"}}}',
    "packages/ui/package.json": '{"name": "@acme/ui", "main": "./dist/index.js"}',
    "packages/bare/package.json": '{"name": "bare"}',
}


@pytest.mark.parametrize(
    ("specifier", "path"),
    [
        ("./a", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./b", "src/b/index.tsx"),
        ("../src/c.vue?raw", "src/c.vue"),
        ("./mixins", "src/_mixins.scss"),
        ("@/a", "src/a.ts"),
        ("src/a", "src/a.ts"),
        ("x", "shared/x.ts"),
        ("#app/a", "src/a.ts"),
        ("$b", "src/b/index.tsx"),
        ("#own", "src/private.ts"),
        ("@acme/ui", "packages/ui/src/index.ts"),
        ("@acme/ui/deep/thing", "packages/ui/src/deep/thing.ts"),
        ("bare", "packages/bare/index.js"),
        ("react", None),
        ("@/gone", None),
        ("../../outside", None),
        ("./page", None),
    ],
)
def test_an_address_means_a_file_or_nothing(specifier: str, path: str | None) -> None:
    resolver = Resolver(TREE, {name: text.encode() for name, text in TREE.items() if "." in name and text})
    assert resolver.resolve("src/page.ts", specifier) == path


def test_a_configuration_that_extends_itself_is_read_once() -> None:
    looping = {"tsconfig.json": b'{"extends": "./tsconfig.json", "references": [{"path": "."}]}', "a.ts": b""}
    assert Resolver(looping, looping).resolve("b.ts", "@/a") is None
