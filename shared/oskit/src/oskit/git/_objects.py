"""Trees and blobs, read in batches."""

from collections.abc import Iterable, Sequence

from oskit.git._command import on_objects
from oskit.git._location import Location
from oskit.git._parse_batch import parse_batch
from oskit.git._parse_tree import parse_paths, parse_tree
from oskit.git._refs import full_name
from oskit.git._translate import Failure, translated
from oskit.git.models import LARGE, Limits, TreeEntry

BlobSpec = str | tuple[str, bytes]
"""A blob by its full object name, or by revision and path."""

_PATHS_PER_CALL = 500


async def list_tree(
    location: Location, revision: str, *, sizes: bool = False, limits: Limits = LARGE
) -> tuple[TreeEntry, ...]:
    """List every file, link and submodule of a commit, recursively, in git's order."""
    name = await full_name(location, revision)
    size = ("-l",) if sizes else ()
    completed = await on_objects(location, ("ls-tree", "-r", "-z", "--full-tree", *size, name), limits=limits)
    return parse_tree(completed.stdout)


async def list_paths(location: Location, revision: str, *, limits: Limits = LARGE) -> tuple[bytes, ...]:
    """List the paths of a commit's files, links and submodules, in git's order; much cheaper than all."""
    name = await full_name(location, revision)
    completed = await on_objects(
        location, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", name), limits=limits
    )
    return parse_paths(completed.stdout)


async def read_blobs(
    location: Location, specs: Iterable[BlobSpec], *, limits: Limits = LARGE
) -> dict[BlobSpec, bytes | None]:
    """Read many blobs with one process (and one more per revision whose paths are asked for).

    A path that the commit does not have, or that is a folder or a submodule, gives None. A blob that is named
    and absent raises MissingObjectError: the repository is damaged or partial.
    """
    wanted = dict.fromkeys(specs)
    names = {spec: spec for spec in wanted if isinstance(spec, str)} | await _names_of_paths(
        location, wanted, limits
    )
    contents = await _read(location, sorted(set(names.values())), limits)
    return {spec: contents[names[spec]] if spec in names else None for spec in wanted}


async def _names_of_paths(
    location: Location, specs: Iterable[BlobSpec], limits: Limits
) -> dict[BlobSpec, str]:
    by_revision: dict[str, list[bytes]] = {}
    for spec in specs:
        if not isinstance(spec, str):
            by_revision.setdefault(spec[0], []).append(spec[1])
    names: dict[BlobSpec, str] = {}
    for revision, paths in by_revision.items():
        found = await _blobs_at(location, revision, paths, limits)
        names.update({(revision, path): found[path] for path in paths if path in found})
    return names


async def _blobs_at(
    location: Location, revision: str, paths: Sequence[bytes], limits: Limits
) -> dict[bytes, str]:
    name = await full_name(location, revision)
    options = ("-r",) if len(paths) > _PATHS_PER_CALL else ()  # a long list is not put on the command line
    asked = () if options else tuple(path for path in paths if _may_exist(path))
    if not options and not asked:
        return {}
    completed = await on_objects(
        location, ("ls-tree", *options, "-z", "--full-tree", "--", name, *asked), limits=limits
    )
    return {entry.path: entry.sha for entry in parse_tree(completed.stdout) if entry.kind == "blob"}


def _may_exist(path: bytes) -> bool:
    """Whether a tree can hold such a path; git reads others as places outside and fails."""
    return b"\0" not in path and not {b"", b".", b".."}.intersection(path.split(b"/"))


async def _read(location: Location, names: Sequence[str], limits: Limits) -> dict[str, bytes]:
    if not names:
        return {}
    stdin = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    completed = await on_objects(location, ("cat-file", "--batch", "--buffer"), stdin=stdin, limits=limits)
    contents: dict[str, bytes] = {}
    for name, found in zip(names, parse_batch(completed.stdout), strict=True):
        if found.content is None or found.kind != "blob":
            raise missing_blob(location, name)
        contents[name] = found.content
    return contents


def missing_blob(location: Location, name: str) -> Exception:
    """Say that a blob the repository refers to is not there."""
    return translated(Failure("cat-file", (), location.shown, 0, f"fatal: missing blob {name}"))
