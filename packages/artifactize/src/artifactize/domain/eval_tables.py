"""Reading the `[evals.<id>]` tables of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.acceptance import read_acceptance
from artifactize.domain.declarations import (
    DEFAULT_TIMEOUT_MS,
    MAX_TIMEOUT_MS,
    DependencyProfile,
    EvalDeclaration,
    HumanProfile,
    Kind,
    RuntimeProfile,
)
from artifactize.domain.logical_paths import path_fault
from artifactize.domain.names import NAME_RULE, is_name, name_fault
from artifactize.domain.people import reviewer_fault
from artifactize.domain.schema_faults import read_schema

if TYPE_CHECKING:
    from artifactize.domain.acceptance import Acceptance
    from artifactize.domain.declarations import Json, Profile
    from artifactize.domain.fields import Table

MAX_DEPENDENCIES = 64
MAX_ARGS = 1024
_MAX_EXIT_CODE = 255
MAX_REVIEWERS = 256
_OF_AGENTS = ("profile_variants", "result_check", "controls")
_UNSUPPORTED = "is not supported by this version"


def read_evals(evals: Table) -> tuple[EvalDeclaration, ...]:
    """Return the evals that could be read, ordered by id; mistakes are noted in the table."""
    found: list[EvalDeclaration] = []
    for local_id, table in evals.tables():
        if not is_name(local_id):
            evals.add(local_id, f"an eval id has {NAME_RULE}")
        if (declared := _read_eval(local_id, table)) is not None:
            found.append(declared)
    return tuple(found)


def _read_eval(local_id: str, table: Table) -> EvalDeclaration | None:
    title = table.text("title", required=True)
    if table.has("id"):
        table.add("id", f"an eval is named by its table: [evals.{local_id}]; remove the field")
    profile_table = table.table("profile", required=True)
    profile = None if profile_table is None else read_profile(profile_table)
    payload = _read_payload(table, profile)
    accept = _read_accept(table, profile)
    schemas = read_schema(table, "pass_schema"), read_schema(table, "fail_schema")
    blocking = table.text("gate", fault=_gate_fault) is not None
    _refuse_foreign(table, profile)
    table.close()
    if profile is None or title is None:
        return None
    return EvalDeclaration(local_id, title, profile, payload, accept, *schemas, blocking)


def _refuse_foreign(table: Table, profile: Profile | None) -> None:
    """Note what belongs to evals of another kind."""
    for key in _OF_AGENTS:
        if table.has(key):
            table.add(key, f"{key} {_UNSUPPORTED}; it belongs to agent evals")
    if profile is None or isinstance(profile, HumanProfile):
        return
    for key in ("pass_schema", "fail_schema", "gate"):
        if table.has(key):
            table.add(key, f"{key} belongs to human evals: only they have fields and can be deferred")


def read_profile(table: Table) -> Profile | None:
    """Return the profile of a supported kind; other kinds are refused where they stand."""
    kind = table.text("kind", required=True)
    if kind == Kind.RUNTIME:
        return _runtime(table)
    if kind == Kind.DEPENDENCY:
        return _dependency(table)
    if kind == Kind.HUMAN:
        return _human(table)
    if kind == Kind.AGENT:
        known = "'runtime', 'human' and 'dependency'"
        table.add("kind", f"kind {kind!r} {_UNSUPPORTED}; it reviews with {known} evals")
    elif kind is not None:
        table.add("kind", f"unknown kind {kind!r}; the kinds are {', '.join(Kind)}")
    return None


def _runtime(table: Table) -> RuntimeProfile | None:
    command = table.text("command", required=True, fault=command_fault)
    args = table.texts("args", most=MAX_ARGS, fault=_nul_fault, unique=False) or ()
    timeout_ms = table.whole("timeout_ms", default=DEFAULT_TIMEOUT_MS, least=1, most=MAX_TIMEOUT_MS)
    red, error = _exit_codes(table.table("exit_codes"))
    table.close()
    return None if command is None else RuntimeProfile(command, args, timeout_ms, red, error)


def _exit_codes(table: Table | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if table is None:
        return (), ()
    red = table.whole_numbers("red", least=1, most=_MAX_EXIT_CODE)
    error = table.whole_numbers("error", least=1, most=_MAX_EXIT_CODE)
    table.close()
    if both := sorted(set(red) & set(error)):
        table.add("error", f"{both[0]} is listed as red and as error")
    return red, error


def _human(table: Table) -> HumanProfile:
    quorum = table.whole("quorum", default=1, least=1, most=MAX_REVIEWERS)
    reviewers = table.texts("reviewers", least=1, most=MAX_REVIEWERS, fault=reviewer_fault) or ()
    table.close()
    if reviewers and quorum > len(reviewers):
        table.add("quorum", f"{quorum} of {len(reviewers)} reviewers can never sign")
    return HumanProfile(quorum, reviewers)


def _dependency(table: Table) -> DependencyProfile | None:
    if not table.has("depends_on"):
        table.add("depends_on", "depends_on is missing; it lists the Artifacts this eval waits for")
    depends_on = table.texts("depends_on", least=1, most=MAX_DEPENDENCIES, fault=name_fault)
    table.close()
    return None if not depends_on else DependencyProfile(depends_on)


def _read_payload(table: Table, profile: Profile | None) -> dict[str, Json]:
    if isinstance(profile, DependencyProfile):
        if table.has("payload"):
            table.add("payload", "a dependency eval is derived, so it has no payload")
        return {}
    payload = table.table("payload", required=profile is not None)
    if payload is None:
        return {}
    payload.text("instruction", required=True)
    return payload.json()


def _read_accept(table: Table, profile: Profile | None) -> Acceptance | None:
    if isinstance(profile, DependencyProfile) and table.has("accept"):
        table.add("accept", "a dependency eval is derived each time, so it has no verdict to accept")
        return None
    signed = profile is None or isinstance(profile, HumanProfile)
    return read_acceptance(table.table("accept"), of_people=signed)


def command_fault(command: str) -> str | None:
    """Return what is wrong with a program's name: bare, absolute, or relative inside the Artifact."""
    if "\0" in command:
        return "a command cannot hold a NUL character"
    if "/" not in command or command.startswith("/"):
        return None
    return path_fault(command.removeprefix("./"))


def _gate_fault(text: str) -> str | None:
    return None if text == "blocking" else f"expected 'blocking' or no gate, not {text!r}"


def _nul_fault(text: str) -> str | None:
    return "an argument cannot hold a NUL character" if "\0" in text else None
