"""Where imports are written in files of each kind."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.graph.languages import glance, imports_of


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("a.css", '@import "./b.css"; @import url(c.css); /* @import "d.css" */', ["./b.css", "./c.css"]),
        ("a.scss", "@use 'mixins';\n@forward './all';", ["./mixins", "./all"]),
        ("a.module.css", ".a { composes: b c from './b.css' }", ["./b.css"]),
        (
            "a.vue",
            "<script setup>import b from './b'</script><template>It's import x from './c'</template>",
            ["./b"],
        ),
        ("a.vue", "<script src='./b.ts'></script><style>@import './c.css'</style>", ["./b.ts", "./c.css"]),
        ("a.svelte", "<script>\nimport B from './B.svelte'\n</script>\n<p>Don't</p>", ["./B.svelte"]),
        (
            "a.astro",
            "---\nimport B from './B.astro'\n---\n<script>import './c'</script>",
            ["./B.astro", "./c"],
        ),
        ("a.md", "---\nlayout: ../L.astro\n---\n```js\nimport x from './x'\n```", ["../L.astro"]),
        ("a.mdx", "import { B } from './B'\n\nIt's <B/>", ["./B"]),
        (
            "a.html",
            "<script src='main.js'></script><link href='/a.css'><img src='//x.example/a.png'>",
            ["./main.js", "/a.css"],
        ),
    ],
)
def test_each_kind_of_file_is_read_where_it_imports(path: str, content: str, expected: list[str]) -> None:
    assert [found.specifier for found in imports_of(path, content.encode())] == expected


def test_the_glance_sees_all_that_the_reading_finds() -> None:
    """A file that the glance misses is never read, and its pages would be missed."""
    source = (
        b"import a from './a'\nimport'./b'\nconst c = require( './c' )\nimport( /* x */ `./d`)\n"
        b"export*from\"./e\"\nnew URL('./f', import.meta.url)\nimport.meta.glob('./g/*')\n"
    )
    assert {found.specifier for found in imports_of("x.ts", source)} <= glance("x.ts", source)
