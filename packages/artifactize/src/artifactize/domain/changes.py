"""Why a verdict cannot be reused: what has changed since the newest one of the same eval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_NAMED = 10
"""Changed files named in a reason; a change of more says how many."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from another Run's record. `files` are the target's own, marked `+` new and `-` gone."""

    since_run: str
    definition: bool
    files: tuple[str, ...]
    dependencies: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """The newest record of an eval, whatever its key."""

    run_id: str
    definition: str
    fingerprints: Mapping[str, str]


Manifest = dict[str, str]
"""Path (or `env NAME`, `tool ARGV`) to digest."""


def explain(
    target: str,
    *,
    recorded: Recorded,
    definition: str,
    current: Mapping[str, str],
    manifests: Mapping[str, tuple[Manifest | None, Manifest | None]],
) -> Changes:
    """Compare an eval's present inputs with a record's.

    `manifests` gives (recorded, current) for each Artifact whose fingerprint changed; None where no per-file
    digests are kept (a script's fingerprint, one too large to keep).
    """
    redefined = recorded.definition != definition
    names = sorted({*current, *recorded.fingerprints})
    changed = [name for name in names if current.get(name) != recorded.fingerprints.get(name)]
    details = {name: _files(*manifests.get(name, (None, None))) for name in changed}
    others = tuple(_marked(name, recorded.fingerprints, current) for name in changed if name != target)
    parts = ["the eval's definition changed"] if redefined else []
    parts += [_words(name, target, details[name], recorded.fingerprints, current) for name in changed]
    summary = "; ".join(parts) or "nothing changed, but its record was removed"
    return Changes(recorded.run_id, redefined, details.get(target, ()), others, summary)


def explain_inputs(
    old: Mapping[str, str],
    new: Mapping[str, str],
    old_manifests: Mapping[str, Manifest],
    new_manifests: Mapping[str, Manifest],
) -> str:
    """Say in words which inputs differ between two looks at an eval."""
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    details = [(name, _files(old_manifests.get(name), new_manifests.get(name))) for name in changed]
    words = [f"{name} changed" + (f" ({_listed(files)})" if files else "") for name, files in details]
    return ", ".join(words) or "its inputs changed"


def _files(old: Manifest | None, new: Manifest | None) -> tuple[str, ...]:
    if old is None or new is None:
        return ()
    marks = dict.fromkeys(new.keys() - old.keys(), "+") | dict.fromkeys(old.keys() - new.keys(), "-")
    same = {path for path in new.keys() & old.keys() if new[path] == old[path]}
    return tuple(marks.get(path, "") + path for path in sorted({*old, *new} - same))


def _words(
    name: str, target: str, files: tuple[str, ...], old: Mapping[str, str], new: Mapping[str, str]
) -> str:
    what = _listed(files) if files else "fingerprint changed"
    if name == target:
        return f"changed: {what}" if files else what
    marked = _marked(name, old, new)
    if marked.startswith(("+", "-")):
        return f"dependency {marked}"
    return f"dependency {name} changed" + (f" ({what})" if files else "")


def _marked(name: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    if name not in old:
        return f"+{name}"
    return f"-{name}" if name not in new else name


def _listed(files: tuple[str, ...]) -> str:
    shown = ", ".join(files[:MAX_NAMED])
    return shown if len(files) <= MAX_NAMED else f"{shown} and {len(files) - MAX_NAMED} more"
