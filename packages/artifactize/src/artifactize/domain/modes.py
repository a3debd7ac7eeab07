"""How a Run goes about its evals, beyond what it selects."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class RunModes:
    """`max_executions` bounds what the Run starts; 0 permits reuse alone, None everything.

    Evals of the kinds in `reuse_only` are never executed. With `speculate` an eval starts before what it
    depends on is judged; with `defer_human` people's sign-offs may come after the Run.
    """

    max_executions: int | None = None
    reuse_only: tuple[str, ...] = ()
    speculate: bool = False
    defer_human: bool = False

    @classmethod
    def of(cls, saved: Mapping[str, object]) -> Self:
        """Read what `saved` wrote; names of another version are left out."""
        known = {each.name for each in fields(cls)}
        found = {name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()}
        return cls(**{name: value for name, value in found.items() if name in known})  # type: ignore[arg-type] # as written

    def saved(self) -> dict[str, object]:
        """Return the modes that differ from the default, as JSON data."""
        default = type(self)()
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        changed = {name: value for name, value in found.items() if value != getattr(default, name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}
