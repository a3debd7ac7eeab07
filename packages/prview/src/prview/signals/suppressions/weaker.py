"""Which differences between two sets of settings let a tool see or say less (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prview.signals.suppressions.setting_files import Keys


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HIDING = _words(
    "ignore extend-ignore extend_ignore exclude extend-exclude extend_exclude force-exclude per-file-ignores "
    "per_file_ignores extend-per-file-ignores disable disable_error_code ignores ignorePatterns skips "
    "exclude_dirs omit exclude_lines exclude_also exclude-rules exclude-files exclude-dirs norecursedirs "
    "ignore-patterns ignore-paths ignored-modules collect_ignore coveragePathIgnorePatterns "
    "testPathIgnorePatterns exclusions skip"
)
_LOOKING = _words("select extend-select extend_select enable plugins extends load-plugins hooks testpaths")
_LOWEST = _words("fail_under fail-under branches functions lines statements min-similarity-lines minimum")
_HIGHEST = _words("max-complexity max-cognitive-complexity max-warnings maxWarnings")
_WEAK_WHEN_TRUE = _words(
    "ignore_missing_imports ignore_errors allow_untyped_calls allow_untyped_defs allow_untyped_globals "
    "allow_redefinition implicit_optional implicit_reexport skipLibCheck ignore-init-module-imports exit-zero"
)
_STRONG_WHEN_TRUE = _words(
    "strict strict_optional strict_equality check_untyped_defs disallow_untyped_calls disallow_untyped_defs "
    "disallow_incomplete_defs disallow_untyped_decorators disallow_any_generics disallow_subclassing_any "
    "no_implicit_optional no_implicit_reexport warn_return_any warn_unused_ignores warn_unreachable "
    "warn_redundant_casts xfail_strict branch noImplicitAny strictNullChecks noUncheckedIndexedAccess "
    "noUnusedLocals noUnusedParameters noImplicitReturns strictFunctionTypes checkJs enabled"
)
_QUIET_IMPORTS = frozenset({"skip", "silent"})
_GRADED = frozenset({"rules", "lints", "severity", "typeCheckingMode"})
_RANKS = {
    **dict.fromkeys(("off", "none", "allow", "ignore", "0", "false"), 0),
    **dict.fromkeys(("warn", "warning", "information", "info", "1", "basic"), 1),
    **dict.fromkeys(("error", "deny", "forbid", "2", "true", "standard", "on"), 2),
    "strict": 3,
}
_NOT_RUN = re.compile(
    r"--(?:ignore(?:-glob)?|deselect)[= ]\S+|--no-cov\b|-[km][= ](?:\"[^\"]*\"|'[^']*'|\S+)|-p[= ]no:\S+"
)
_TRUE = frozenset({"true", "yes", "1", "on"})
_SHOWN = 5


@dataclass(frozen=True)
class Weaker:
    """`what` ends a sentence that begins with the tool; `needles` are words of the line where it stands."""

    what: str
    keys: Keys
    needles: tuple[str, ...] = ()


def weaker(old: Mapping[Keys, object], new: Mapping[Keys, object]) -> list[Weaker]:
    """Everything that `new` lets pass and `old` did not."""
    found = [
        item
        for keys, value in new.items()
        if value != old.get(keys)
        for item in _of(keys, old.get(keys), value)
    ]
    found += [item for keys, value in old.items() if keys not in new for item in _dropped(keys, value)]
    return found


def _of(keys: Keys, old: object, new: object) -> Iterator[Weaker]:
    """One setting that is new or has another value."""
    leaf, shown = keys[-1], ".".join(keys)
    if _HIDING & set(keys):
        before = set(_items(old))
        added = [item for item in _items(new) if item not in before]
        if added:
            yield Weaker(f"leaves out {_listed(added)} ({shown})", keys, tuple(added))
    elif leaf in _LOOKING and old is not None:
        lost = [item for item in _items(old) if not _covered(item, _items(new))]
        if lost:
            yield Weaker(f"no longer looks for {_listed(lost)} ({shown})", keys, (leaf,))
    elif leaf == "addopts":
        added = [item for item in _NOT_RUN.findall(_text(new)) if item not in _NOT_RUN.findall(_text(old))]
        if added:
            yield Weaker(f"runs with {_listed(added)} ({shown})", keys, tuple(added))
    elif _is_looser(keys, old, new):
        yield Weaker(f"goes from {_word(old)} to {_word(new)} ({shown})", keys, (leaf,))


def _dropped(keys: Keys, old: object) -> Iterator[Weaker]:
    """One setting that is gone: what the tool does then is less only where the setting asked for more."""
    leaf = keys[-1]
    if _HIDING & set(keys):
        return
    asks = (
        leaf in _LOOKING
        or _is_threshold(keys)
        or (leaf in _STRONG_WHEN_TRUE and _is_true(old))
        or (_is_graded(keys) and (_rank(old) or 0) > 0)
    )
    if asks:
        yield Weaker(f"no longer sets {'.'.join(keys)} (it was {_word(old)})", keys)


def _is_looser(keys: Keys, old: object, new: object) -> bool:
    leaf = keys[-1]
    if leaf in _WEAK_WHEN_TRUE:
        return _is_true(new) and not _is_true(old)
    if leaf == "follow_imports":
        return _text(new) in _QUIET_IMPORTS and _text(old) not in _QUIET_IMPORTS
    before, after = _number(old), _number(new)
    if _is_threshold(keys):
        return before is not None and after is not None and after < before
    if leaf in _HIGHEST:
        return before is not None and after is not None and after > before
    if _is_graded(keys):
        return _is_lower(_rank(old), _rank(new))
    return leaf in _STRONG_WHEN_TRUE and old is not None and _is_true(old) and not _is_true(new)


def _is_lower(before: int | None, after: int | None) -> bool:
    """A grade that falls; one that was not set counts as fallen when it is switched off."""
    if after is None:
        return False
    return after < before if before is not None else after == 0


def _is_threshold(keys: Keys) -> bool:
    under = any("threshold" in key.lower() for key in keys[:-1])
    return keys[-1] in {"fail_under", "fail-under"} or (under and keys[-1] in _LOWEST)


def _is_graded(keys: Keys) -> bool:
    """Whether a value is how serious a rule is."""
    parents = set(keys[:-1])
    return (
        bool(_GRADED & parents)
        or keys[-1] in _GRADED
        or re.fullmatch(r"report[A-Z]\w+", keys[-1]) is not None
    )


def _rank(value: object) -> int | None:
    first = value[0] if isinstance(value, list) and value else value
    return _RANKS.get(_text(first).lower())


def _covered(item: str, items: list[str]) -> bool:
    """Whether a rule is still asked for: itself, by its family (`E` has `E501`), or with all others."""
    return any(other in {"ALL", "all"} or item == other or item.startswith(other) for other in items)


def _items(value: object) -> list[str]:
    if isinstance(value, list):
        return [_text(item) for item in value]
    text = _text(value)
    return [part for part in re.split(r"[,\s]+", text) if part] if value is not None else []


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return "" if value is None else str(value).strip()


def _word(value: object) -> str:
    return "not set" if value is None else _text(value)


def _number(value: object) -> float | None:
    try:
        return float(_text(value))
    except ValueError:
        return None


def _is_true(value: object) -> bool:
    return _text(value).lower() in _TRUE


def _listed(items: list[str]) -> str:
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
