"""From the text of one `.artf` file to its declaration, or to every mistake in it."""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.acceptance import read_acceptance
from artifactize.domain.declarations import ArtifactDeclaration, FingerprintRule, Gates
from artifactize.domain.eval_tables import read_evals
from artifactize.domain.fields import Mistakes, Table
from artifactize.domain.fingerprint_tables import read_fingerprint
from artifactize.domain.names import NAME_RULE, is_name, name_fault
from artifactize.domain.problems import Problem, Source
from artifactize.domain.toml_positions import key_positions
from artifactize.domain.view_tables import read_views

if TYPE_CHECKING:
    from artifactize.domain.acceptance import Acceptance

FOLDER_DECLARATION = "index.artf"
SUFFIX = ".artf"
MAX_TAGS = 64
MAX_TAG_CHARS = 64
_SYNTAX_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)
_DELETE = 0x7F
_SPACE = 0x20


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file gave: its declaration if readable, its source for later checks, its mistakes."""

    declaration: ArtifactDeclaration | None
    source: Source
    problems: tuple[Problem, ...]


def parse_declaration(text: str, *, file: str) -> Parsed:
    """Parse one file; `file` is its path relative to the repository, with `/`."""
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as failure:
        return Parsed(None, Source(file, {}), (_syntax_problem(file, text, str(failure)),))
    source = Source(file, key_positions(text.replace("\r\n", "\n")))
    mistakes = Mistakes(source)
    declaration = _read(Table(value, (), mistakes), file, text_digest(text))
    return Parsed(declaration, source, tuple(mistakes.found))


def text_digest(text: str) -> str:
    """Return what tells one text of a declaration from another."""
    return hashlib.sha256(text.encode()).hexdigest()


def _read(table: Table, file: str, digest: str) -> ArtifactDeclaration | None:
    folder, _, base = file.rpartition("/")
    target = None if base == FOLDER_DECLARATION else base.removesuffix(SUFFIX)
    name = table.text("name", required=True, fault=name_fault)
    tags = table.texts("tags", most=MAX_TAGS, fault=_tag_fault) or ()
    mounts = _read_mounts(table, target)
    basis = table.flag("basis")
    fingerprint: FingerprintRule | None = read_fingerprint(table, target=target)
    gates, accept, distinct = _read_policy(table, file)
    agent_tools, human_tools = read_views(table)
    evals_table = table.table("evals")
    evals = () if evals_table is None else read_evals(evals_table)
    if basis and evals_table is not None:
        table.add("basis", "a basis has no evals of its own; remove basis or the evals")
    table.close()
    if name is None:
        return None
    return ArtifactDeclaration(
        name,
        file,
        folder,
        target,
        tags,
        mounts,
        basis,
        fingerprint,
        gates,
        evals,
        digest,
        accept,
        distinct,
        agent_tools,
        human_tools,
    )


def _read_mounts(table: Table, target: str | None) -> dict[str, str]:
    mounts = table.table("mounts")
    if mounts is None:
        return {}
    found: dict[str, str] = {}
    for alias in mounts.entries():
        name = mounts.text(alias, fault=name_fault)
        if not is_name(alias):
            mounts.add(alias, f"a mount alias has {NAME_RULE}")
        elif alias == target:
            mounts.add(alias, "the alias hides the declared file; choose another")
        elif name is not None:
            found[alias] = name
    return found


def _read_policy(table: Table, file: str) -> tuple[Gates | None, Acceptance | None, bool]:
    policy = table.table("review_policy")
    if policy is None:
        return None, None, False
    if file != FOLDER_DECLARATION:
        table.add("review_policy", f"review_policy belongs to the repository root's {FOLDER_DECLARATION}")
    gates = policy.text("dependency_gates", fault=_gates_fault)
    accept = read_acceptance(policy.table("accept"), of_people=True)
    distinct = policy.flag("distinct_reviewer")
    policy.close()
    return (None if gates is None else Gates(gates)), accept, distinct


def _gates_fault(text: str) -> str | None:
    return None if text in set(Gates) else f"expected 'green' or 'ignore', not {text!r}"


def _tag_fault(text: str) -> str | None:
    if not text.strip() or len(text) > MAX_TAG_CHARS:
        return f"a tag has 1 to {MAX_TAG_CHARS} characters, not all blank"
    if any(ord(char) < _SPACE or ord(char) == _DELETE for char in text):
        return "a tag holds no control characters"
    return None


def _syntax_problem(file: str, text: str, message: str) -> Problem:
    found = _SYNTAX_PLACE.fullmatch(message)
    if found:
        return Problem(file, int(found[2]), int(found[3]), "", f"not TOML: {found[1]}")
    last = text.count("\n") + 1
    return Problem(file, last, len(text) - text.rfind("\n"), "", f"not TOML: {message}")
