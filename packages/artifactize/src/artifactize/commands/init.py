"""`artifactize init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, opener, placed
from mcpkit.cli import failing

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@placed
def init(*, repo: Path | None, state_dir: Path | None) -> None:
    """Write a first index.artf at the project's root; an existing one is left alone."""
    from artifactize.service.starting import write_first_declaration  # deferred: --help stays light

    with failing(as_json=False, envelope=ERRORS):
        path = write_first_declaration(opener(repo, state_dir)().root)
        click.echo(f"wrote {path}\nnext: edit its eval, then run `artifactize verify --all`")
