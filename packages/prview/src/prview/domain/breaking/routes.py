"""HTTP routes as web frameworks declare them, in code or (Next.js) by where a file lies."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.breaking.masking import arguments, masked
from prview.domain.breaking.promises import Promise, PromiseKind, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERB = r"(?:get|post|put|delete|patch|head|options|trace)"
_PYTHON_ROUTE = re.compile(
    rf"@[\w.]+\.({_VERB}|websocket|route|api_route)\s*\(\s*(?:path\s*=\s*|rule\s*=\s*)?[rf]?[\"']([^\"'\n]*)[\"']"
)
_PYTHON_METHODS = re.compile(r"methods\s*=\s*[\[({]([^\])}]*)")
_PYTHON_PREFIX_CALL = re.compile(r"\b(?:APIRouter|Blueprint|include_router|register_blueprint)\s*\(")
_PYTHON_PREFIX = re.compile(r"\b(?:url_)?prefix\s*=\s*[\"'](/[^\"'\n]+)[\"']")
_DJANGO_ROUTE = re.compile(r"\b(?:path|re_path|url)\s*\(\s*r?[\"']([^\"'\n]*)[\"']\s*,")
_SCRIPT_ROUTE = re.compile(
    rf"\b(?:app|router|server|fastify|\w+Router|\w+App)\.({_VERB}|all)\s*\(\s*[\"'`](/[^\"'`\n]*)[\"'`]\s*,"
)
_SCRIPT_PREFIX = re.compile(r"\b(?:app|router|server|\w+Router)\.use\s*\(\s*[\"'`](/[^\"'`\n]+)[\"'`]\s*,")
_NEST_ROUTE = re.compile(
    r"@(Get|Post|Put|Delete|Patch|Head|Options|All)\s*\(\s*(?:[\"'`]([^\"'`\n]*)[\"'`])?\s*\)"
)
_NEST_PREFIX = re.compile(r"@Controller\s*\(\s*[\"'`]([^\"'`\n]*)[\"'`]")
_NEXT_METHOD = re.compile(
    r"\bexport\s+(?:async\s+)?(?:function|const)\s+(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\b"
)
_RUST_ROUTE = re.compile(r"\.route\s*\(\s*\"(/[^\"\n]*)\"\s*,")
_RUST_VERB = re.compile(rf"\b({_VERB}|any)\s*\(")
_RUST_ATTRIBUTE = re.compile(rf"#\[({_VERB})\s*\(\s*\"(/[^\"\n]*)\"")
_RUST_RESOURCE = re.compile(r"\bweb::resource\s*\(\s*\"(/[^\"\n]*)\"")
_RUST_PREFIX = re.compile(r"(?:\.nest|\bweb::scope)\s*\(\s*\"(/[^\"\n]+)\"")
_GO_ROUTE = re.compile(
    r"\b(?!http\.|client\.|resp\.)\w+\.(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|Any|Get|Post|Put|Delete|Patch|Head|Options)\s*\(\s*\"(/[^\"\n]*)\"\s*,"
)
_GO_HANDLE = re.compile(r"\.(?:HandleFunc|Handle|Path)\s*\(\s*\"(?:([A-Z]+) )?([^\s\"]*/[^\"\n]*)\"")
_GO_PREFIX = re.compile(r"\.(?:Group|Route|PathPrefix)\s*\(\s*\"(/[^\"\n]+)\"")
_PARAMETER = re.compile(r"\{[^}]*\}|<[^>]*>|\[[^\]]*\]|(?<=/):\w+|(?<=/)\*\w*|\(\?P<[^>]*>[^)]*\)")
_WEB_WORDS = (
    "route",
    "Route",
    "path(",
    "url(",
    "app.",
    "@Get",
    "@Post",
    "@Put",
    "@Delete",
    "@Patch",
    "Handle",
    "GET",
    "POST",
    "#[get",
    "#[post",
    "#[put",
    "#[delete",
    "#[patch",
    "web::",
    ".get(",
    ".post(",
    ".put(",
    ".delete(",
    ".Get(",
    ".Post(",
    "Blueprint",
    ".nest(",
)


def routes(path: str, text: str, language: str, *, next_js: bool = False) -> list[Promise]:
    """The routes and prefixes that a file declares, in order. `next_js`: its project serves files by path."""
    found = list(_by_path(path, text)) if next_js else []
    if any(word in text for word in _WEB_WORDS):
        code = masked(text, language)
        read = {"Python": _python, "Rust": _rust, "Go": _go}.get(language, _script)
        found += read(code)
    return sorted(found, key=lambda promise: (promise.line, promise.name))


def _python(code: str) -> Iterator[Promise]:
    for match in _PYTHON_ROUTE.finditer(code):
        if not match[2].startswith("/") and match[2]:
            continue
        for verb in _python_verbs(code, match):
            yield _route(verb, match[2], line_of(code, match.start()))
    for call in _PYTHON_PREFIX_CALL.finditer(code):
        if found := _PYTHON_PREFIX.search(arguments(code, call.end() - 1)):
            yield _prefix(found[1], line_of(code, call.end() + found.start()))
    if "urlpatterns" in code:
        for match in _DJANGO_ROUTE.finditer(code):
            yield _route(
                "ANY",
                "/" + match[1].removeprefix("^").removesuffix("$").lstrip("/"),
                line_of(code, match.start()),
            )


def _python_verbs(code: str, match: re.Match[str]) -> list[str]:
    if match[1] not in {"route", "api_route"}:
        return [match[1].upper()]
    given = arguments(code, code.index("(", match.start()))
    listed = _PYTHON_METHODS.search(given)
    return re.findall(r"[A-Z]+", listed[1].upper()) if listed else ["GET"]


def _script(code: str) -> Iterator[Promise]:
    for match in _SCRIPT_ROUTE.finditer(code):
        yield _route("ANY" if match[1] == "all" else match[1].upper(), match[2], line_of(code, match.start()))
    for match in _SCRIPT_PREFIX.finditer(code):
        yield _prefix(match[1], line_of(code, match.start()))
    if "@Controller" in code:
        for match in _NEST_ROUTE.finditer(code):
            yield _route(match[1].upper(), "/" + (match[2] or "").lstrip("/"), line_of(code, match.start()))
        for match in _NEST_PREFIX.finditer(code):
            yield _prefix("/" + match[1].lstrip("/"), line_of(code, match.start()))


def _rust(code: str) -> Iterator[Promise]:
    for match in _RUST_ROUTE.finditer(code):
        where = line_of(code, match.start())
        verbs = _RUST_VERB.findall(arguments(code, code.index("(", match.start()))) or ["any"]
        for verb in verbs:
            yield _route(verb.upper(), match[1], where)
    for match in _RUST_ATTRIBUTE.finditer(code):
        yield _route(match[1].upper(), match[2], line_of(code, match.start()))
    for match in _RUST_RESOURCE.finditer(code):
        yield _route("ANY", match[1], line_of(code, match.start()))
    for match in _RUST_PREFIX.finditer(code):
        yield _prefix(match[1], line_of(code, match.start()))


def _go(code: str) -> Iterator[Promise]:
    for match in _GO_ROUTE.finditer(code):
        yield _route(match[1].upper(), match[2], line_of(code, match.start()))
    for match in _GO_HANDLE.finditer(code):
        yield _route(match[1] or "ANY", match[2], line_of(code, match.start()))
    for match in _GO_PREFIX.finditer(code):
        yield _prefix(match[1], line_of(code, match.start()))


def _by_path(path: str, text: str) -> Iterator[Promise]:
    """Next.js: `app/**/route.ts`, `app/**/page.tsx`, `pages/**`."""
    pure = PurePosixPath(path)
    parts = pure.parts[:-1]
    if "app" in parts and pure.stem in {"route", "page"}:
        url = _url(parts[parts.index("app") + 1 :])
        if pure.stem == "page":
            yield _route("GET", url, 1)
        for match in _NEXT_METHOD.finditer(text) if pure.stem == "route" else ():
            yield _route(match[1], url, line_of(text, match.start()))
    elif "pages" in parts and not pure.stem.startswith("_"):
        inner = parts[parts.index("pages") + 1 :]
        last = () if pure.stem == "index" else (pure.stem,)
        yield _route("ANY" if inner[:1] == ("api",) else "GET", _url((*inner, *last)), 1)


def _url(parts: tuple[str, ...]) -> str:
    """Folders in parentheses group, those with an at sign are slots: neither is part of an address."""
    return "/" + "/".join(part for part in parts if not part.startswith(("(", "@")))


def _route(verb: str, path: str, line: int) -> Promise:
    """The name of a parameter is not part of what a client calls."""
    return Promise(PromiseKind.ROUTE, f"{verb} {_PARAMETER.sub('{}', path)}", f"{verb} {path}", line)


def _prefix(path: str, line: int) -> Promise:
    return Promise(PromiseKind.PREFIX, _PARAMETER.sub("{}", path), path, line)
