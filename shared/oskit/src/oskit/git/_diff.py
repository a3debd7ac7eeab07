"""One process for a whole diff: names, modes, counts and the byte-exact patch."""

from oskit.git._command import on_objects
from oskit.git._location import Location
from oskit.git._parse_diff import parse_changes, parse_diff
from oskit.git._refs import full_name
from oskit.git.models import LARGE, ChangedPath, Diff, Limits

RENAME_LIMIT = 2000
"""Files on either side beyond which git looks for exact renames only (its work grows with their product)."""

# Said outright although nothing is configured in the place where this runs: defaults differ between versions.
_COMPARED = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--full-index",
    "--find-renames=50%",
    f"-l{RENAME_LIMIT}",
    "--submodule=short",
    "--ignore-submodules=none",
    "--diff-algorithm=default",
    "--indent-heuristic",
    "--no-relative",
    "-O/dev/null",
)

PATCH_FLAGS = (*_COMPARED, "--patch", "--unified=3", "--inter-hunk-context=0")

_LIMITED = b"rename detection was skipped"


async def diff(
    location: Location, base: str, head: str, *, binary: bool = True, limits: Limits = LARGE
) -> Diff:
    """Compare two commits as they are (two dots; give the merge base for what a branch changed).

    `binary=False` leaves the content of binary files out of the patch, which then does not apply for them.
    """
    names = await full_name(location, base), await full_name(location, head)
    content = ("--binary",) if binary else ()
    wanted = ("--raw", "--numstat", "-z", "--no-abbrev")
    completed = await on_objects(
        location, ("diff", *PATCH_FLAGS, *content, *wanted, *names, "--"), limits=limits
    )
    files, patch = parse_diff(completed.stdout)
    return Diff(
        base=names[0], head=names[1], files=files, patch=patch, renames_limited=_LIMITED in completed.stderr
    )


async def changed_paths(
    location: Location, base: str, head: str, *, limits: Limits = LARGE
) -> tuple[ChangedPath, ...]:
    """List what differs between two commits without reading contents beyond rename detection."""
    names = await full_name(location, base), await full_name(location, head)
    completed = await on_objects(
        location, ("diff", *_COMPARED, "--raw", "-z", "--no-abbrev", *names, "--"), limits=limits
    )
    return parse_changes(completed.stdout)
