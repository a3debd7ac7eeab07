"""Node: `pnpm-lock.yaml`, read by its indentation: pnpm writes it in one form only."""

from __future__ import annotations

import re

from prview.signals.dependencies.model import NODE, Lock, Package

_KEY = re.compile(r"^(?P<indent> *)(?P<quote>['\"]?)(?P<key>[^'\"\n]+?)(?P=quote):(?:\s+(?P<value>.*))?$")
_PACKAGE = re.compile(r"^/?(?P<name>@[^@/]+/[^@/(]+|[^@/(]+)[@/](?P<version>[^(_\s]+)")
_GROUPS = frozenset({"dependencies", "devDependencies", "optionalDependencies"})
_FOREIGN = re.compile(r"^(?:git|https?:|file:|link:)|github\.com|codeload")


def pnpm_lock(text: str) -> Lock:
    """Its packages and, for every importer, what its manifest asked for."""
    packages: dict[tuple[str, str], Package] = {}
    wants: dict[str, dict[str, str]] = {}
    path: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _KEY.match(line)
        if not match:
            continue
        indent, value = len(match["indent"]), (match["value"] or "").strip().strip("'\"")
        path = [*(step for step in path if step[0] < indent), (indent, match["key"])]
        keys = tuple(key for _, key in path)
        if keys[0] == "packages" and len(keys) == 2:  # noqa: PLR2004 - packages, then the package
            _enter(packages, keys[1], number)
        elif keys[0] == "packages" and keys[2:] == ("requiresBuild",) and value == "true":
            _needs_build(packages, keys[1])
        else:
            _enter_wanted(wants, keys, value)
    return Lock(NODE, tuple(packages.values()), wants)


def _enter(packages: dict[tuple[str, str], Package], key: str, line: int) -> None:
    match = _PACKAGE.match(key)
    if not match:
        return
    version = match["version"]
    source = version if _FOREIGN.search(version) else None
    packages.setdefault((match["name"], version), Package(match["name"], version, line, source=source))


def _needs_build(packages: dict[tuple[str, str], Package], key: str) -> None:
    match = _PACKAGE.match(key)
    known = packages.get((match["name"], match["version"])) if match else None
    if known:
        packages[known.name, known.version] = Package(
            known.name, known.version, known.line, source=known.source, install_script=True
        )


def _enter_wanted(wants: dict[str, dict[str, str]], keys: tuple[str, ...], value: str) -> None:
    """`importers: {folder: {dependencies: {name: {specifier: …}}}}`, or `specifiers: {name: …}` before."""
    if keys[0] == "importers" and keys[-1] == "specifier" and len(keys) == 5 and keys[2] in _GROUPS:  # noqa: PLR2004
        wants.setdefault("" if keys[1] == "." else keys[1], {})[keys[3]] = value
    elif keys[0] == "specifiers" and len(keys) == 2:  # noqa: PLR2004 - specifiers, then the name
        wants.setdefault("", {})[keys[1]] = value
