"""Where in a file of each kind imports are written, and a fast look at what it may import at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codevetter_verify.domain.graph.syntax import Import, imports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCRIPTS = frozenset({"ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"})
STYLES = frozenset({"css", "scss", "sass", "less", "styl", "pcss", "postcss"})
COMPONENTS = frozenset({"vue", "svelte", "astro"})
DOCUMENTS = frozenset({"mdx", "md", "markdown", "svx", "html"})
READ = SCRIPTS | STYLES | COMPONENTS | DOCUMENTS
"""Extensions of files that may import others."""

MAX_TEXT = 512 * 1024
"""Bytes of a file that is read; a larger one is generated, and its imports are not looked for."""

_GLANCE = re.compile(
    rb"""(?:from|import|require|URL|glob|glob<[^(]{0,200}>)\s*(?:\(\s*)?(?:\[\s*)?(?:/\*[^*]{0,200}\*/\s*)?["'`]([^"'`\n]+)["'`]"""
)
_BLOCK = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_SOURCE = re.compile(r"""\bsrc\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_LINKED = re.compile(
    r"""<(?:script|link|img|source)\b[^>]*?\b(?:src|href)\s*=\s*["']([^"'#?]+)""", re.IGNORECASE
)
_FRONT = re.compile(r"\A\s*---\r?\n(.*?)\n---", re.DOTALL)
_LAYOUT = re.compile(r"^layout:\s*[\"']?([^\"'\s]+)", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_STYLE_RULE = re.compile(
    r"""@(?:import|use|forward|reference|plugin|config)\s+(?:\([^)]*\)\s*)?(?:url\(\s*)?["']?([^"'\s;)]+)"""
    r"""|\bcomposes\s*:[^;]*?\bfrom\s+["']([^"']+)["']"""
)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def extension_of(path: str) -> str:
    """The last extension in lower case, without its dot."""
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def glance(path: str, content: bytes) -> set[str]:
    """Everything that may be an import's address; more than `imports_of` finds, never less."""
    if extension_of(path) in SCRIPTS:
        return {found.decode("utf-8", "replace") for found in _GLANCE.findall(content)}
    return {found.specifier for found in imports_of(path, content)}


def imports_of(path: str, content: bytes) -> tuple[Import, ...]:
    """The imports of a file, by its kind."""
    text = content.decode("utf-8", "replace")
    reader = _READERS.get(extension_of(path), _script)
    return tuple(reader(text))


def _script(text: str) -> Iterator[Import]:
    last = max(map(text.rfind, ("import", "from", "require", "URL")))
    line_end = text.find("\n", text.find("\n", last) + 1) if last >= 0 else 0
    # imports stand at the top: what follows the last of these words need not be read
    yield from imports(text if line_end < 0 else text[: line_end + 400])


def _style(text: str) -> Iterator[Import]:
    for rule, composed in _STYLE_RULE.findall(_STYLE_COMMENT.sub(" ", text)):
        address = rule or composed
        # a plain name is a neighbour in CSS and a package elsewhere; the resolver tries both
        yield Import(address if address.startswith((".", "/", "~", "@", "#", "$")) else f"./{address}")


def _blocks(text: str) -> Iterator[Import]:
    for tag, attributes, body in _BLOCK.findall(text):
        if source := _SOURCE.search(attributes):
            yield Import(source[1])
        yield from imports(body) if tag.lower() == "script" else _style(body)


def _astro(text: str) -> Iterator[Import]:
    if front := _FRONT.match(text):
        yield from imports(front[1])
        text = text[front.end() :]
    yield from _blocks(text)


def _markdown(text: str) -> Iterator[Import]:
    if front := _FRONT.match(text):
        yield from (Import(found) for found in _LAYOUT.findall(front[1]))
        text = text[front.end() :]
    yield from imports(_FENCE.sub("", text))


def _html(text: str) -> Iterator[Import]:
    for address in _LINKED.findall(text):
        if "://" not in address and not address.startswith(("//", "data:")):
            yield Import(address if address.startswith((".", "/")) else f"./{address}")
    for tag, _, body in _BLOCK.findall(text):
        yield from imports(body) if tag.lower() == "script" else _style(body)


_READERS: dict[str, Callable[[str], Iterator[Import]]] = {
    **dict.fromkeys(STYLES, _style),
    "vue": _blocks,
    "svelte": _blocks,
    "astro": _astro,
    **dict.fromkeys(("md", "mdx", "markdown", "svx"), _markdown),
    "html": _html,
}
