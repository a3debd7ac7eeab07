from __future__ import annotations

from typing import Any

import pytest

from mcpkit.errors import InvalidArgumentsError
from mcpkit.models import Request, Response
from mcpkit.operation import Hints, Operation, PublishedServer

pytestmark = pytest.mark.anyio
HINTS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)


class Question(Request):
    n: int = 1


class Answer(Response):
    n: int


class Other(Response):
    m: int


async def double(request: Question) -> Answer:
    """Double a number.

    Twice
      as much.
    """
    return Answer(n=request.n * 2)


class Doubler:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    async def times(self, request: Question) -> Answer:
        """Multiply a number."""
        return Answer(n=request.n * self.factor)


async def lying(request: Question) -> Answer:
    """Give something else."""
    return Other(m=request.n)  # type: ignore[return-value] # the defect that is wanted


def make(**changes: Any) -> Operation:
    given = {"name": "double", "title": "Double", "description": "Doubles.", **changes}
    return Operation(**given, request=Question, result=Answer, service=double, hints=HINTS)


def test_name_words_and_models_come_from_the_function() -> None:
    operation = Operation.of(double, title="Double", hints=HINTS)
    assert (operation.name, operation.request, operation.result) == ("double", Question, Answer)
    assert operation.description == "Double a number.\n\nTwice\n  as much."
    assert operation.hints == HINTS


async def test_a_bound_method_is_a_service_and_keeps_its_object() -> None:
    operation = Operation.of(Doubler(5).times, title="Times", hints=HINTS, name="multiply")
    assert operation.name == "multiply"
    assert await operation.call({"n": 3}) == Answer(n=15)


async def test_calling_parses_first() -> None:
    operation = Operation.of(double, title="Double", hints=HINTS)
    assert await operation.call(None) == Answer(n=2)
    with pytest.raises(InvalidArgumentsError, match="`n` should be a valid integer"):
        await operation.call({"n": "x"})


async def test_a_result_of_another_model_is_a_defect() -> None:
    with pytest.raises(TypeError, match="lying gave a Other instead of a Answer"):
        await Operation.of(lying, title="Lying", hints=HINTS).call({})


@pytest.mark.parametrize(
    "name", ["", "Double", "1st", "run.review", "run-review", "a" * 41, "double\n", "_x"]
)
def test_a_name_that_some_host_refuses_is_refused_when_built(name: str) -> None:
    with pytest.raises(ValueError, match="hosts take only"):
        make(name=name)


def test_a_name_of_forty_characters_is_taken() -> None:
    assert make(name="a" * 40).name == "a" * 40


@pytest.mark.parametrize("missing", ["title", "description"])
def test_words_are_needed(missing: str) -> None:
    with pytest.raises(ValueError, match=r"a title and a description \(the service's docstring\) are needed"):
        make(**{missing: " "})


def test_a_signature_that_names_no_models_is_refused_when_built() -> None:
    async def loose(request: dict[str, int]) -> Answer:
        """Loose."""
        return Answer(n=len(request))

    async def crowded(request: Question, more: Question) -> Answer:
        """Crowded."""
        return Answer(n=request.n + more.n)

    async def silent(request: Question) -> None:
        """Silent."""

    for service in (loose, crowded, silent):
        with pytest.raises(
            TypeError, match=f"{service.__name__}: a service takes one pydantic model and returns one"
        ):
            Operation.of(service, title="X", hints=HINTS)  # type: ignore[arg-type] # what is tested


def test_schemas_are_made_once() -> None:
    operation = make()
    assert operation.input_schema() is operation.input_schema()
    assert operation.output_schema() is operation.output_schema()


def test_a_published_server_needs_no_models_of_its_own() -> None:
    assert PublishedServer("x", (make(),)).models == {}
