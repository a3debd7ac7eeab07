"""The options that several commands share."""

from __future__ import annotations

import click

from mcpkit.known_hosts import HOSTS

REPO = click.option(
    "--repo", default=".", metavar="PATH", help="The repository, the current directory's by default."
)
ONLY_REPO = click.option("--repo", metavar="PATH", help="Only this repository.")
TTL = click.option(
    "--ttl", metavar="TIME", help="How long, as 30m, 12h or 7d; else what it was, or until it is disabled."
)
HOST = click.option(
    "--host", type=click.Choice(HOSTS), default="claude", show_default=True, help="The agent host."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
