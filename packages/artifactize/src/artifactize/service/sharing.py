"""Reusing what the team's review store knows, and putting there what was judged here.

The store is asked for what this machine has no verdict of. An answer counts only for the very question: its
key, its definition and every fingerprint must be those of this look. Nothing of it is kept here, so that what
is taken back there holds nowhere. Trouble with the line never stops a review; a refusal always does.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from artifactize.errors import ReviewStoreError
from artifactize.models.stored import Record
from artifactize.remote.config import pushed, read_remote, save_pushed
from artifactize.service.workspace import off_loop
from artifactize.store import records
from oskit.clock import now

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.models.review_store import Entry, Stored
    from artifactize.models.team import RemotePushed
    from artifactize.remote.config import Remote
    from artifactize.service.accepting import Usable
    from artifactize.service.looking import Look
    from artifactize.service.workspace import Workspace
    from artifactize.store.database import Store

logger = logging.getLogger(__name__)
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Shared:
    """What a review store knows, by eval; `problem` says why it could not be asked."""

    found: dict[str, Stored]
    origin: str = ""
    problem: str | None = None


async def ask(workspace: Workspace, seen: Look, *, evals: Iterable[str], required: bool) -> Shared:
    """Ask the store, if there is one, for those of these evals that this machine has no verdict of.

    Raises ReviewStoreError for a refusal, and with `required` for everything that is no answer.
    """
    wanted = list(evals)
    return await off_loop(lambda: _ask(workspace, seen, wanted, required=required))


async def ask_or_none(workspace: Workspace, seen: Look, *, evals: Iterable[str]) -> Shared:
    """Ask as `ask` does in the middle of a Run, which no failure of the store ends; a refusal is logged."""
    try:
        return await ask(workspace, seen, evals=evals, required=False)
    except ReviewStoreError as failure:
        logger.warning("%s; going on without the review store", failure.message)
        return Shared({})


def with_shared(known: Usable, shared: Shared, seen: Look) -> Usable:
    """Return what is known here with what the store knows besides, as far as it is accepted."""
    usable, refused = dict(known.records), dict(known.refused)
    moment = now()
    for eval_id, stored in shared.found.items():
        if eval_id in usable or eval_id in refused:
            continue
        record = _record(stored)
        acceptance = seen.project.acceptance(eval_id)
        reason = None if acceptance is None else acceptance.refusal(record, moment)
        if reason is None:
            usable[eval_id] = record
        else:
            refused[eval_id] = f"the verdict of Run {record.run_id} at {shared.origin} is refused: {reason}"
    return replace(known, records=usable, refused=refused)


def _ask(workspace: Workspace, seen: Look, evals: list[str], *, required: bool) -> Shared:
    remote = read_remote(workspace.state_dir)
    if remote is None:
        if required:
            raise ReviewStoreError(
                "--require-store: this state has no review store",
                hint="`artifactize remote login URL` names one",
            )
        return Shared({})
    missing = _missing(workspace, seen, evals)
    if not missing and not required:
        return Shared({}, remote.origin)
    from artifactize.remote.client import StoreClient, UnreachableError  # deferred: most reviews need no HTTP

    try:
        with StoreClient(remote.origin, remote.token) as client:
            if not missing:
                client.whoami()
            found = client.lookup(list(dict.fromkeys(missing.values())))
    except UnreachableError as failure:
        if required:
            raise ReviewStoreError(
                f"--require-store: {failure}", hint="try again when it answers"
            ) from failure
        logger.warning("%s; going on without the review store", failure)
        return Shared({}, remote.origin, str(failure))
    answers = {eval_id: found[key] for eval_id, key in missing.items() if key in found}
    return Shared(
        {eval_id: each for eval_id, each in answers.items() if _counts(each, eval_id, seen, remote)},
        remote.origin,
    )


def _missing(workspace: Workspace, seen: Look, evals: list[str]) -> dict[str, str]:
    """Return the keys that nothing was ever said of here: neither a verdict, nor that one is taken back."""
    keys = {eval_id: key for eval_id in evals if (key := seen.keys.get(eval_id)) is not None}
    store = workspace.existing_store()
    if store is None:
        return keys
    with store.read() as connection:
        known = records.spoken_of(connection, keys.values())
    return {eval_id: key for eval_id, key in keys.items() if key not in known}


def _counts(stored: Stored, eval_id: str, seen: Look, remote: Remote) -> bool:
    entry = stored.entry
    same = entry.definition == seen.definitions[eval_id] and entry.fingerprints == seen.covered(eval_id)
    if not same:
        raise ReviewStoreError(
            f"{remote.origin} answers for other inputs than {eval_id} has; entry {stored.sequence} is wrong",
            hint=f"whoever runs it can remove it: artifactize server rm {entry.key}",
        )
    if not remote.trusted:
        return True
    from artifactize.remote.signing import is_signed_by  # deferred: needs an extra

    if is_signed_by(entry, remote.trusted):
        return True
    logger.warning("entry %s of %s is not signed by a trusted key; not used", stored.sequence, remote.origin)
    return False


def _record(stored: Stored) -> Record:
    entry = stored.entry
    return Record(
        sequence=stored.sequence,
        key=entry.key,
        verdict=entry.verdict,
        eval=entry.eval,
        artifact=entry.artifact,
        definition=entry.definition,
        fingerprints=entry.fingerprints,
        exit_code=entry.exit_code,
        message=entry.message,
        run_id=entry.run,
        request_id=entry.execution,
        recorded_at=entry.recorded_at,
    )


async def push(workspace: Workspace, *, everything: bool = False) -> RemotePushed | None:
    """Put what was judged here since the last time, or ever, into the store; None without a store.

    Stops where the store does not answer, and goes on from there next time. Raises ReviewStoreError.
    """
    return await off_loop(lambda: _push(workspace, everything=everything))


def waiting(workspace: Workspace, remote: Remote) -> int:
    """Return how many verdicts have not been put into the store yet."""
    store = workspace.existing_store()
    if store is None:
        return 0
    with store.read() as connection:
        return records.count_after(connection, pushed(workspace.state_dir, remote.origin))


def newest_sequence(workspace: Workspace) -> int:
    """Return the number of the newest record of this state, 0 without any."""
    store = workspace.existing_store()
    if store is None:
        return 0
    with store.read() as connection:
        return records.newest_sequence(connection)


def _push(workspace: Workspace, *, everything: bool) -> RemotePushed | None:
    from artifactize.models.team import RemotePushed
    from artifactize.remote.client import RefusedEntryError, StoreClient, UnreachableError

    remote, store = read_remote(workspace.state_dir), workspace.existing_store()
    if remote is None:
        return None
    if store is None or not {"publish", "human"} & set(remote.scopes):
        reads = None if store is None else f"the token {remote.name} only reads"
        return RemotePushed(put=0, known=0, refused=0, left=0, problem=reads)
    place = 0 if everything else pushed(workspace.state_dir, remote.origin)
    put = known = refused = 0
    problem: str | None = None
    with StoreClient(remote.origin, remote.token) as client:
        while problem is None and (batch := _after(store, place)):
            for record, kind in batch:
                try:
                    answer = client.put(_entry(record, kind, remote))
                except UnreachableError as failure:
                    problem = str(failure)
                    break
                except RefusedEntryError as failure:
                    refused += 1
                    logger.warning("%s takes no verdict of %s: %s", remote.origin, record.eval, failure)
                else:
                    put, known = put + (not answer.known), known + answer.known
                place = record.sequence
            save_pushed(
                workspace.state_dir, remote.origin, max(place, pushed(workspace.state_dir, remote.origin))
            )
    return RemotePushed(
        put=put, known=known, refused=refused, left=waiting(workspace, remote), problem=problem
    )


def _after(store: Store, sequence: int) -> list[tuple[Record, str]]:
    with store.read() as connection:
        return records.after(connection, sequence, limit=_BATCH)


def _entry(record: Record, kind: str, remote: Remote) -> Entry:
    from artifactize.models.review_store import Entry

    entry = Entry.model_validate(
        {
            "key": record.key,
            "verdict": record.verdict,
            "kind": kind,
            "eval": record.eval,
            "artifact": record.artifact,
            "definition": record.definition,
            "fingerprints": dict(record.fingerprints),
            "exit_code": record.exit_code,
            "message": record.message,
            "execution": record.request_id,
            "run": record.run_id,
            "recorded_at": record.recorded_at,
        }
    )
    if remote.sign_with is None:
        return entry
    from artifactize.remote.signing import signed

    return signed(entry, remote.sign_with)
