"""One thing that happens to a database, in words."""

from __future__ import annotations

from dataclasses import dataclass

RISKS = {
    "drop-table": "its rows are lost, and code that still runs fails",
    "drop-column": "its values are lost, and code that still runs fails",
    "truncate": "all rows are lost",
    "delete-all": "there is no WHERE: every row is meant",
    "update-all": "there is no WHERE: every row is meant",
    "type-change": "the table may be rewritten under a lock, and values may not fit",
    "not-null": "rows without a value make it fail",
    "rename": "code that still runs uses the old name",
    "drop-value": "rows that have it make it fail",
}
"""Why each kind of operation deserves a look before it meets real data."""


@dataclass(frozen=True)
class SchemaOperation:
    """`rule` is a key of RISKS; `target` names table and column; `text` is what was read."""

    rule: str
    line: int
    target: str
    text: str

    @property
    def message(self) -> str:
        """The sentence about it."""
        return f"{self.text}: {RISKS[self.rule]}"
