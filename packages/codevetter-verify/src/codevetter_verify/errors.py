"""Failures of codevetter, one class a word of the wire vocabulary (`mcpkit.errors.ToolError` is the root).

ToolError
├── InvalidInputError          the source, the preview or an option breaks a rule      `invalid_arguments`
├── NotEnabledError            the owner has not given this permission here            `not_enabled`
├── RevokedError               the enablement ended: disabled, expired, moved          `revoked`
├── RunInProgressError         another run holds this repository or the machine        `run_in_progress`
├── ScopeUnavailableError      the repository of this process cannot be read           `scope_unavailable`
├── StorageFailedError         the receipt store cannot be opened, read or written     `storage_failed`
├── ReceiptNotFoundError       no stored receipt has this run id                       `receipt_not_found`
├── NoReceiptError             a repository has no receipt                             `receipt_not_found`
├── AmbiguousReceiptError      part of a run id fits several (an InvalidInputError)    `invalid_arguments`
└── NothingToAttestError       a receipt names no commit that a statement could be of  `nothing_to_attest`

Exception
└── RunEndedError              ends a run; becomes a cause of its receipt, never a wire error
    ├── SourceUnresolvedError  the range cannot be resolved in this repository
    ├── NothingToVerifyError   the range holds no commit or no changed path
    ├── SourceTooLargeError    the range is over the bounds
    ├── PreviewUnreachableError nothing answered, or not as a web server does
    ├── PreviewNotLiveError    there is no deployment there (yet)
    ├── PreviewWallError       something stands before the preview: a sign-in, another site
    ├── PreviewShieldError     a shield against robots or a rate limit answered for now
    ├── AddressRefusedError    a host resolved to an address that a preview must not lead to
    ├── HostUnknownError       a host has no address (yet)
    ├── BrowserMissingError    no Chromium on this machine
    └── BrowserFailedError     Chromium did not start, or went away

`nothing_to_attest` exists on the command line only, `receipt_not_found` there and on the history server; the
others are the classes the execution server declares (`invalid_arguments` leaves it as `invalid_input`, the
contract's word).
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from mcpkit.errors import InvalidArgumentsError, ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.change import Change
    from codevetter_verify.domain.records import Permission

SERVER_CLASSES = frozenset(
    {"not_enabled", "revoked", "run_in_progress", "scope_unavailable", "storage_failed"}
)
"""What `codevetter-verify-mcp` may answer besides the classes every server has."""

HISTORY_CLASSES = frozenset(
    {"not_enabled", "revoked", "scope_unavailable", "storage_failed", "receipt_not_found"}
)
"""The same for `codevetter-mcp`."""


class InvalidInputError(InvalidArgumentsError):
    """A value of the request that may never reach git, the network or a browser."""


_WORDS: dict[Permission, tuple[str, str]] = {
    "verification": ("verification", "codevetter verify enable"),
    "history": ("reading history", "codevetter history enable"),
}


class NotEnabledError(ToolError):
    """The permission was never given for the repository this process was started for."""

    def __init__(
        self, repo_id: str, *, path: str | None = None, permission: Permission = "verification"
    ) -> None:
        place = "PATH" if path is None else shlex.quote(path)
        what, command = _WORDS[permission]
        super().__init__(
            "not_enabled",
            f"{what} is not enabled for repository id {repo_id!r}",
            hint=f"its owner runs `{command} --repo {place}`, which prints the id",
        )


class RevokedError(ToolError):
    """The enablement that this process was started under has ended."""

    def __init__(
        self, reason: str, *, path: str | None = None, permission: Permission = "verification"
    ) -> None:
        place = "PATH" if path is None else shlex.quote(path)
        what, command = _WORDS[permission]
        super().__init__(
            "revoked",
            f"{what} is no longer enabled: {reason}",
            hint=f"its owner can run `{command} --repo {place}` again",
        )


class RunInProgressError(ToolError):
    """The repository has a run already, or the machine has as many as it may.

    `same_request` says that the run under way is for the same source and preview: a host that stopped waiting
    for its call asks again, and finds the run's receipt stored once it has ended.
    """

    def __init__(
        self, message: str, *, active_run_id: str, retry_after_ms: int, same_request: bool = False
    ) -> None:
        seconds = f"{retry_after_ms / 1000:g} s"
        again = f"retry in {seconds}"
        kept = (
            f"it keeps its receipt as {active_run_id}: when it has ended, `codevetter receipts show "
            f"{active_run_id}` or `receipt_get` of codevetter-mcp answers with it; look in {seconds}"
        )
        super().__init__(
            "run_in_progress",
            f"{message}, for the same source and preview" if same_request else message,
            hint=kept if same_request else again,
            active_run_id=active_run_id,
            retry_after_ms=retry_after_ms,
            same_request=same_request,
        )


class ScopeUnavailableError(ToolError):
    """The repository cannot be opened as a git work tree."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("scope_unavailable", message, hint=hint)


class StorageFailedError(ToolError):
    """The store of receipts refused: unsafe directory, read-only, full, busy, newer than this program."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("storage_failed", message, hint=hint)


class ReceiptNotFoundError(ToolError):
    """No receipt is stored under this run id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            "receipt_not_found",
            f"no receipt of run {run_id!r} is stored",
            hint="`codevetter receipts list` shows what is",
        )


class NoReceiptError(ToolError):
    """The repository has no receipt that could be the newest."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "receipt_not_found",
            f"no receipt of {path} is stored",
            hint="`codevetter receipts list` shows those of other repositories",
        )


class AmbiguousReceiptError(InvalidInputError):
    """Part of a run id fits several receipts."""

    def __init__(self, part: str, candidates: Sequence[str], *, more: bool) -> None:
        named = ", ".join(candidates) + (", …" if more else "")
        super().__init__(f"{part!r} fits several receipts: {named}", hint="give more of the run id")


class NothingToAttestError(ToolError):
    """The run ended before it knew which commit it was about."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            "nothing_to_attest",
            f"the receipt of run {run_id} names no head commit, so there is nothing to attest",
            hint="export it as json, or verify a change that can be resolved",
        )


class RunEndedError(Exception):
    """Something that ends a run with a receipt instead of an error. The message is for the receipt."""


class SourceUnresolvedError(RunEndedError):
    """The range names no two commits of this repository, or git could not say."""


class NothingToVerifyError(RunEndedError):
    """The range is empty or reversed. `change` is what it was resolved to all the same."""

    def __init__(self, message: str, change: Change) -> None:
        super().__init__(message)
        self.change = change


class SourceTooLargeError(RunEndedError):
    """The range has more commits or changed paths than a receipt can stand for."""


class PreviewUnreachableError(RunEndedError):
    """The preview did not answer."""


class PreviewNotLiveError(RunEndedError):
    """A platform answered in place of a deployment that is not there."""


class PreviewWallError(RunEndedError):
    """What answered is not the preview: a protection page, a sign-in, another site."""


class PreviewShieldError(RunEndedError):
    """A shield against robots, or a rate limit, answered in place of the preview: perhaps not for long."""


class AddressRefusedError(RunEndedError):
    """A host resolved to an address that a visit may not open."""


class HostUnknownError(RunEndedError):
    """A host name has no address."""


class BrowserMissingError(RunEndedError):
    """There is no Chromium to visit with; the message says how to get one."""


class BrowserFailedError(RunEndedError):
    """Chromium did not start, or ended before the visit did."""
