"""What the commands about a review store print."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from artifactize.models.team import (
        RemoteLoggedOut,
        RemotePushed,
        RemoteStatus,
        RemovedVerdicts,
        TokenList,
        TokenRevoked,
        TokenShown,
    )


def tokens_text(found: TokenList) -> str:
    """Return a line for each token."""
    lines = [f"{each.name}  {','.join(each.scopes)}  {_standing(each)}" for each in found.tokens]
    return "\n".join(lines) or "no tokens"


def revoked_text(found: TokenRevoked) -> str:
    """Return what became of a token."""
    return f"{found.token.name} is revoked; {_taken_back(found.removed)}"


def removed_text(found: RemovedVerdicts) -> str:
    """Return what was removed."""
    return _taken_back(found.removed)


def status_text(found: RemoteStatus) -> str:
    """Return where a state's review store stands."""
    if not found.configured:
        return "no review store; `artifactize remote login URL` names one"
    lines = [f"{found.url}"]
    if found.reachable:
        lines.append(f"answers; {found.name} may {', '.join(found.scopes)}")
    elif found.problem is not None:
        lines.append(found.problem)
    if found.waiting:
        lines.append(f"{found.waiting} verdicts wait to be put there; `artifactize remote push` does it")
    return "\n".join(lines)


def logged_out_text(found: RemoteLoggedOut) -> str:
    """Return what was forgotten."""
    return "the review store and its token are forgotten" if found.configured else "there was no review store"


def pushed_text(found: RemotePushed) -> str:
    """Return what a push did."""
    words = [f"{found.put} put", f"{found.known} known there"]
    words += [f"{found.refused} refused"] if found.refused else []
    words += [f"{found.left} left"] if found.left else []
    return ", ".join(words) + (f"\n{found.problem}" if found.problem else "")


def _standing(token: TokenShown) -> str:
    if token.revoked_at is not None:
        return f"revoked {token.revoked_at}"
    return "valid until revoked" if token.expires_at is None else f"valid until {token.expires_at}"


def _taken_back(keys: int) -> str:
    return f"the verdict of {keys} {'key' if keys == 1 else 'keys'} taken back"
