"""What a change does to the settings of checking tools, file by file."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from prview.signals.suppressions.in_force import adds_to, in_force
from prview.signals.suppressions.model import Suppression
from prview.signals.suppressions.programs import RULE, SCRIPT_ENDS, lost_lines
from prview.signals.suppressions.setting_files import IGNORE_FILES, reader_for, reader_of
from prview.signals.suppressions.weaker import Weaker, weaker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prview.domain.change import ChangedFile
    from prview.signals.own import Own
    from prview.signals.suppressions.setting_files import Keys, Reader, Settings

_MANY = 3
_WORKFLOW = re.compile(
    r"^(?:.*/)?(?:\.github/(?:workflows|actions)/.*|\.gitlab-ci|azure-pipelines)[^/]*\.ya?ml$"
)
_LENIENT = re.compile(
    r"^\s*(continue-on-error:\s*true|allow_failure:\s*true|fail_ci_if_error:\s*false)\b|(\|\|\s*(?:true|:))\s*$"
)
_LINTED = re.compile(r"(?:^|/)eslint\.config\.[cm]?[jt]s$")
_OFF = re.compile(r"""(["'][\w@/-]+["']\s*:\s*\[?\s*(?:["']off["']|0\b))|\b(ignores\s*:)""")


class SettingChanges:
    """Compares both sides of every file of settings. `limits` says what could not be read.

    `referenced` are files that settings take in, with their tools.
    """

    def __init__(self, own: Own, referenced: Mapping[str, str]) -> None:
        self._own = own
        self._referenced = referenced
        self.limits: list[str] = []
        self._arrived = self._tools_that_arrived()

    def of(self, file: ChangedFile) -> list[tuple[ChangedFile, Suppression]]:
        """What one changed file lets pass from now on, each with the file where it stands."""
        path = file.path if file.exists else file.old_path or file.path
        if posixpath.basename(path) in IGNORE_FILES:
            return [(file, item) for item in _left_out(file)]
        found = list(_by_pattern(file, self._referenced))
        lost = None if found else lost_lines(self._own, file, self._referenced)
        return [*self._compared(file), *((file, item) for item in [*found, *([lost] if lost else [])])]

    def _compared(self, file: ChangedFile) -> Iterator[tuple[ChangedFile, Suppression]]:
        before, after = self._read(file, head=False), self._read(file, head=True)
        if before is None or after is None:
            return
        for tool, old in before.items():
            there, new = (file, after[tool]) if after.get(tool) else self._arrived.get(tool, (file, {}))
            yield from ((there, item) for item in _all_weaker(there, tool, old, new))
        for tool in after.keys() - before.keys():
            yield from ((file, item) for item in self._set_up(file, tool, after[tool]))

    def _set_up(self, file: ChangedFile, tool: str, new: Mapping[Keys, object]) -> Iterator[Suppression]:
        """What gets weaker where a file begins to set a tool up: it may take the place of another file."""
        if self._moved(tool):
            return  # compared where it comes from
        old = in_force(self._own.base, file.path, tool)
        if old:
            yield from _all_weaker(file, tool, old, old | dict(new) if adds_to(tool, new) else new)
        elif file.status not in {"A", "C"} and self._is_first(tool):
            yield from _all_weaker(file, tool, {}, new)

    def _moved(self, tool: str) -> bool:
        """Whether a changed file set the tool up and no longer does."""
        return any(
            (self._read(file, head=False) or {}).get(tool)
            and not (self._read(file, head=True) or {}).get(tool)
            for file in self._own.files
        )

    def _is_first(self, tool: str) -> bool:
        """Whether no changed file set the tool up before: what comes from another is compared there."""
        return not any((self._read(file, head=False) or {}).get(tool) for file in self._own.files)

    def _read(self, file: ChangedFile, *, head: bool) -> Settings | None:
        """The settings of one side; None where they cannot be told."""
        path = file.path if head else file.old_path or file.path
        read = self._reader(path)
        if read is None:
            return None
        text = self._own.after(file) if head else self._own.before(file)
        try:
            return {} if text is None else read(text)
        except (ValueError, RecursionError, AttributeError) as exc:
            if head:
                self.limits.append(
                    f"{path} cannot be read, so its settings were not compared ({type(exc).__name__})"
                )
            return None

    def _reader(self, path: str) -> Reader | None:
        tool = self._referenced.get(path)
        return reader_of(path) or (None if tool is None else reader_for(path, tool))

    def _tools_that_arrived(self) -> dict[str, tuple[ChangedFile, dict[Keys, object]]]:
        """Tools that a changed file sets up which did not before, with that file and the settings."""
        found: dict[str, tuple[ChangedFile, dict[Keys, object]]] = {}
        for file in self._own.files:
            if file.exists and self._reader(file.path):
                after, before = self._read(file, head=True) or {}, self._read(file, head=False) or {}
                found |= {tool: (file, settings) for tool, settings in after.items() if not before.get(tool)}
        self.limits.clear()
        return found


def _left_out(file: ChangedFile) -> Iterator[Suppression]:
    """The patterns that a file of ignored paths gains."""
    for line in file.added_lines:
        text = line.text.strip()
        if text and not text.startswith("#"):
            what = f"{posixpath.basename(file.path)} leaves out {text}"
            yield Suppression(RULE, line.number, text, what)


def _by_pattern(file: ChangedFile, referenced: Mapping[str, str]) -> Iterator[Suppression]:
    for pattern, wanted, what in (
        (_LENIENT, _WORKFLOW, "lets a step of the pipeline fail"),
        (_OFF, _LINTED, "switches a rule off or leaves files out"),
    ):
        if wanted.search(file.path) or (wanted is _LINTED and _is_part(file.path, referenced)):
            for line in file.added_lines:
                if match := pattern.search(line.text):
                    yield Suppression(RULE, line.number, match.group().strip(), what, read=False)


def _is_part(path: str, referenced: Mapping[str, str]) -> bool:
    """Whether a program of ESLint's settings takes it in; data is compared instead."""
    return path.endswith(SCRIPT_ENDS) and referenced.get(path) == "eslint"


def _all_weaker(
    file: ChangedFile, tool: str, old: Mapping[Keys, object], new: Mapping[Keys, object]
) -> list[Suppression]:
    changes = weaker(old, new)
    if not new and len(changes) > _MANY:
        changes = [Weaker("is no longer set up: its settings are gone", ())]
    return [_suppression(file, tool, item) for item in changes]


def _suppression(file: ChangedFile, tool: str, item: Weaker) -> Suppression:
    return Suppression(RULE, _line(file, item), f"{tool} {item.what}", f"{tool} {item.what}")


def _line(file: ChangedFile, item: Weaker) -> int:
    """The added line that has it, or the nearest to it that is known."""
    words = [needle for needle in (*item.needles, *item.keys[-1:]) if needle]
    for word in words:
        found = next((line.number for line in file.added_lines if word in line.text), None)
        if found:
            return found
    return file.added_lines[0].number if file.added_lines else 1
