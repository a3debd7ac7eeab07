"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import click

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from prview.models.requests import ExplainRequest, FindingsRequest
    from prview.service.api import Prview

_Request = TypeVar("_Request", bound="ExplainRequest | FindingsRequest")
_Result = TypeVar("_Result")
_Function = TypeVar("_Function", bound="Callable[..., None]")

STEPS: Mapping[str, str] = {
    "lint": "linters and formatters",
    "types": "type checkers",
    "tests": "the project's tests",
    "security": "secrets, advisories, risky code",
    "hygiene": "conflict markers, large files",
    "signals": "what breaks, what is risky, what lost its tests",
}
"""The steps that a review can take or leave, and what is in them."""


def run_argument(function: _Function) -> _Function:
    """`[RUN]`."""
    return click.argument("run_id", metavar="[RUN]", required=False)(function)


def of_run(
    service: Callable[[Prview, _Request], Awaitable[_Result]],
) -> Callable[[_Request], Awaitable[_Result]]:
    """The service for a run that the request names by a part of its id, or not at all."""

    async def call(request: _Request) -> _Result:
        from prview.wiring import open_prview  # deferred: --help needs nothing of it

        prview = open_prview()
        if request.run_id is None:
            return await service(prview, request)
        whole = await prview.whole_run_id(request.repo, request.run_id)
        return await service(prview, cast("_Request", request.model_copy(update={"run_id": whole})))

    return call


def repo_option(function: _Function) -> _Function:
    """`--repo PATH`, made absolute: services take nothing else."""
    return click.option(
        "--repo",
        type=click.Path(path_type=Path),
        default=Path(),
        show_default="here",
        callback=lambda _ctx, _param, value: str(value.absolute()),
        help="The repository, or any folder in it.",
    )(function)


def output_options(function: _Function) -> _Function:
    """`--json` and `--quiet`."""
    quiet = click.option("--quiet", is_flag=True, help="Print no progress, and no text.")
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    return as_json(quiet(function))


def range_arguments(function: _Function) -> _Function:
    """`[TARGET] [BASES…]`, and where they are looked for."""
    options = (
        click.argument("target", required=False),
        click.argument("bases", nargs=-1),
        click.option("--remote", is_flag=True, help="Review origin's branch as it was last fetched."),
        click.option(
            "--pr",
            "pull",
            type=click.IntRange(min=1),
            metavar="NUMBER",
            help="Review a pull request on GitHub.",
        ),
        click.option(
            "--fetch", is_flag=True, help="Ask origin for its branches first, into a store of prview's own."
        ),
    )
    return _all(options, function)


def rule_options(function: _Function) -> _Function:
    """What a review is held to, what it may run and for how long."""
    options = (
        click.option(
            "--policy-file",
            type=click.Path(path_type=Path),
            metavar="PATH",
            callback=lambda _ctx, _param, value: str(value.absolute()) if value else None,
            help="A policy that applies instead of the base's.",
        ),
        click.option("--allow-code", is_flag=True, help="Run the tests of a branch that is not checked out."),
        click.option(
            "--timeout",
            "timeout_s",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help="How long one check may take.",
        ),
    )
    return _all(options, function)


def step_options(function: _Function) -> _Function:
    """`--with-STEP` takes a step that the mode leaves out, `--skip-STEP` leaves one out."""
    options = [
        click.option(
            f"--with-{name}/--skip-{name}", f"step_{name}", default=None, help=f"{what}.".capitalize()
        )
        for name, what in STEPS.items()
    ]
    return _all(options, function)


def chosen_profile(options: dict[str, object]) -> dict[str, object]:
    """The same options with `--quick` and `--deep` as the profile. Raises UsageError for both at once."""
    rest = dict(options)
    quick, deep = rest.pop("quick"), rest.pop("deep")
    if quick and deep:
        raise click.UsageError("--quick and --deep are two modes: give one of them")
    return {**rest, "profile": "quick" if quick else "deep" if deep else rest["profile"]}


def chosen_steps(options: dict[str, object]) -> dict[str, object]:
    """The same options with the steps as a request has them: `include` and `skip`."""
    said = {name: options.pop(f"step_{name}", None) for name in STEPS}
    include = tuple(name for name, wanted in said.items() if wanted is True)
    skip = tuple(name for name, wanted in said.items() if wanted is False)
    return {**options, "include": include, "skip": skip}


def _all(decorators: Sequence[Callable[[_Function], _Function]], function: _Function) -> _Function:
    for decorator in reversed(decorators):
        function = decorator(function)
    return function
