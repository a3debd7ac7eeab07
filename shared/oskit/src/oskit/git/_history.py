"""Questions about the graph of commits, answered only when the clone holds what they need."""

import hashlib
import os

from oskit.git._command import OK_OR_NO, on_objects
from oskit.git._location import Location
from oskit.git._refs import default_branch, full_name, head
from oskit.git.errors import NoMergeBaseError
from oskit.git.models import LARGE, Limits, RepositoryIdentity

KEY_DIGITS = 16


async def merge_base(location: Location, one: str, other: str) -> str:
    """Give the best common ancestor of two revisions.

    NoMergeBaseError when there is none, or when a shallow clone's cut lies between them, so that a better one
    could be hidden.
    """
    names = await full_name(location, one), await full_name(location, other)
    answer = await on_objects(location, ("merge-base", *names), accept=OK_OR_NO)
    found = answer.stdout.decode("ascii", "replace").strip()
    if not found:
        raise cut_history(location, one, other) if location.shallow else _unrelated(location, one, other)
    await require_complete(location, *names)
    return found


async def require_complete(location: Location, one: str, other: str) -> None:
    """Refuse a range whose history a shallow clone has cut.

    When no commit that only one side has is a cut one, every hidden ancestor belongs to both sides, and
    neither the merge base nor the commits between can be others than git says.
    """
    if not location.shallow:
        return
    cut = set((location.common_dir / "shallow").read_text("ascii").split())
    listing = await on_objects(location, ("rev-list", f"{one}...{other}"), limits=LARGE)
    if cut.intersection(listing.stdout.decode("ascii", "replace").split()):
        raise cut_history(location, one, other)


async def count_commits(location: Location, base: str, tip: str, *, limits: Limits = LARGE) -> int:
    """Count the commits that `tip` has and `base` has not."""
    names = await full_name(location, base), await full_name(location, tip)
    await require_complete(location, *names)
    answer = await on_objects(location, ("rev-list", "--count", f"{names[0]}..{names[1]}"), limits=limits)
    return int(answer.stdout)


async def tree(location: Location, revision: str) -> str:
    """Give the full name of a commit's tree."""
    name = await full_name(location, revision)
    answer = await on_objects(location, ("rev-parse", "--verify", f"{name}^{{tree}}"))
    return answer.stdout.decode("ascii", "replace").strip()


async def identity(location: Location) -> RepositoryIdentity:
    """Tell which repository this is, the same from every linked worktree and whatever is checked out.

    The root is looked for from the default branch (HEAD when there is none) along first parents: a merged
    foreign history does not change who a repository is, and large histories answer quickly.
    """
    roots = await _roots(location)
    text = "\n".join((*sorted(roots), os.fspath(location.common_dir)))
    key = hashlib.sha256(os.fsencode(text)).hexdigest()[:KEY_DIGITS]
    return RepositoryIdentity(root_commits=roots, common_dir=location.common_dir, key=key)


async def _roots(location: Location) -> tuple[str, ...]:
    if location.shallow:  # a cut commit looks like a root until the next fetch
        return ()
    default = await default_branch(location)
    start = default.commit if default else (await head(location)).commit
    if start is None:
        return ()
    listing = await on_objects(
        location, ("rev-list", "--first-parent", "--max-parents=0", start), limits=LARGE
    )
    return tuple(listing.stdout.decode("ascii", "replace").split())


def cut_history(location: Location, one: str, other: str) -> NoMergeBaseError:
    """Say that a shallow clone cannot answer."""
    return NoMergeBaseError(
        f"{location.shown} is a shallow clone, and its history ends before {one} and {other} meet.",
        "Fetch the rest with `git fetch --unshallow` (in CI: check out with `fetch-depth: 0`).",
        shallow=True,
    )


def _unrelated(location: Location, one: str, other: str) -> NoMergeBaseError:
    return NoMergeBaseError(
        f"{one} and {other} in {location.shown} have no common ancestor: their histories are unrelated.",
        "Name a base from which the branch was made.",
        shallow=False,
    )
