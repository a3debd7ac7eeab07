r"""Builders of real git repositories for tests.

    repo = GitRepo.create(tmp_path / "repo")
    base = repo.write("a.txt", "one\n").commit("first")
    head = repo.branch("topic").write("a.txt", "two\n").rename("b.txt", "c.txt").commit("second")

Nothing of the developer's machine reaches these repositories: no user or system configuration, no
variables of a surrounding git process, and every commit carries a fixed name and a date one minute after
the last one, so that the same calls make the same object names everywhere.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

FIRST_COMMIT_TIME = 1_700_000_000
"""Unix time of the first commit of every repository (2023-11-14T22:13:20Z)."""

SECONDS_BETWEEN_COMMITS = 60

Name = str | bytes
"""A path inside the work tree, `/` between folders; bytes when it is not UTF-8."""


class GitFailed(AssertionError):  # noqa: N818 - it is a failed test, not an error to handle
    """A git command of the test itself failed."""


@dataclass
class GitRepo:
    """One repository on disk; every changing method returns it, so that calls can be chained."""

    path: Path
    commits_made: int = field(default=0)

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        branch: str = "main",
        bare: bool = False,
        object_format: str = "sha1",
    ) -> Self:
        """Make an empty repository (unborn `branch`) at `path`, parents included."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        options = ["--bare"] if bare else []
        repo.git("init", "-q", f"--initial-branch={branch}", f"--object-format={object_format}", *options)
        return repo

    # --- running git ------------------------------------------------------------------------------

    def git(
        self, *arguments: Name, stdin: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> bytes:
        """Run git in the repository and give its standard output; a failing command fails the test."""
        completed = self.try_git(*arguments, stdin=stdin, env=env)
        if completed.returncode != 0:
            raise GitFailed(f"git {arguments!r} ended with {completed.returncode}: {completed.stderr!r}")
        return completed.stdout

    def try_git(
        self,
        *arguments: Name,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git in the repository, whatever its exit code."""
        return subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**isolated_environment(), **self._dates(), **(env or {})},
            input=b"" if stdin is None else stdin,
            capture_output=True,
            check=False,
            timeout=60,
        )

    def ask(self, *arguments: Name) -> str:
        """Run git and give its output as one stripped line of text."""
        return self.git(*arguments).decode("utf-8", "surrogateescape").strip()

    def _dates(self) -> dict[str, str]:
        stamp = f"{FIRST_COMMIT_TIME + self.commits_made * SECONDS_BETWEEN_COMMITS} +0000"
        return {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}

    # --- the work tree ----------------------------------------------------------------------------

    def file(self, name: Name) -> Path:
        """Where `name` lies on disk."""
        return Path(os.fsdecode(os.path.join(os.fsencode(self.path), _raw(name))))  # noqa: PTH118 - bytes

    def write(self, name: Name, content: str | bytes = "", *, executable: bool = False) -> Self:
        """Write a file, its folders included, replacing whatever lay there."""
        target = self._cleared(name)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        target.chmod(0o755 if executable else 0o644)
        return self

    def write_many(self, contents: Mapping[str, str | bytes]) -> Self:
        """Write several files."""
        for name, content in contents.items():
            self.write(name, content)
        return self

    def symlink(self, name: Name, target: Name) -> Self:
        """Put a symbolic link in the work tree."""
        self._cleared(name).symlink_to(os.fsdecode(_raw(target)))
        return self

    def remove(self, name: Name) -> Self:
        """Remove a file or a folder from the work tree."""
        _remove(self.file(name))
        return self

    def rename(self, old: Name, new: Name) -> Self:
        """Rename a file in the work tree (git sees it at the next commit)."""
        content = os.fsencode(self.file(old))
        target = self._cleared(new)
        os.replace(content, os.fsencode(target))  # noqa: PTH105 - bytes
        return self

    def chmod(self, name: Name, mode: int) -> Self:
        """Change a file's permission bits."""
        self.file(name).chmod(mode)
        return self

    def _cleared(self, name: Name) -> Path:
        target = self.file(name)
        _remove(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    # --- history ----------------------------------------------------------------------------------

    def stage(self) -> Self:
        """Put the whole work tree into the index."""
        self.git("add", "--all")
        return self

    def stage_entry(self, mode: str, object_name: str, name: Name) -> Self:
        """Put one entry into the index without a file: submodules (`160000`) and crafted trees."""
        self.git(
            "update-index",
            "-z",
            "--index-info",
            stdin=f"{mode} {object_name}\t".encode() + _raw(name) + b"\0",
        )
        return self

    def commit(self, message: str = "change", *, stage: bool = True, author: str | None = None) -> str:
        """Commit the work tree (or, with `stage=False`, the index as it is); gives the full object name."""
        if stage:
            self.stage()
        by = [f"--author={author}"] if author else []
        self.git("commit", "-q", "--allow-empty", "--no-verify", *by, "-F", "-", stdin=message.encode())
        self.commits_made += 1
        return self.head

    def branch(self, name: str, at: str = "HEAD") -> Self:
        """Create a branch and switch to it."""
        self.git("checkout", "-q", "--no-track", "-b", name, at)
        return self

    def checkout(self, revision: str) -> Self:
        """Switch to a branch, or detach at a commit."""
        self.git("checkout", "-q", revision)
        return self

    def merge(self, *revisions: str, message: str = "merge", unrelated: bool = False) -> str:
        """Merge into the current branch, never fast-forward; gives the merge commit."""
        more = ["--allow-unrelated-histories"] if unrelated else []
        self.git("merge", "-q", "--no-ff", *more, "-m", message, *revisions)
        self.commits_made += 1
        return self.head

    @property
    def head(self) -> str:
        """Full object name of the current commit."""
        return self.resolve("HEAD")

    def resolve(self, revision: str) -> str:
        """Full object name of a revision."""
        return self.ask("rev-parse", "--verify", revision)

    def tree(self, revision: str = "HEAD") -> str:
        """Full object name of a commit's tree."""
        return self.resolve(f"{revision}^{{tree}}")

    def store(self, content: bytes, *, kind: str = "blob") -> str:
        """Write an object, unchecked, and give its name; for trees that git itself would not make."""
        return (
            self.git("hash-object", "-w", "-t", kind, "--literally", "--stdin", stdin=content)
            .decode()
            .strip()
        )

    def tree_after(self, base: str, *patches: bytes) -> str:
        """Name of the tree that `git apply` makes of `base` with these patches, one after another."""
        index = {"GIT_INDEX_FILE": str(self.path.with_name(f"{self.path.name}.patched-index"))}
        self.git("read-tree", base, env=index)
        for patch in patches:
            if patch:
                self.git("apply", "--cached", "--whitespace=nowarn", "-", stdin=patch, env=index)
        return self.git("write-tree", env=index).decode().strip()

    def commit_tree(self, tree: str, message: str = "crafted", parents: tuple[str, ...] = ()) -> str:
        """Commit a tree object without touching index, work tree or branch."""
        links = [part for parent in parents for part in ("-p", parent)]
        made = self.git("commit-tree", tree, *links, "-m", message).decode().strip()
        self.commits_made += 1
        return made

    # --- other repositories -----------------------------------------------------------------------

    def config(self, key: str, value: str) -> Self:
        """Set a configuration value of this repository."""
        self.git("config", key, value)
        return self

    def clone(self, path: Path, *options: str) -> "GitRepo":
        """Clone through the file protocol, so that `--depth` and `--filter` work."""
        self.git("clone", "-q", *options, self.path.resolve().as_uri(), str(path))
        return GitRepo(path, self.commits_made)

    def worktree(self, path: Path, branch: str, at: str = "HEAD") -> "GitRepo":
        """Add a linked worktree on a new branch."""
        self.git("worktree", "add", "-q", "-b", branch, str(path), at)
        return GitRepo(path, self.commits_made)


def isolated_environment() -> dict[str, str]:
    """Variables for a git that knows nothing of this machine's users."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Ada Author",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Cleo Committer",
        "GIT_COMMITTER_EMAIL": "cleo@example.org",
    }


@dataclass(frozen=True)
class FileState:
    """What is compared of one file, folder or link to prove that nobody touched it."""

    kind: str
    mode: int
    mtime_ns: int
    content: bytes


def snapshot(root: Path) -> dict[str, FileState]:
    """State of everything below `root` by relative path; equal snapshots mean that nothing was written."""
    return {str(path.relative_to(root)): _state(path) for path in sorted(root.rglob("*"))}


def _state(path: Path) -> FileState:
    status = path.lstat()
    if path.is_symlink():
        return FileState("link", 0, status.st_mtime_ns, os.fsencode(path.readlink()))
    content = b"" if path.is_dir() else path.read_bytes()
    return FileState("folder" if path.is_dir() else "file", status.st_mode, status.st_mtime_ns, content)


def _raw(name: Name) -> bytes:
    return name if isinstance(name, bytes) else os.fsencode(name)


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
