"""Compares the unsafe constructs of both sides, file by file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.provenance import judge
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.own import own_files
from prview.signals.roles import is_test
from prview.signals.syntax import SCRIPTS, grammar_of
from prview.signals.unsafe.go import go_constructs
from prview.signals.unsafe.javascript import javascript_constructs
from prview.signals.unsafe.python import PythonUnreadableError, python_constructs
from prview.signals.unsafe.python_words import may_have_constructs
from prview.signals.unsafe.rust import rust_constructs
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.signals.base import SignalContext
    from prview.signals.own import Own
    from prview.signals.unsafe.construct import Construct

KIND = "unsafe"
ARTIFACT = "20_quality/unsafe-constructs.txt"


_SCRIPT_WORDS = re.compile(
    r"eval|Function|setTimeout|setInterval|runIn|document\.write|HTML|srcdoc|Html|child_process|shell"
    r"|createHash|rejectUnauthorized|TLS_REJECT"
)
_WORDS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(SCRIPTS, _SCRIPT_WORDS),
    "rust": re.compile(r"unsafe|unwrap|expect|panic|todo!|unimplemented|Command|danger_accept|md5|Md5|Sha1"),
    "go": re.compile(r"exec|InsecureSkipVerify|md5|sha1|template|unsafe|Query|Exec|Prepare"),
}
"""By grammar: without one of these words a file has no construct, and is not parsed."""


class Unsafe:
    """Says which constructs of Python, JavaScript, TypeScript, Rust and Go are new and dangerous.

    Uses in tests are notes. What a construct is given may be harmless: that is for the reader to say.
    """

    kind = KIND
    title = "Unsafe constructs"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Read both sides of every changed file of a known language."""
        return await to_thread.run_sync(_signal, await own_files(context))


def reads(path: str) -> bool:
    """Whether we can read the language of a file."""
    return PurePosixPath(path).suffix.lower() in {".py", ".pyw"} or grammar_of(path) is not None


def constructs(path: str, text: str) -> list[Construct]:
    """The unsafe constructs of a file. Raises PythonUnreadableError."""
    grammar = grammar_of(path)
    if grammar is None:
        return python_constructs(text) if may_have_constructs(text) else []
    if not _WORDS[grammar].search(text):
        return []
    if grammar in SCRIPTS:
        return javascript_constructs(text, grammar)
    return rust_constructs(text) if grammar == "rust" else go_constructs(text)


def _signal(own: Own) -> Signal | None:
    files = [file for file in own.present if reads(file.path)]
    limits = list(own.unreadable(files))
    head: list[Finding] = []
    base: list[Finding] = []
    for file in files:
        try:
            found = _findings(file.path, own.after(file))
        except PythonUnreadableError as exc:
            if not is_test(file.path):
                limits.append(f"{file.path} {exc}: unsafe constructs in it are unknown")
            continue
        head += found
        base += _readable(file.old_path or file.path, own.before(file)) if found else []
    judged = judge(head, base, renames=own.change.renames, added=own.change.added_numbers)
    new = tuple(item.finding for item in judged if item.introduced)
    return _said(new, tuple(limits)) if new or limits else None


def _readable(path: str, text: str | None) -> list[Finding]:
    try:
        return _findings(path, text)
    except PythonUnreadableError:  # everything that the repaired file has counts as new
        return []


def _findings(path: str, text: str | None) -> list[Finding]:
    if not text:
        return []
    quiet = is_test(path)
    return [
        Finding(
            check=check_id(KIND),
            rule=item.rule,
            level=Level.NOTE if quiet else item.level,
            path=path,
            line=item.line,
            column=item.column,
            message=f"{plain(item.text, width=80)} {item.message}",
            anchor=item.anchor,
        )
        for item in constructs(path, text)
    ]


def _said(new: tuple[Finding, ...], limits: tuple[str, ...]) -> Signal:
    rows = [f"{item.path}:{item.line}: {item.level.value}: {item.rule}: {item.message}" for item in new]
    counts = Counter(item.rule for item in new)
    artifact = Artifact(ARTIFACT, page(f"{plural(len(new), 'new unsafe construct')}", "", *rows))
    return Signal(
        kind=KIND,
        title=Unsafe.title,
        findings=new,
        artifacts=(artifact,) if new else (),
        data={"new": dict(sorted(counts.items()))},
        limits=limits,
    )
