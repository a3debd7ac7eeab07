"""The selection envelope of the verification tools: `{"kind": "artifact", "artifactId": "guide"}`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mcpkit.models import Wire

MAX_IDS = 64
_Id = Annotated[str, Field(min_length=1, max_length=129)]
_Some = Annotated[tuple[_Id, ...], Field(min_length=1)]
_Few = Annotated[tuple[_Id, ...], Field(min_length=1, max_length=MAX_IDS)]

_FIELD_OF = {
    "all": None,
    "artifact": "artifact_id",
    "eval": "eval_id",
    "artifacts": "artifact_ids",
    "evals": "eval_ids",
}
_SPELLED = {
    "artifact_id": "artifactId",
    "eval_id": "evalId",
    "artifact_ids": "artifactIds",
    "eval_ids": "evalIds",
}


def absent(value: object) -> bool:
    """Whether a field is left out of the JSON."""
    return value is None


class SavedScope(Wire):
    """What a Run was asked to verify. A selection file may have listed more ids than a tool call takes."""

    kind: Annotated[
        Literal["all", "artifact", "eval", "artifacts", "evals"],
        Field(description="all: everything declared; otherwise what the field of the same name lists."),
    ]
    artifact_id: Annotated[
        _Id | None,
        Field(
            alias="artifactId",
            description="With kind artifact: its name.",
            examples=["guide"],
            exclude_if=absent,
        ),
    ] = None
    eval_id: Annotated[
        _Id | None,
        Field(
            alias="evalId", description="With kind eval: its id.", examples=["guide/terms"], exclude_if=absent
        ),
    ] = None
    artifact_ids: Annotated[
        _Some | None,
        Field(
            alias="artifactIds", description="With kind artifacts: their names, in order.", exclude_if=absent
        ),
    ] = None
    eval_ids: Annotated[
        _Some | None,
        Field(alias="evalIds", description="With kind evals: their ids, in order.", exclude_if=absent),
    ] = None

    @model_validator(mode="after")
    def _only_its_own_field(self) -> Self:
        wanted = _FIELD_OF[self.kind]
        given = [name for name in _SPELLED if getattr(self, name) is not None]
        if wanted is not None and wanted not in given:
            raise ValueError(f"kind {self.kind!r} needs {_SPELLED[wanted]}")
        for name in given:
            if name != wanted:
                raise ValueError(f"kind {self.kind!r} does not take {_SPELLED[name]}")
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids it lists, repetitions removed at their first occurrence."""
        wanted = _FIELD_OF[self.kind]
        value = () if wanted is None else getattr(self, wanted)
        return tuple(dict.fromkeys((value,) if isinstance(value, str) else value))

    @classmethod
    def of(cls, kind: str, ids: list[str] | tuple[str, ...]) -> Self:
        """Return the envelope of a saved selection."""
        wanted = _FIELD_OF[kind]
        if wanted is None:
            return cls.model_validate({"kind": kind})
        value = ids[0] if kind in {"artifact", "eval"} else ids
        return cls.model_validate({"kind": kind, _SPELLED[wanted]: value})


class Scope(SavedScope):
    """What to verify. Each kind takes exactly its own field."""

    artifact_ids: Annotated[
        _Few | None,
        Field(
            alias="artifactIds",
            description="With kind artifacts: 1 to 64 names, in order.",
            exclude_if=absent,
        ),
    ] = None
    eval_ids: Annotated[
        _Few | None,
        Field(alias="evalIds", description="With kind evals: 1 to 64 ids, in order.", exclude_if=absent),
    ] = None
