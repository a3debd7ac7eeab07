"""The fingerprints of Artifacts: files hashed in a thread, scripts and tools run in place."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from artifactize.execution.environment import private_environment
from artifactize.tree.artifactsum import ReadingDigests, artifactsum
from artifactize.tree.ignores import GitIgnores
from artifactize.tree.operands import Commands, OperandError
from artifactize.tree.own_files import FingerprintError, Walker
from artifactize.tree.traces import Trace
from artifactize.tree.tracked import TrackedFiles
from oskit.files import StorageError
from oskit.process import ProcessError, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from artifactize.domain.changes import Manifest
    from artifactize.domain.declarations import ArtifactDeclaration, FingerprintRule, FingerprintScript
    from artifactize.domain.graph import Graph
    from artifactize.tree.artifactsum import Digests
    from oskit.process import Completed

_SCRIPT_VALUE = re.compile(rb"([A-Za-z0-9._:-]{1,128})\n?")
_TOOL_DEADLINE_S = 30.0
_MS = 1000
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """What could be fingerprinted, and why not the rest. `fingerprint = false` is in neither."""

    values: Mapping[str, str] = field(default_factory=dict)
    manifests: Mapping[str, Manifest] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)


class Fingerprinter:
    """Takes the fingerprints of a project as its files are now. Make a new one for every look."""

    def __init__(
        self,
        root: Path,
        graph: Graph,
        environment: Mapping[str, str],
        digests: Digests | None = None,
        trace: Trace | None = None,
    ) -> None:
        self._root = root
        self._project = graph.project
        self._environment = environment
        self._digests = digests or ReadingDigests()
        self._trace = trace = trace or Trace()
        ignores = GitIgnores(root, trace)
        self._walker = Walker(root, ignores, TrackedFiles(root, trace), graph.folders.owned, trace)
        self._commands = Commands(root, graph)
        self._tools: dict[tuple[str, tuple[str, ...]], str] = {}

    async def take(self, names: Iterable[str]) -> Fingerprints:
        """Return the fingerprints of these Artifacts; a failure is a result here, not an exception."""
        rules = {name: self._project.artifacts[name].declaration for name in names}
        found = await to_thread.run_sync(self._hash_all, rules)
        for name, declared in rules.items():
            rule = declared.fingerprint
            if rule is not None and name not in found.failures and (rule.script or rule.env or rule.tools):
                found = await self._extended(found, declared, rule)
        return found

    def _hash_all(self, rules: Mapping[str, ArtifactDeclaration]) -> Fingerprints:
        values: dict[str, str] = {}
        manifests: dict[str, Manifest] = {}
        failures: dict[str, str] = {}
        for name, declared in rules.items():
            if declared.fingerprint is None or declared.fingerprint.script is not None:
                continue
            try:
                files = self._walker.files(declared, declared.fingerprint)
                values[name], manifests[name] = artifactsum(name, files, self._digests)
            except FingerprintError as failure:
                failures[name] = str(failure)
            except StorageError as failure:
                failures[name] = f"{name}: {failure.message}"
        return Fingerprints(values, manifests, failures)

    async def _extended(
        self, found: Fingerprints, declared: ArtifactDeclaration, rule: FingerprintRule
    ) -> Fingerprints:
        name = declared.name
        try:
            base = await self._script(declared, rule, rule.script) if rule.script else found.values[name]
            extra = {f"env {key}": _short(self._environment.get(key)) for key in rule.env}
            for argv in rule.tools:
                extra[f"tool {' '.join(argv)}"] = await self._tool(declared, rule, argv)
        except FingerprintError as failure:
            return Fingerprints(found.values, found.manifests, {**found.failures, name: str(failure)})
        value = f"mixed:{_digest([base, extra])}" if extra else base
        values = {**found.values, name: value}
        manifest = {**found.manifests.get(name, {}), **extra}
        manifests = {**found.manifests, name: manifest} if manifest else found.manifests
        return Fingerprints(values, manifests, found.failures)

    async def _script(
        self, declared: ArtifactDeclaration, rule: FingerprintRule, script: FingerprintScript
    ) -> str:
        for path in script.files:
            if not (self._root / declared.folder / path).exists():
                raise FingerprintError(
                    f"{declared.name}: {path}, listed by its fingerprint script, is missing"
                )
        argv = (script.command, *script.args)
        done = await self._run(declared, rule, argv, deadline_s=script.timeout_ms / _MS)
        value = _SCRIPT_VALUE.fullmatch(done.stdout)
        if value is None:
            printed = done.stdout[:_SHOWN].decode(errors="replace")
            raise FingerprintError(
                f"{declared.name}: its fingerprint script printed {printed!r}; "
                "it must print 1 to 128 of A-Z a-z 0-9 . _ : - and at most one line end"
            )
        return value[1].decode()

    async def _tool(self, declared: ArtifactDeclaration, rule: FingerprintRule, argv: tuple[str, ...]) -> str:
        key = (declared.folder, argv)
        if key not in self._tools:
            done = await self._run(declared, rule, argv, deadline_s=_TOOL_DEADLINE_S)
            self._tools[key] = _short((done.stdout + b"\0" + done.stderr).decode("utf-8", "surrogateescape"))
        return self._tools[key]

    async def _run(
        self,
        declared: ArtifactDeclaration,
        rule: FingerprintRule,
        argv: tuple[str, ...],
        *,
        deadline_s: float,
    ) -> Completed:
        self._trace.asks_programs = True
        said = f"{declared.name}: {' '.join(argv)}"
        try:
            prepared = self._commands.prepare(declared.name, argv[0], argv[1:])
            with tempfile.TemporaryDirectory(prefix="artifactize-") as base:
                private = private_environment(Path(base) / "private", self._environment, rule.env)
                with private as environment:
                    done = await run(prepared.argv, cwd=prepared.cwd, env=environment, deadline_s=deadline_s)
        except (ProcessError, StorageError) as failure:
            raise FingerprintError(f"{said}: {failure.message}") from failure
        except OperandError as failure:
            raise FingerprintError(f"{said}: {failure}") from failure
        if done.timed_out:
            raise FingerprintError(f"{said}: not done after {deadline_s:g} s")
        if not done.ok:
            raise FingerprintError(f"{said}: exit code {done.returncode}")
        return done


def _short(value: str | None) -> str:
    return (
        "unset"
        if value is None
        else hashlib.sha256(value.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    )


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
