"""What can go wrong when a repository is read; every error says what, where and the next step.

GitError
├── GitMissingError            no `git` program on this machine
├── NotARepositoryError        the path is missing or outside every repository
├── UnsafeRepositoryError      git refuses the owner (`safe.directory`)
├── NoWorktreeError            the question needs files on disk, the repository is bare
├── UnknownRevisionError       no such branch, tag or commit
├── NoMergeBaseError           no common ancestor, or a shallow clone hides it
├── FetchError                 a remote did not give what was asked for
├── ExportError                a tree cannot be written to disk as it is
├── GitTimeoutError            the deadline passed; the process tree was killed
├── GitOutputTooLargeError     more output than the caller allows
└── GitFailedError             git ended with an error
    ├── MissingObjectError     an object is absent or damaged (partial clone, corruption)
    └── UnexpectedOutputError  git answered something this reader does not understand
"""


class GitError(Exception):
    """A repository could not be read.

    `message` is one sentence with what and where; `hint` is what the person can do next.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class GitMissingError(GitError):
    """No `git` program was found."""


class NotARepositoryError(GitError):
    """The path does not exist or lies in no repository."""


class UnsafeRepositoryError(GitError):
    """The repository belongs to somebody else and is not listed in `safe.directory`."""


class NoWorktreeError(GitError):
    """The repository has no work tree on disk."""


class UnknownRevisionError(GitError):
    """A revision names no commit of this repository."""

    def __init__(self, message: str, hint: str, *, revision: str) -> None:
        super().__init__(message, hint)
        self.revision = revision


class NoMergeBaseError(GitError):
    """Two commits have no common ancestor that can be trusted.

    `shallow` tells a history that was cut (fetching more repairs it) from unrelated histories.
    """

    def __init__(self, message: str, hint: str, *, shallow: bool) -> None:
        super().__init__(message, hint)
        self.shallow = shallow


class FetchError(GitError):
    """A remote could not be reached, or does not have what was asked for."""


class ExportError(GitError):
    """A tree was refused (unsafe names) or could not be written."""


class GitTimeoutError(GitError):
    """A git process did not finish before its deadline."""


class GitOutputTooLargeError(GitError):
    """A git process gave more output than allowed; nothing of it was used."""


class GitFailedError(GitError):
    """Git ended with an error; `stderr` holds the beginning of what it said."""

    def __init__(self, message: str, hint: str, *, returncode: int | None = None, stderr: str = "") -> None:
        super().__init__(message, hint)
        self.returncode = returncode
        self.stderr = stderr


class MissingObjectError(GitFailedError):
    """An object that the answer needs is absent or damaged."""


class UnexpectedOutputError(GitFailedError):
    """Git's output does not have the documented form."""
