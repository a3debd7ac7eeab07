"""Nuxt's imports that nobody writes: components by their tag, composables and utilities by their name.

See nuxt.com, "Auto-imports".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codevetter_verify.domain.graph.languages import SCRIPTS, extension_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codevetter_verify.domain.graph.modules import Modules

_COMPONENT = re.compile(r"(?:app/|src/)?components/(.+)\.(?:vue|tsx|jsx)")
_HELPER = re.compile(r"(?:app/|src/)?(?:composables|utils)/[^/]+\.(?:ts|js|mjs)")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def implicit_importers(path: str, project: str, modules: Modules) -> Iterator[str]:
    """The files of `project` that use `path` without an import."""
    inside = path.removeprefix(project)
    if component := _COMPONENT.fullmatch(inside):
        yield from _mentioning(_tag(component[1]), path, project, modules)
    elif _HELPER.fullmatch(inside):
        names = (modules.exports(path) or frozenset()) - {"default"}
        words = "|".join(re.escape(name) for name in sorted(names))
        if words:
            yield from _mentioning(re.compile(rf"\b(?:{words})\b".encode()), path, project, modules)


def _tag(inside: str) -> re.Pattern[bytes]:
    """`base/foo/Button` is `<BaseFooButton>`, `<base-foo-button>` and each of them lazily."""
    words: list[str] = []
    for part in inside.removesuffix(".client").removesuffix(".server").split("/"):
        split = [word.lower() for word in _WORD.findall(part)]
        while words and split[: len(words)] == words:  # a name repeats what its folders say
            split = split[len(words) :]
        words += split if part != "index" else []
    pascal, kebab = "".join(map(str.capitalize, words)), "-".join(words)
    return re.compile(rf"<(?:Lazy{pascal}|{pascal}|lazy-{kebab}|{kebab})[\s/>]".encode())


def _mentioning(pattern: re.Pattern[bytes], path: str, project: str, modules: Modules) -> Iterator[str]:
    for other, content in modules.texts.items():
        used = extension_of(other) == "vue" or extension_of(other) in SCRIPTS
        if used and other != path and other.startswith(project) and pattern.search(content):
            yield other
