"""What can be asked. Field descriptions become the input schemas of the tools."""

from __future__ import annotations

from pydantic import Field

from mcpkit.models import Request

_REPO = "Absolute path of the git repository."
_REPOS = ["/home/me/project"]
"""What a refusal shows as an example."""


class HealthRequest(Request):
    """Arguments of `health`."""

    repo: str | None = Field(
        default=None, description="Absolute path of a git repository, to learn which of its tools are there."
    )


class StateRequest(Request):
    """Arguments of `state`."""

    repo: str = Field(description=_REPO, examples=_REPOS)


class RunReviewRequest(Request):
    """Arguments of `run_review`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    base: str | None = Field(
        default=None,
        description="Base to diff against. Default: the default branch, or else develop, main, master.",
    )
    profile: str = Field(
        default="quick", description='"quick" answers with the verdict; "deep" runs in the background.'
    )


class ReviewRequest(Request):
    """What the command line can ask of a review."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    target: str | None = Field(default=None, description="Branch or revision. Default: what is checked out.")
    bases: tuple[str, ...] = Field(
        default=(), description="What it is compared with. Default: see run_review."
    )
    remote: bool = Field(default=False, description="Review origin's branch as it was last fetched.")
    fetch: bool = Field(default=False, description="Ask origin for its branches first, into a store of ours.")
    pull: int | None = Field(default=None, gt=0, description="Review this pull request on GitHub.")
    profile: str = Field(default="standard", description="quick, standard or deep.")
    allow_code: bool = Field(default=False, description="Run code of a commit that is not checked out.")
    timeout_s: float | None = Field(default=None, gt=0, description="Seconds that one check may take.")
    run_id: str | None = Field(default=None, description="An id that was reserved for this run.")
    asked_by: str | None = Field(
        default=None, description="Identity of the process that waits for this run; it ends with that one."
    )
    policy_file: str | None = Field(
        default=None, description="A policy on disk that applies instead of the base's."
    )
    include: tuple[str, ...] = Field(
        default=(), description="Steps to take although the mode leaves them out."
    )
    skip: tuple[str, ...] = Field(default=(), description="Steps to leave out.")
    ci: bool = Field(default=False, description="Look at everything anew, whatever earlier runs saw.")
    update: bool = Field(default=False, description="Answer with the newest review when nothing changed.")
    ai_only: bool = Field(default=False, description="Leave dashboard and archive out of the pack.")


class RunsRequest(Request):
    """Arguments of `prview runs list`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    everything: bool = Field(default=False, description="Runs of every branch, not of the checked-out one.")


class PruneRequest(Request):
    """Arguments of `prview runs prune`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    keep: int | None = Field(default=None, ge=0, description="How many of the newest runs of a branch stay.")
    older_than_days: float | None = Field(default=None, ge=0, description="Only runs older than this may go.")
    everything: bool = Field(default=False, description="Runs of every branch, not of the checked-out one.")
    dry_run: bool = Field(default=False, description="Say what would go, and remove nothing.")


class ExplainRequest(Request):
    """Arguments of `prview explain`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    run_id: str | None = Field(default=None, description="A run's id. Default: the latest run for HEAD.")


class OpenRequest(ExplainRequest):
    """Arguments of `prview open`."""

    browser: bool = Field(default=True, description="Start a browser when there is a screen.")


class InitRequest(Request):
    """Arguments of `prview init`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    parts: tuple[str, ...] = Field(default=(), description="What to write. Default: what fits the project.")
    hosts: tuple[str, ...] = Field(default=(), description="MCP hosts to register the server in.")
    force: bool = Field(default=False, description="Replace files that are there and differ.")
    local: bool = Field(
        default=False, description="Register with paths of this machine: for files that nobody else gets."
    )


class DoctorRequest(Request):
    """Arguments of `prview doctor`."""

    repo: str | None = Field(default=None, description="Absolute path of a repository, if there is one.")


class VerdictRequest(Request):
    """Arguments of `verdict`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    run_id: str | None = Field(default=None, description="A run's id. Default: the latest run for HEAD.")


class FindingsRequest(Request):
    """Arguments of `findings`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    run_id: str | None = Field(default=None, description="A run's id. Default: the latest run for HEAD.")
    severity: str | None = Field(default=None, description="Only this SARIF level: error, warning or note.")
    path: str | None = Field(default=None, description="Only files whose path starts with this.")
    cursor: str | None = Field(default=None, description="next_cursor of the previous page.")
    limit: int = Field(default=100, description="Items a page, 1 to 1000.")


class ReadArtifactRequest(Request):
    """Arguments of `read_artifact`."""

    repo: str = Field(description=_REPO, examples=_REPOS)
    run_id: str = Field(
        description="The id of the run that owns the artifact.", examples=["20261130-120000-0a1b"]
    )
    artifact: str = Field(
        description="Path inside the pack, like 00_summary/MERGE_GATE.json.",
        examples=["00_summary/MERGE_GATE.json"],
    )
    cursor: str | None = Field(default=None, description="next_cursor of the previous page.")
    limit: int = Field(default=200, description="Lines a page, 1 to 5000.")
