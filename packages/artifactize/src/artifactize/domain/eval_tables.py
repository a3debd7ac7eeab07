"""Reading the `[evals.<id>]` tables of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.acceptance import read_acceptance
from artifactize.domain.declarations import (
    DEFAULT_TIMEOUT_MS,
    MAX_TIMEOUT_MS,
    DependencyProfile,
    EvalDeclaration,
    Kind,
    RuntimeProfile,
)
from artifactize.domain.logical_paths import path_fault
from artifactize.domain.names import NAME_RULE, is_name, name_fault

if TYPE_CHECKING:
    from artifactize.domain.acceptance import Acceptance
    from artifactize.domain.declarations import Json
    from artifactize.domain.fields import Table

MAX_DEPENDENCIES = 64
MAX_ARGS = 1024
_MAX_EXIT_CODE = 255
_LATER = ("pass_schema", "fail_schema", "profile_variants", "result_check", "gate")
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
    table.close()
    if profile is None or title is None:
        return None
    return EvalDeclaration(local_id, title, profile, payload, accept)


def read_profile(table: Table) -> RuntimeProfile | DependencyProfile | None:
    """Return the profile of a supported kind; other kinds are refused where they stand."""
    kind = table.text("kind", required=True)
    if kind == Kind.RUNTIME:
        return _runtime(table)
    if kind == Kind.DEPENDENCY:
        return _dependency(table)
    if kind in {Kind.AGENT, Kind.HUMAN}:
        table.add("kind", f"kind {kind!r} {_UNSUPPORTED}; it reviews with 'runtime' and 'dependency' evals")
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


def _dependency(table: Table) -> DependencyProfile | None:
    if not table.has("depends_on"):
        table.add("depends_on", "depends_on is missing; it lists the Artifacts this eval waits for")
    depends_on = table.texts("depends_on", least=1, most=MAX_DEPENDENCIES, fault=name_fault)
    table.close()
    return None if not depends_on else DependencyProfile(depends_on)


def _read_payload(table: Table, profile: RuntimeProfile | DependencyProfile | None) -> dict[str, Json]:
    for key in _LATER:
        if table.has(key):
            table.add(key, f"{key} {_UNSUPPORTED}")
    if isinstance(profile, DependencyProfile):
        if table.has("payload"):
            table.add("payload", "a dependency eval is derived, so it has no payload")
        return {}
    payload = table.table("payload", required=profile is not None)
    if payload is None:
        return {}
    payload.text("instruction", required=True)
    return payload.json()


def _read_accept(table: Table, profile: RuntimeProfile | DependencyProfile | None) -> Acceptance | None:
    if isinstance(profile, DependencyProfile) and table.has("accept"):
        table.add("accept", "a dependency eval is derived each time, so it has no verdict to accept")
        return None
    return read_acceptance(table.table("accept"))


def command_fault(command: str) -> str | None:
    """Return what is wrong with a program's name: bare, absolute, or relative inside the Artifact."""
    if "\0" in command:
        return "a command cannot hold a NUL character"
    if "/" not in command or command.startswith("/"):
        return None
    return path_fault(command.removeprefix("./"))


def _nul_fault(text: str) -> str | None:
    return "an argument cannot hold a NUL character" if "\0" in text else None
