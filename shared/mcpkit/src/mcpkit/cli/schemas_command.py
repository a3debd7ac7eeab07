"""`mcpkit schemas`: write or check the published schemas of the installed servers."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from mcpkit.cli.debug import debug_option


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/schemas"),
    show_default=True,
    help="Folder of the schemas.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a file is not up to date.")
@click.option("--new-version", is_flag=True, help="Allow incompatible changes: they have a new version name.")
@debug_option
def schemas(*, out: Path, check: bool, new_version: bool) -> None:
    """Write or check the published JSON Schemas.

    Exits with 1 when --check finds a difference, or when a change would break who relies on a committed
    schema and comes without --new-version; then nothing is written.
    """
    from mcpkit import schemas as export  # deferred: loads every server

    servers = export.published_servers()
    if not servers:
        raise click.ClickException(f"no installed package has an entry point in the group {export.GROUP!r}")
    changed = (
        export.differences(servers, out) if check else export.write(servers, out, new_version=new_version)
    )
    click.echo("".join(f"{change.text}\n" for change in changed), nl=False)
    if any(change.breaking for change in changed) and not new_version:
        _fail("give the broken ones a new version name, then run again with --new-version")
    if check and changed:
        _fail(f"run `python -m mcpkit schemas --out {out}` and commit the files")
    names = ", ".join(server.name for server in servers)
    click.echo(f"{names}: {'up to date' if check else f'{len(changed)} file(s) changed'}", err=True)


def _fail(hint: str) -> NoReturn:
    click.echo(f"hint: {hint}", err=True)
    raise SystemExit(1)
