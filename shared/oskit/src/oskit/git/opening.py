"""Find the repository a path lies in."""

import os
from pathlib import Path

from oskit.git._command import in_folder
from oskit.git._translate import not_a_repository
from oskit.git.errors import GitError, NotARepositoryError, NoWorktreeError, UnexpectedOutputError
from oskit.git.repository import Repository

# rev-parse repeats flags it does not know; between two paths they part answers that may hold line ends.
_MARK = "--oskit-next-answer"
_FACTS = ("--is-bare-repository", "--is-inside-git-dir", "--is-shallow-repository", "--show-object-format")
_FOLDERS = (_MARK, "--absolute-git-dir", _MARK, "--git-common-dir")


async def open_repository(path: str | os.PathLike[str]) -> Repository:
    """Open the repository that holds `path`, a folder: a checkout or any folder in it, or a bare repository.

    Raises NotARepositoryError (missing, no folder, outside every repository, inside `.git`),
    UnsafeRepositoryError (owned by somebody else) and GitMissingError. `GIT_DIR` and the like of the caller's
    environment have no effect. Costs two git processes.
    """
    folder = _folder(path)
    answer = await in_folder(folder, ("rev-parse", *_FACTS, *_FOLDERS))
    (bare, inside, shallow, object_format), git_dir, common_dir = _parsed(answer.stdout, folder)
    return Repository(
        worktree=None if bare == "true" else await _worktree(folder, inside=inside == "true"),
        git_dir=git_dir,
        common_dir=common_dir,
        object_format=object_format,
        bare=bare == "true",
        shallow=shallow == "true",
    )


def _folder(path: str | os.PathLike[str]) -> Path:
    try:
        folder = Path(path).resolve()
        kind = folder.is_dir()
    except (OSError, ValueError, RuntimeError) as problem:
        raise not_a_repository(str(path), f"the path cannot be looked at ({problem}).") from problem
    if not kind:
        raise not_a_repository(str(path), "it is a file." if folder.exists() else "it does not exist.")
    return folder


def _parsed(output: bytes, folder: Path) -> tuple[list[str], Path, Path]:
    facts, *folders = os.fsdecode(output).split(_MARK + "\n")
    if len(facts.split()) != len(_FACTS) or len(folders) != 2:  # noqa: PLR2004 - the two of _FOLDERS
        raise UnexpectedOutputError(
            f"git rev-parse in {folder} answered in an unexpected form: {facts!r}.",
            "Git 2.30 or later is needed (`git --version`).",
        )
    git_dir, common_dir = (Path(folder, answer.removesuffix("\n")).resolve() for answer in folders)
    return facts.split(), git_dir, common_dir


async def _worktree(folder: Path, *, inside: bool) -> Path:
    if inside:
        raise _inside_git_dir(folder)
    try:
        answer = await in_folder(folder, ("rev-parse", "--show-toplevel"))
    except NoWorktreeError as problem:
        raise _inside_git_dir(folder) from problem
    return Path(os.fsdecode(answer.stdout.removesuffix(b"\n")))


def _inside_git_dir(folder: Path) -> GitError:
    return NotARepositoryError(
        f"{folder} lies inside a repository's git directory, not in its work tree.",
        "Give the folder of the checkout itself.",
    )
