"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

_Function = TypeVar("_Function", bound="Callable[..., None]")


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
    """`[TARGET] [BASES…]`."""
    bases = click.argument("bases", nargs=-1)
    return click.argument("target", required=False)(bases(function))
