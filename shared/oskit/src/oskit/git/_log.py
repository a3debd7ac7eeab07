"""One process for every commit of a range with its patch, or for the newest commits without."""

import secrets

from oskit.git._command import on_objects
from oskit.git._diff import PATCH_FLAGS
from oskit.git._history import require_complete
from oskit.git._location import Location
from oskit.git._parse_log import log_format, parse_log
from oskit.git._refs import full_name
from oskit.git.models import LARGE, Commit, Limits


async def log(
    location: Location, base: str, head: str, *, patches: bool = True, limits: Limits = LARGE
) -> tuple[Commit, ...]:
    """Give the commits that `head` has and `base` has not, oldest first, parents before children.

    Merges have an empty patch, so that work merged in from the base is never shown as the branch's.
    """
    names = await full_name(location, base), await full_name(location, head)
    await require_complete(location, *names)
    shown = (*PATCH_FLAGS, "--binary") if patches else ("--no-patch",)
    options = ("--topo-order", "--reverse", "--diff-merges=off", *shown)
    return await _commits(location, *options, f"{names[0]}..{names[1]}", limits=limits)


async def recent(location: Location, tip: str, *, commits: int, limits: Limits = LARGE) -> tuple[Commit, ...]:
    """Give the newest `commits` commits before and including `tip`, without patches, newest first.

    A shallow clone gives what it has.
    """
    tip = await full_name(location, tip)
    return await _commits(location, f"--max-count={commits}", "--no-patch", tip, limits=limits)


async def _commits(location: Location, *words: str, limits: Limits) -> tuple[Commit, ...]:
    mark = secrets.token_hex(16)
    completed = await on_objects(
        location,
        (
            "log",
            f"--format={log_format(mark)}",
            "--encoding=UTF-8",
            "--no-notes",
            "--no-show-signature",
            "--no-decorate",
            *words,
            "--",
        ),
        limits=limits,
    )
    return parse_log(completed.stdout, mark)
