"""Which commits touched some files, how much and whose they are: one process, bounded by commits."""

import secrets
from collections.abc import Iterable

from oskit.git._command import on_objects
from oskit.git._location import Location
from oskit.git._parse_touches import parse_touches, touch_format
from oskit.git._refs import full_name
from oskit.git.models import LARGE, Limits, Touch

MAX_PATHS = 4000
"""Paths of one question: what fits into a command line of any system."""


async def touches(
    location: Location, tip: str, paths: Iterable[bytes], *, commits: int, limits: Limits = LARGE
) -> tuple[Touch, ...]:
    """Give the newest `commits` commits before and including `tip` that touched one of `paths`.

    Merges are left out and renames are not followed. More than MAX_PATHS paths raise ValueError. A shallow
    clone gives what it has.
    """
    wanted = sorted(set(paths))
    if len(wanted) > MAX_PATHS:
        raise ValueError(f"{len(wanted)} paths are more than the {MAX_PATHS} of one question")
    if not wanted:
        return ()
    mark = secrets.token_hex(16)
    completed = await on_objects(
        location,
        (
            "log",
            f"--format={touch_format(mark)}",
            "--encoding=UTF-8",
            f"--max-count={commits}",
            "--no-merges",
            "--no-notes",
            "--no-show-signature",
            "--no-decorate",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--numstat",
            "-z",
            await full_name(location, tip),
            "--",
            *wanted,
        ),
        limits=limits,
    )
    return parse_touches(completed.stdout, mark)
