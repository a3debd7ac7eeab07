"""What the next `verify` will do with each eval, and why; runs nothing, creates nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from artifactize.domain.changes import Changes, Recorded, explain
from artifactize.domain.planning import Action, Decision, Known, plan
from artifactize.domain.selection import Selection, SelectionKind, choose
from artifactize.domain.states import RequestState
from artifactize.models.inspection import ActionCounts, ChangeReport, EvalStatus, LastReview, StatusResult
from artifactize.service.accepting import Usable, usable
from artifactize.service.looking import declared_environment, look, read_graph
from artifactize.service.sharing import ask, with_shared
from artifactize.service.workspace import off_loop
from artifactize.store import owners, records, requests
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from artifactize.domain.selection import Chosen
    from artifactize.models.inspection import StatusRequest
    from artifactize.models.stored import Claim, EvalRequest, Record
    from artifactize.service.looking import Look
    from artifactize.service.workspace import Workspace
    from artifactize.store.database import Store
    from artifactize.tree.traces import Trace


@dataclass(frozen=True, slots=True)
class _Memory:
    """What the state knows of the evals in question."""

    usable: Usable = field(default_factory=Usable)
    newest: Mapping[str, Record] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    last: Mapping[str, EvalRequest] = field(default_factory=dict)
    manifests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


async def predict(
    workspace: Workspace, request: StatusRequest, *, trace: Trace | None = None
) -> StatusResult:
    """Return the plan for a selection; what is looked at is noted in `trace`. Raises as `submit` does."""
    graph = await read_graph(workspace.root, trace)
    scope = request.scope
    selection = Selection(SelectionKind(scope.kind), scope.ids)
    chosen = choose(selection, graph, recursive=request.recursive)
    environment = declared_environment(workspace.environment, graph.project)
    seen = await look(workspace.root, graph, chosen.closure, environment, trace=trace)
    seen.refuse_failures()
    return await predict_seen(workspace, request, seen, chosen)


async def predict_seen(
    workspace: Workspace, request: StatusRequest, seen: Look, chosen: Chosen
) -> StatusResult:
    """Return the plan for a repository that has been looked at."""
    shared = await ask(workspace, seen, evals=seen.keys, required=False)
    memory = await off_loop(lambda: _remember(workspace, seen))
    memory = replace(memory, usable=with_shared(memory.usable, shared, seen))
    known = {eval_id: _known(eval_id, seen, memory) for eval_id in seen.keys}
    decisions = plan(seen.graph, chosen, known, force=request.force, ignore_gates=request.ignore_gates)
    return _result(decisions, seen, chosen, known, memory)


def _remember(workspace: Workspace, seen: Look) -> _Memory:
    store = workspace.existing_store()
    return _Memory() if store is None else _recall(store, workspace.repository, seen)


def _recall(store: Store, repository: str, seen: Look) -> _Memory:
    with store.read() as connection:
        known = usable(connection, seen)
        answered = known.records.keys() | known.refused.keys()
        stale = [eval_id for eval_id, key in seen.keys.items() if key is not None and eval_id not in answered]
        newest = records.newest_of_evals(connection, stale)
        live = {
            claim.key: claim
            for claim in owners.all_claims(connection)
            if ProcessIdentity.parse(claim.owner).is_alive()
        }
        last = requests.last_of_evals(connection, repository)
        return _Memory(known, newest, live, last, _manifests(connection, newest, seen))


def _manifests(
    connection: sa.Connection, newest: Mapping[str, Record], seen: Look
) -> dict[str, Mapping[str, str]]:
    """Return the recorded manifests of every fingerprint that changed."""
    values = {
        value
        for record in newest.values()
        for name, value in record.fingerprints.items()
        if seen.fingerprints.values.get(name) != value
    }
    found = {value: records.get_manifest(connection, value) for value in values}
    return {value: manifest.files for value, manifest in found.items() if manifest is not None}


def _known(eval_id: str, seen: Look, memory: _Memory) -> Known:
    key = seen.keys[eval_id]
    if key is None:
        return Known(unkeyed=None if seen.project.evals[eval_id].is_derived else seen.unkeyed(eval_id))
    claim = memory.claims.get(key)
    executing = None if claim is None else claim.run_id
    if (refused := memory.usable.refused.get(eval_id)) is not None:
        return Known(executing=executing, refused=refused)
    record = memory.usable.records.get(eval_id)
    if record is not None:
        return Known(verdict=RequestState(record.verdict), run_id=record.run_id, executing=executing)
    older = memory.newest.get(eval_id)
    changes = None if older is None else _changes(eval_id, seen, older, memory)
    return Known(executing=executing, changes=changes)


def _changes(eval_id: str, seen: Look, older: Record, memory: _Memory) -> Changes:
    now = seen.covered(eval_id)
    manifests = {
        name: (_files(memory, older.fingerprints.get(name)), _present(seen, name))
        for name in {*now, *older.fingerprints}
    }
    return explain(
        seen.project.evals[eval_id].artifact,
        recorded=Recorded(older.run_id, older.definition, older.fingerprints),
        definition=seen.definitions[eval_id],
        current=now,
        manifests=manifests,
    )


def _files(memory: _Memory, fingerprint: str | None) -> dict[str, str] | None:
    found = None if fingerprint is None else memory.manifests.get(fingerprint)
    return None if found is None else dict(found)


def _present(seen: Look, name: str) -> dict[str, str] | None:
    found = seen.fingerprints.manifests.get(name)
    return None if found is None else dict(found)


def _result(
    decisions: tuple[Decision, ...], seen: Look, chosen: Chosen, known: Mapping[str, Known], memory: _Memory
) -> StatusResult:
    actions = Counter(each.action for each in decisions if each.included)
    return StatusResult(
        satisfied=all(each.state is RequestState.GREEN for each in decisions),
        artifacts=len(chosen.closure),
        actions=ActionCounts(
            execute=actions[Action.EXECUTE],
            reuse=actions[Action.REUSE],
            wait=actions[Action.WAIT],
            blocked=actions[Action.BLOCKED],
        ),
        evals=tuple(_eval_status(each, seen, known[each.eval], memory) for each in decisions),
    )


def _eval_status(decision: Decision, seen: Look, known: Known, memory: _Memory) -> EvalStatus:
    last = memory.last.get(decision.eval)
    changes = known.changes
    return EvalStatus(
        eval=decision.eval,
        title=seen.project.evals[decision.eval].declaration.title,
        kind=str(seen.project.evals[decision.eval].kind),
        selected=decision.selected,
        included=decision.included,
        action=decision.action.value,
        state=decision.state,
        reason=decision.reason,
        blocked_by=decision.blocked_by,
        changes=None
        if changes is None
        else ChangeReport(
            since_run=changes.since_run,
            definition=changes.definition,
            files=changes.files,
            dependencies=changes.dependencies,
            summary=changes.summary,
        ),
        last=None if last is None else LastReview(run_id=last.run_id, state=last.state),
    )
