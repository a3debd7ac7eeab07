"""What was observed, with every secret taken out: nothing else goes into a pack.

Values without a secret are passed on as they are, so that a clean review costs one look at its bytes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from prview.domain.masking import mask_bytes, mask_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import JsonValue

    from prview.domain.change import Change, ChangedFile, Commit
    from prview.domain.checks import CheckResult
    from prview.domain.findings import Finding, Judged
    from prview.domain.signals import Artifact, Signal, SignalResult

_Named = TypeVar("_Named", "CheckResult", "SignalResult")


def masked_change(change: Change) -> Change:
    """The range, its patches and the words of its commits."""
    patch = mask_bytes(change.patch)
    # the whole holds every file's patch: when it is clean they are, and need no second look
    clean = patch is change.patch and sum(len(file.patch) for file in change.files) <= len(patch)
    names = (name for file in change.files for name in (file.path, file.old_path or ""))
    clean = clean and not _any_secret(names)
    return replace(
        change,
        files=change.files if clean else tuple(_file(file) for file in change.files),
        commits=tuple(_commit(commit) for commit in change.commits),
        patch=patch,
        caveats=_texts(change.caveats),
        pull=replace(change.pull, title=mask_text(change.pull.title)) if change.pull else None,
    )


def masked_paths(paths: Mapping[str, str]) -> dict[str, str]:
    """Paths, each with words about it."""
    return {mask_text(path): mask_text(words) for path, words in paths.items()}


def masked_result(result: CheckResult) -> CheckResult:
    """A check's findings and everything that its program said."""
    return replace(
        _explained(result),
        judged=_judged(result.judged),
        examined=frozenset(_texts(tuple(result.examined))),
        flaky=_texts(result.flaky),
        unseen=mask_text(result.unseen) if result.unseen else result.unseen,
    )


def masked_signal(result: SignalResult) -> SignalResult:
    """A signal's findings, documents and data."""
    signal = _signal(result.signal) if result.signal else None
    return replace(_explained(result), signal=signal)


def _explained(result: _Named) -> _Named:
    reason = mask_text(result.reason) if result.reason else result.reason
    return replace(result, reason=reason, log=mask_text(result.log))


def _file(file: ChangedFile) -> ChangedFile:
    return replace(
        file,
        path=mask_text(file.path),
        old_path=mask_text(file.old_path) if file.old_path else file.old_path,
        patch=mask_bytes(file.patch),
    )


def _commit(commit: Commit) -> Commit:
    subject, patch = mask_text(commit.subject), mask_bytes(commit.patch)
    clean = subject is commit.subject and patch is commit.patch
    return commit if clean else replace(commit, subject=subject, patch=patch)


def _judged(items: Sequence[Judged]) -> tuple[Judged, ...]:
    """One look at all of them; one by one only when there is something."""
    if not _any_secret(text for item in items for text in _words(item.finding)):
        return tuple(items)
    return tuple(replace(item, finding=_finding(item.finding)) for item in items)


def _words(finding: Finding) -> tuple[str, ...]:
    return (finding.path, finding.message, finding.anchor, finding.subject)


def _finding(finding: Finding) -> Finding:
    path, message, anchor, subject = map(mask_text, _words(finding))
    return replace(finding, path=path, message=message, anchor=anchor, subject=subject)


def _any_secret(texts: Iterable[str]) -> bool:
    said = "\n".join(texts)
    return mask_text(said) is not said


def _signal(signal: Signal) -> Signal:
    return replace(
        signal,
        findings=tuple(map(_finding, signal.findings)),
        artifacts=tuple(_artifact(artifact) for artifact in signal.artifacts),
        data=_object(signal.data),
        limits=_texts(signal.limits),
    )


def _artifact(artifact: Artifact) -> Artifact:
    return replace(artifact, text=mask_text(artifact.text))


def _object(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {mask_text(name): _value(value) for name, value in data.items()}


def _value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list):
        return [_value(item) for item in value]
    return _object(value) if isinstance(value, dict) else value


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    """One look at all of them; one by one only when there is something."""
    return tuple(mask_text(text) for text in texts) if _any_secret(texts) else tuple(texts)
