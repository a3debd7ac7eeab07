"""Names to commits: what is checked out, what a revision means, which branch is the default."""

from oskit.git._command import OK_OR_NO, in_repository
from oskit.git._location import Location
from oskit.git._translate import names_nothing, unknown_revision
from oskit.git.errors import GitFailedError, UnknownRevisionError
from oskit.git.models import DefaultBranch, Head

MAX_REVISION = 1024
"""Longest revision that is looked up, in characters."""

FALLBACK_BRANCHES = ("develop", "main", "master")
"""Names tried, in this order, when no remote says what its default branch is."""

_REMOTE_HEAD = "refs/remotes/origin/HEAD"


async def resolve(location: Location, revision: str) -> str:
    """Give the full name of the commit that `revision` means; UnknownRevisionError when it means none."""
    if not _acceptable(revision):
        raise unknown_revision(revision, location.shown)
    asked = f"{revision}^{{commit}}"
    arguments = ("rev-parse", "--verify", "--end-of-options", asked)
    try:
        completed = await in_repository(location, arguments)
    except UnknownRevisionError as problem:
        raise unknown_revision(revision, location.shown) from problem
    except GitFailedError as problem:
        if names_nothing(problem.stderr):
            raise unknown_revision(revision, location.shown) from problem
        raise
    name = completed.stdout.decode("ascii", "replace").strip()
    if not location.is_full_name(name):  # `^main` is answered, too: with a negated name
        raise unknown_revision(revision, location.shown)
    return name


async def full_name(location: Location, revision: str) -> str:
    """Give a commit's full name, without asking git when `revision` is one already."""
    return revision if location.is_full_name(revision) else await resolve(location, revision)


async def head(location: Location) -> Head:
    """Tell the branch and the commit that are checked out."""
    symbolic = await in_repository(location, ("symbolic-ref", "--quiet", "HEAD"), accept=OK_OR_NO)
    ref = _line(symbolic.stdout)
    # The branch's own ref is asked for, so that a switch in between cannot mix two branches.
    found = await in_repository(
        location,
        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref or 'HEAD'}^{{commit}}"),
        accept=OK_OR_NO,
    )
    return Head(branch=ref.removeprefix("refs/heads/") or None, commit=_line(found.stdout) or None)


async def default_branch(location: Location) -> DefaultBranch | None:
    """Find the branch to compare with; None when nothing fits.

    The remote's declared default comes first (`origin/HEAD`, then the configuration's `remote.origin.HEAD`
    if that branch exists), then the first of `develop`, `main`, `master` that exists, remote before local.
    """
    refs = await _existing(location, (_REMOTE_HEAD, *_candidates()))
    if _REMOTE_HEAD in refs:
        target, commit = refs[_REMOTE_HEAD]
        return DefaultBranch(target or _REMOTE_HEAD, commit, fallback=False)
    configured = await _configured(location)
    return configured or _guessed(refs, has_origin=await remote_url(location) is not None)


async def remote_url(location: Location, remote: str = "origin") -> str | None:
    """Give a remote's address as git would use it (`insteadOf` applied; it may hold credentials), or None."""
    known = await in_repository(location, ("remote",))
    if remote not in known.stdout.decode("utf-8", "replace").splitlines():
        return None
    return _line((await in_repository(location, ("remote", "get-url", "--", remote))).stdout)


def _acceptable(revision: str) -> bool:
    return (
        bool(revision)
        and not revision.startswith("-")
        and len(revision) <= MAX_REVISION
        and revision.isprintable()
    )


def _candidates() -> tuple[str, ...]:
    return tuple(
        f"{place}/{name}" for name in FALLBACK_BRANCHES for place in ("refs/remotes/origin", "refs/heads")
    )


async def _existing(location: Location, names: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Give those of `names` that exist: what each points to symbolically (or "") and its commit."""
    listing = await in_repository(
        location, ("for-each-ref", "--format=%(refname)%00%(symref)%00%(objectname)%00%(objecttype)", *names)
    )
    rows = (line.split("\0") for line in listing.stdout.decode("utf-8", "surrogateescape").splitlines())
    return {name: (symref, sha) for name, symref, sha, kind in rows if name in names and kind == "commit"}


async def _configured(location: Location) -> DefaultBranch | None:
    answer = await in_repository(location, ("config", "--get", "remote.origin.HEAD"), accept=OK_OR_NO)
    name = (
        _line(answer.stdout)
        .removeprefix("refs/heads/")
        .removeprefix("refs/remotes/origin/")
        .removeprefix("origin/")
    )
    if not name or not _acceptable(name):
        return None
    ref = f"refs/remotes/origin/{name}"
    found = await _existing(location, (ref,))
    return DefaultBranch(ref, found[ref][1], fallback=False) if ref in found else None


def _guessed(refs: dict[str, tuple[str, str]], *, has_origin: bool) -> DefaultBranch | None:
    ref = next((name for name in _candidates() if name in refs), None)
    if ref is None:
        return None
    guess = DefaultBranch(ref, refs[ref][1], fallback=True)
    advice = (
        "`git remote set-head origin --auto` records the real one"
        if has_origin
        else "name the base if it is another one"
    )
    caveat = (
        f"No remote says what its default branch is, so {guess.name} was taken because it exists; {advice}."
    )
    return DefaultBranch(ref, guess.commit, fallback=True, caveats=(caveat,))


def _line(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape").strip()
