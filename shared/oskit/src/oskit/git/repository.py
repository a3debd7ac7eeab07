"""An opened repository: one method a question, all of them read-only."""

from collections.abc import Iterable
from pathlib import Path

from oskit.git import _diff, _export, _history, _log, _objects, _refs, _touches, _worktree
from oskit.git._export import MAX_EXPORT_BYTES
from oskit.git._location import Location
from oskit.git._objects import BlobSpec
from oskit.git.models import (
    LARGE,
    ChangedPath,
    Commit,
    DefaultBranch,
    Diff,
    ExportedTree,
    Head,
    Limits,
    RepositoryIdentity,
    Touch,
    TreeEntry,
    WorktreeStatus,
)


class Repository(Location):
    """A repository on disk, from `open_repository`.

    Wherever a revision is asked for, a full object name costs no extra process. Every method raises a
    `GitError`; none writes into the repository, prompts, fetches or runs a program the repository names.
    """

    async def resolve(self, rev: str) -> str:
        """Give the full name of the commit that `rev` means; UnknownRevisionError when there is none."""
        return await _refs.resolve(self, rev)

    async def head(self) -> Head:
        """Tell what is checked out: no branch when detached, no commit when unborn."""
        return await _refs.head(self)

    async def default_branch(self) -> DefaultBranch | None:
        """Find the branch to compare with: origin/HEAD, remote.origin.HEAD, else develop, main, master."""
        return await _refs.default_branch(self)

    async def remote_url(self, remote: str = "origin") -> str | None:
        """Give a remote's address (credentials in it included), None when there is no such remote."""
        return await _refs.remote_url(self, remote)

    async def tree(self, rev: str) -> str:
        """Give the full name of a commit's tree: equal names mean equal files."""
        return await _history.tree(self, rev)

    async def merge_base(self, one: str, other: str) -> str:
        """Give the best common ancestor; NoMergeBaseError when there is none that can be trusted."""
        return await _history.merge_base(self, one, other)

    async def count_commits(self, base: str, head: str, *, limits: Limits = LARGE) -> int:
        """Count the commits that `head` has and `base` has not."""
        return await _history.count_commits(self, base, head, limits=limits)

    async def identity(self) -> RepositoryIdentity:
        """Tell which repository this is; linked worktrees share it, other clones do not."""
        return await _history.identity(self)

    async def diff(self, base: str, head: str, *, binary: bool = True, limits: Limits = LARGE) -> Diff:
        """Compare two commits as they are (give the merge base for what a branch changed), in one process."""
        return await _diff.diff(self, base, head, binary=binary, limits=limits)

    async def changed_paths(self, base: str, head: str, *, limits: Limits = LARGE) -> tuple[ChangedPath, ...]:
        """List the changed files without counts and patches."""
        return await _diff.changed_paths(self, base, head, limits=limits)

    async def count_files_changed(self, base: str, head: str, *, limits: Limits = LARGE) -> int:
        """Count the changed files, a rename as one."""
        return len(await self.changed_paths(base, head, limits=limits))

    async def log(
        self, base: str, head: str, *, patches: bool = True, limits: Limits = LARGE
    ) -> tuple[Commit, ...]:
        """Give the commits that `head` has and `base` has not, oldest first, in one process."""
        return await _log.log(self, base, head, patches=patches, limits=limits)

    async def recent(self, tip: str, *, commits: int, limits: Limits = LARGE) -> tuple[Commit, ...]:
        """Give the newest `commits` commits up to `tip`, without patches, newest first, in one process."""
        return await _log.recent(self, tip, commits=commits, limits=limits)

    async def touches(
        self, tip: str, paths: Iterable[bytes], *, commits: int, limits: Limits = LARGE
    ) -> tuple[Touch, ...]:
        """Give the newest `commits` commits up to `tip` that touched one of `paths`, with line counts."""
        return await _touches.touches(self, tip, paths, commits=commits, limits=limits)

    async def list_tree(
        self, rev: str, *, sizes: bool = False, limits: Limits = LARGE
    ) -> tuple[TreeEntry, ...]:
        """List every file, link and submodule of a commit."""
        return await _objects.list_tree(self, rev, sizes=sizes, limits=limits)

    async def list_paths(self, rev: str, *, limits: Limits = LARGE) -> tuple[bytes, ...]:
        """List the paths of a commit's files, links and submodules; much cheaper than `list_tree`."""
        return await _objects.list_paths(self, rev, limits=limits)

    async def read_blobs(
        self, specs: Iterable[BlobSpec], *, limits: Limits = LARGE
    ) -> dict[BlobSpec, bytes | None]:
        """Read blobs by object name or by `(revision, path)`; None for a path that is no file there."""
        return await _objects.read_blobs(self, specs, limits=limits)

    async def export_tree(
        self,
        rev: str,
        dest: Path,
        paths: Iterable[str | bytes] | None = None,
        *,
        max_bytes: int = MAX_EXPORT_BYTES,
        limits: Limits = LARGE,
    ) -> ExportedTree:
        """Write a commit's files to a new folder, byte for byte; ExportError names what was refused."""
        return await _export.export_tree(self, rev, dest, paths, max_bytes=max_bytes, limits=limits)

    async def status(self, *, limits: Limits = LARGE) -> WorktreeStatus:
        """Tell whether the work tree differs from HEAD and where; NoWorktreeError when bare."""
        return await _worktree.status(self, limits=limits)

    async def dirty_tree(self, *, limits: Limits = LARGE) -> str:
        """Give the name of the tree the work tree would commit to, untracked files included."""
        return await _worktree.dirty_tree(self, limits=limits)
