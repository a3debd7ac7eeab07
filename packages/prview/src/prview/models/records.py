"""What a pack keeps as JSON besides the gate, and the markers of a run without one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mcpkit.models import Wire


class BaseRef(Wire):
    """A base as it was asked for and as it was found."""

    ref: str
    commit: str = Field(description="Full id of the base's tip.")


class RunRecord(Wire):
    """`00_summary/RUN.json`: what was looked at, so that a pack proves it."""

    schema_version: Literal["prview.run.v1"] = "prview.run.v1"
    run_id: str
    branch: str = Field(description="Name of the reviewed branch or revision; empty when HEAD is detached.")
    branch_key: str
    repo_key: str
    target: str = Field(description="What was asked for, resolved to a name.")
    commit: str = Field(description="Full id of the reviewed commit.")
    bases: tuple[BaseRef, ...]
    merge_base: str = Field(description="Full id of the commit the diff starts from.")
    base_fallback: bool
    dirty: bool = Field(description="Whether the working tree had changes that the review leaves out.")
    dirty_tree: str | None = Field(default=None, description="Tree id of the working tree, when dirty.")
    profile: str
    files_changed: int
    started_at: str
    generated_at: str
    prview_version: str
    asked: str = Field(default="", description="Digest of how it was looked: mode, steps, policy, settings.")


class ManifestEntry(Wire):
    """One file of the pack."""

    path: str
    sha256: str
    size: int = Field(description="Bytes.")
    masked: bool = Field(
        default=False, description="Whether it is a patch in which secrets are masked: not git's bytes."
    )


class Manifest(Wire):
    """`00_summary/MANIFEST.json`: every file but itself, SANITY and the open stderr log."""

    schema_version: Literal["prview.manifest.v1"] = "prview.manifest.v1"
    run_id: str
    files: tuple[ManifestEntry, ...]


class Sanity(Wire):
    """`00_summary/SANITY.json`: written last. A pack without it is not complete."""

    schema_version: Literal["prview.sanity.v1"] = "prview.sanity.v1"
    run_id: str
    manifest_sha256: str
    validated: tuple[str, ...] = Field(description="What was read back and found right before publishing.")


class Running(Wire):
    """`RUNNING.json`: whose process works on the run. `process` is the owner's pid and start time."""

    schema_version: Literal["prview.running.v1"] = "prview.running.v1"
    run_id: str
    process: str = Field(
        description="Identity of the owner, as oskit prints it: a reused pid is another identity."
    )
    pid: int
    commit: str = Field(description="Full id of the commit under review.")
    branch: str
    base_used: tuple[str, ...]
    profile: str
    started_at: str
    scratch: str | None = Field(default=None, description="The run's temporary folder, removed at its end.")


class Failed(Wire):
    """`FAILED.json`: why a run ended without a pack."""

    schema_version: Literal["prview.failed.v1"] = "prview.failed.v1"
    run_id: str
    error_class: str
    message: str
    hint: str | None = None
    active_run_id: str | None = Field(
        default=None, description="The run that holds the branch, if that is why."
    )
    failed_at: str


class IndexEntry(Wire):
    """One line of `index.jsonl`: what a completed run came to. A cache of the pack, never the truth."""

    schema_version: Literal["prview.index.v1"] = "prview.index.v1"
    run_id: str
    branch_key: str
    branch: str
    commit: str = Field(description="Full id of the reviewed commit.")
    bases: tuple[str, ...]
    profile: str
    verdict: Literal["PASS", "CONDITIONAL", "BLOCK"]
    generated_at: str
    files_changed: int
    introduced: int = Field(description="Findings that the change brought.")
    preexisting: int
    gate_stamp: str = Field(description="Tells whether the run's gate was written again since.")
