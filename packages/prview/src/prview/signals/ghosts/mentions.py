"""Texts that still name a path, a module or a name of one that is gone: documents, settings, strings.

Found by pattern: whether the mention matters is for the reader to say.
"""

from __future__ import annotations

import posixpath
import re
from functools import cached_property
from typing import TYPE_CHECKING

from prview.domain.coverage import language
from prview.domain.findings import Level
from prview.signals.ghosts.model import Reference
from prview.signals.roles import is_configuration, is_document, is_test, tells_history

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from prview.signals.ghosts.model import Gone
    from prview.signals.own import Own

_TOKEN = re.compile(r"(?<![\w@./-])[\w@./*-]*[\w*-]")
_QUOTES = "\"'`"
_LINKED = re.compile(r"\]\(<?$|:\s*$|(?:include|image|literalinclude|toctree)::\s*$")
_DOTTED = re.compile(r"(?<![\w./-])\w+(?:[.:]\w+)+")
_IMPORT = re.compile(r"\bfrom\s+([\w.]+)\s+import\s+([\w, ]+)")


class Mentions:
    """Looks for the gone paths and modules in texts."""

    def __init__(self, own: Own, gone: Gone) -> None:
        self._own = own
        self._gone = gone

    @cached_property
    def words(self) -> frozenset[str]:
        """Words, one of which every line with a mention has."""
        names = [posixpath.basename(path) for path in (*self._gone.files, *self._gone.folders)]
        names += [dotted.rpartition(".")[2] for dotted in self._gone.modules]
        longest = (max(re.findall(r"\w+", name) or [""], key=len) for name in names)
        return frozenset(word for word in longest if word)

    @cached_property
    def _names(self) -> dict[str, frozenset[str]]:
        """The lost names by every way to write their module: `shop.cart`, and `cart` for what people read."""
        found: dict[str, frozenset[str]] = {}
        for dotted, names in self._gone.names.items():
            for module in {dotted, dotted.rpartition(".")[2]}:
                found[module] = found.get(module, frozenset()) | names
        return found

    @cached_property
    def _owners(self) -> frozenset[str]:
        """The last word of every module that lost names: nobody names one of those without it."""
        return frozenset(dotted.rpartition(".")[2] for dotted in self._gone.names)

    @cached_property
    def _lost(self) -> frozenset[str]:
        return frozenset(name for names in self._gone.names.values() for name in names)

    def of(self, path: str, text: str, words: AbstractSet[str]) -> list[Reference]:
        """The mentions of one file with these words, at most one a line and target."""
        telling, owners, lost = self.words & words, self._owners & words, self._lost & words
        if not (telling or (owners and lost)) or tells_history(path):
            return []
        told = dict(lines_with(text, telling))
        told |= {
            number: line
            for number, line in lines_with(text, owners if lost else ())
            if any(name in line for name in lost)
        }
        found: dict[tuple[int, str], Reference] = {}
        for number, line in sorted(told.items()):
            for item in self._of_line(path, number, line):
                found.setdefault((number, item.target), item)
        return list(found.values())

    def _of_line(self, path: str, number: int, line: str) -> Iterator[Reference]:
        for match in _TOKEN.finditer(line):
            target = self._target(path, line, match)
            if target:
                what = f"names {target}, which the change removed"
                yield self._reference(path, number, line, match, target, what, self._gone.files.get(target))
        for match in _DOTTED.finditer(line):
            dotted = match.group().replace(":", ".")
            if module := self._module(dotted):
                what = f"names the module {module}, which the change removed"
                yield self._reference(path, number, line, match, module, what, self._gone.modules[module].now)
            elif name := self._name(path, dotted):
                what = f"names {name}, which the change removed"
                yield self._reference(path, number, line, match, name, what, None)
        for match in _IMPORT.finditer(line):
            lost = self._gone.names.get(match[1], frozenset()).intersection(re.findall(r"\w+", match[2]))
            for name in sorted(lost):
                what = f"imports {name} from {match[1]}, which no longer has it"
                yield self._reference(path, number, line, match, f"{match[1]}.{name}", what, None)

    def _target(self, path: str, line: str, match: re.Match[str]) -> str | None:
        """The gone file or folder that a word of the line names, from the root or from the file's folder."""
        token = match.group().rstrip(".")
        if "/" not in token and not self._is_name_enough(path, line, match):
            return None
        from_root = posixpath.normpath(token.lstrip("/"))
        from_here = posixpath.normpath(posixpath.join(posixpath.dirname(path), token))
        candidates = (from_root, from_here)
        if not self._own.head.paths.isdisjoint(candidates):
            return None
        return next((hit for item in candidates if (hit := self._file_or_folder(item))), None)

    def _file_or_folder(self, candidate: str) -> str | None:
        """The gone file that a path is, or the gone folder that it is or lies in."""
        if candidate in self._gone.files:
            return candidate
        parts = candidate.split("/")
        inside = ("/".join(parts[:count]) for count in range(len(parts), 0, -1))
        return next((folder for folder in inside if folder in self._gone.folders), None)

    @staticmethod
    def _is_name_enough(path: str, line: str, match: re.Match[str]) -> bool:
        """A bare file name means the file next to it in settings and links only."""
        return is_configuration(path) or bool(_LINKED.search(line[: match.start()]))

    def _module(self, dotted: str) -> str | None:
        parts = dotted.split(".")
        names = (".".join(parts[:count]) for count in range(len(parts), 1, -1))
        return next((name for name in names if name in self._gone.modules), None)

    def _name(self, path: str, dotted: str) -> str | None:
        """The lost name that a dotted one is or belongs to; documents may leave out a module's packages."""
        parts = dotted.split(".")
        for count in range(len(parts) - 1, 0, -1):
            module, name = ".".join(parts[:count]), parts[count]
            known = self._names if is_document(path) else self._gone.names
            if name in known.get(module, ()):
                return f"{module}.{name}"
        return None

    @staticmethod
    def _reference(
        path: str, number: int, line: str, match: re.Match[str], target: str, what: str, now: str | None
    ) -> Reference:
        return Reference("stale-mention", _level(path, line, match), path, number, target, what, now)


def lines_with(text: str, words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Number and text of every line with one of the words: found by searching the text, not line by line."""
    starts: set[int] = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            starts.add(text.rfind("\n", 0, at) + 1)
            end = text.find("\n", at)
            at = text.find(word, end) if end >= 0 else -1
    number, seen = 1, 0
    for start in sorted(starts):
        number += text.count("\n", seen, start)
        seen, end = start, text.find("\n", start)
        yield number, text[start : end if end >= 0 else len(text)]


def _level(path: str, line: str, match: re.Match[str]) -> Level:
    """Settings and strings of programs are obeyed; documents, comments and tests are only read."""
    if is_test(path) or is_document(path):
        return Level.NOTE
    if is_configuration(path) or language(path) is None:
        return Level.WARNING
    before, after = line[: match.start()][-1:], line[match.end() :][:1]
    quoted = before != "" and before in _QUOTES and after != "" and after in f"{_QUOTES}:"
    return Level.WARNING if quoted else Level.NOTE
