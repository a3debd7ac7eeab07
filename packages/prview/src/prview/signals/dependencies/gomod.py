"""Go: `go.mod` and `go.sum`."""

from __future__ import annotations

import re

from prview.signals.dependencies.model import GO, Lock, Manifest, Package, Requirement

_REQUIRE = re.compile(r"^\s*(?:require\s+)?(?P<name>[\w.~/-]+\.[\w.~/-]+)\s+(?P<version>v\S+)(?P<rest>.*)$")
_REPLACE = re.compile(r"^\s*(?:replace\s+)?(?P<name>\S+)(?:\s+v\S+)?\s+=>\s+(?P<target>\S+)(?:\s+v\S+)?\s*$")
_BLOCK = re.compile(r"^\s*(?P<word>\w+)\s*\(\s*$")


def go_mod(text: str) -> Manifest:
    """The modules a `go.mod` requires; `// indirect` ones are transitive, replaced ones have a source."""
    required: list[tuple[re.Match[str], int]] = []
    replaced: dict[str, str] = {}
    block = ""
    for number, line in enumerate(text.split("\n"), 1):
        opening = _BLOCK.match(line)
        if opening or line.strip() == ")":
            block = opening["word"] if opening else ""
            continue
        word = block or line.split(None, 1)[0] if line.strip() else ""
        if word == "require" and (match := _REQUIRE.match(line)):
            required.append((match, number))
        elif word == "replace" and (match := _REPLACE.match(line)):
            replaced[match["name"]] = match["target"]
    return Manifest(
        GO,
        tuple(
            Requirement(
                match["name"],
                match["version"],
                number,
                source=replaced.get(match["name"]),
                transitive="// indirect" in match["rest"],
            )
            for match, number in required
        ),
    )


def go_sum(text: str) -> Lock:
    """The modules a `go.sum` has the digest of: more than are used, so they only answer what is missing."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if len(words) == 3 and not words[1].endswith("/go.mod"):  # noqa: PLR2004 - module, version, digest
            found.append(Package(words[0], words[1], number))
    return Lock(GO, tuple(found))
