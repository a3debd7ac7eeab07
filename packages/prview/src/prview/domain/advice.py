"""What to do about a check that stands against a merge."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_SHOWN_PATHS = 5


def advice(
    check: str, *, state: str, paths: Sequence[str] = (), rules: Sequence[str] = (), log: str | None = None
) -> tuple[str, ...]:
    """The next steps for a check in an execution state, the best one first.

    `paths` and `rules` are those of its introduced findings, `log` the pack-relative path of its log.
    """
    if state == "unavailable":
        return ("install the program in the project, then review again; `prview doctor` shows what is found",)
    if state == "timeout":
        return ("give it more time with --timeout SECONDS, or look into what is slow", *_log(log))
    if state == "error":
        return (*_log(log), "run the program by hand in the checkout: what it says there is what prview sees")
    if state == "skipped":
        return ("review what is checked out, or allow the branch's code to run with --allow-code",)
    return (*_fix(check, paths), *_exception(rules))


def uncovered_advice(paths: Sequence[str]) -> tuple[str, ...]:
    """What to do about files that no check looked at."""
    return (
        f"read {_listed(paths)} yourself, or install a linter for the language",
        "mark what is generated or vendored with linguist-generated or linguist-vendored in .gitattributes",
    )


def _log(log: str | None) -> tuple[str, ...]:
    return (f"read {log} in the pack",) if log else ()


def _fix(check: str, paths: Sequence[str]) -> tuple[str, ...]:
    special = _FIXES.get(check)
    if special:
        return (special(paths),)
    if check in _COMMANDS:
        named = () if check in _WHOLE_PROJECTS else paths[:_SHOWN_PATHS]
        command = shlex.join([*_COMMANDS[check], *named])
        return (f"correct the places above; `{command}` shows them again",)
    if check.startswith("signal_"):
        return ("correct it, or say in the pull request why it is meant",)
    return ("correct the places above, then review again",)


def _exception(rules: Sequence[str]) -> tuple[str, ...]:
    """How a repository says that it does not mind; the base decides, so the branch cannot."""
    if not rules:
        return ()
    named = ", ".join(f"{rule}: ignore" for rule in dict.fromkeys(rules))
    return (f"if the repository does not mind: `rules: {{{named}}}` in the base's .prview-policy.yml",)


def _listed(paths: Sequence[str]) -> str:
    rest = len(paths) - _SHOWN_PATHS
    return ", ".join(paths[:_SHOWN_PATHS]) + (f" and {rest} more" if rest > 0 else "")


_WHOLE_PROJECTS = frozenset({"tsc"})
"""Programs that forget the project's settings as soon as files are named."""

_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "ruff": ("ruff", "check"),
    "ruff_format": ("ruff", "format", "--diff"),
    "mypy": ("mypy",),
    "pyright": ("pyright",),
    "ty": ("ty", "check"),
    "pytest": ("pytest",),
    "bandit": ("bandit",),
    "eslint": ("npx", "eslint"),
    "biome": ("npx", "biome", "check"),
    "tsc": ("npx", "tsc", "--noEmit"),
    "stylelint": ("npx", "stylelint"),
    "cargo_clippy": ("cargo", "clippy"),
    "go_vet": ("go", "vet", "./..."),
}
_FIXES: Mapping[str, Callable[[Sequence[str]], str]] = {
    "conflict_markers": lambda paths: f"finish the merge in {_listed(paths)} and commit the result",
    "secrets": lambda paths: (
        f"revoke the secret first, since the history keeps it; then take it out of {_listed(paths)}"
    ),
    "policy": lambda paths: (
        f"have the change of {_listed(paths)} approved on its own; it applies once it is in the base"
    ),
    "signal_suppressions": lambda _: (
        "correct what it hides, or have somebody agree with the reason for hiding it"
    ),
    "signal_breaking": lambda _: "keep the old name or signature working, or release it as a breaking change",
}
