"""prview's tools, one line each: what `tools.json` is written from, and what the first call of one opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.operation import Hints, Operation, PublishedServer
from prview.models.gate import MergeGate
from prview.models.records import Failed, IndexEntry, Manifest, Running, RunRecord, Sanity
from prview.models.report import CheckRecord, Report
from prview.wiring import services_with, unopened_prview

if TYPE_CHECKING:
    from prview.service.api import Prview
    from prview.service.settings import Settings

READING = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)
RUNNING = Hints(read_only=False, destructive=False, idempotent=False, open_world=False)


def open_operations(settings: Settings) -> tuple[Operation, ...]:
    """The tools over services with `settings`."""
    return operations(services_with(settings))


def operations(services: Prview) -> tuple[Operation, ...]:
    """The six tools of the contract."""
    return (
        Operation.of(services.health, title="Check that prview works", hints=READING),
        Operation.of(services.state, title="Look at a repository", hints=READING),
        Operation.of(services.run_review, title="Review HEAD", hints=RUNNING),
        Operation.of(services.verdict, title="Get a run's verdict", hints=READING),
        Operation.of(services.findings, title="Page through findings", hints=READING),
        Operation.of(services.read_artifact, title="Read a pack's file", hints=READING),
    )


published = PublishedServer(
    name="prview",
    operations=operations(unopened_prview()),
    models={
        "merge_gate": MergeGate,
        "run": RunRecord,
        "manifest": Manifest,
        "sanity": Sanity,
        "running": Running,
        "failed": Failed,
        "check_result": CheckRecord,
        "report": Report,
        "index_line": IndexEntry,
    },
    package="prview",
)
