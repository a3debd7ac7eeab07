"""Every table, in one place. Column names are the field names of the model in `info`."""

from __future__ import annotations

import sqlalchemy as sa

from artifactize.models import stored
from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.store.columns import EnumText, Flag, JsonText, one_of

metadata = sa.MetaData()


def _text(name: str, *, null: bool = False, **options: object) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null, **options)  # type: ignore[arg-type] # SQLAlchemy's own options


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, JsonText, nullable=False)


def _whole(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, Flag, nullable=False)


runs = sa.Table(
    "runs",
    metadata,
    _text("id", primary_key=True),
    _text("repository"),
    _text("request_key", null=True),
    _json("selection"),
    _json("closure"),
    _flag("recursive"),
    _flag("force"),
    _flag("ignore_gates"),
    _whole("jobs", null=True),
    _json("environment"),
    sa.Column("state", EnumText(RunState), nullable=False),
    sa.Column("outcome", EnumText(Outcome), nullable=True),
    _json("unmet"),
    _text("message", null=True),
    _flag("cancel_requested"),
    _whole("revision"),
    _text("created_at"),
    _text("started_at", null=True),
    _text("finished_at", null=True),
    sa.Column("modes", JsonText, nullable=False, server_default="{}"),
    _whole("parked", null=True),
    one_of("state", RunState),
    one_of("outcome", Outcome),
    sa.CheckConstraint("(state = 'FINISHED') = (outcome IS NOT NULL)", name="finished_has_outcome"),
    sa.Index("runs_by_request_key", "repository", "request_key", unique=True),
    info={"model": stored.Run},
    sqlite_strict=True,
)

requests = sa.Table(
    "requests",
    metadata,
    _text("id", primary_key=True),
    sa.Column("run_id", sa.Text, sa.ForeignKey("runs.id"), nullable=False),
    _whole("position"),
    _text("eval"),
    _text("artifact"),
    _text("kind"),
    _text("title"),
    _flag("selected"),
    _flag("forced"),
    sa.Column("state", EnumText(RequestState), nullable=False),
    _text("definition"),
    _text("key", null=True),
    _json("fingerprints"),
    sa.Column("source", EnumText(Source), nullable=True),
    _text("source_run", null=True),
    _text("source_request", null=True),
    _whole("exit_code", null=True),
    _text("code", null=True),
    _text("message", null=True),
    _json("blocked_by"),
    _whole("attempt"),
    _whole("duration_ms", null=True),
    _text("started_at", null=True),
    _text("finished_at", null=True),
    _whole("revision"),
    one_of("state", RequestState),
    one_of("source", Source),
    sa.Index("requests_by_run", "run_id", "position", unique=True),
    info={"model": stored.EvalRequest},
    sqlite_strict=True,
)

records = sa.Table(
    "records",
    metadata,
    sa.Column("sequence", sa.Integer, primary_key=True, nullable=False),
    _text("key"),
    _text("verdict"),
    _text("eval"),
    _text("artifact"),
    _text("definition"),
    _json("fingerprints"),
    _whole("exit_code", null=True),
    _text("message", null=True),
    _text("run_id"),
    _text("request_id"),
    _text("recorded_at"),
    sa.Column("reviewers", JsonText, nullable=False, server_default="[]"),
    sa.Column("authors", JsonText, nullable=False, server_default="[]"),
    sa.CheckConstraint("verdict IN ('GREEN', 'RED', 'REMOVED')", name="verdict_known"),
    sa.Index("records_by_key", "key", "sequence"),
    sa.Index("records_by_eval", "eval", "sequence"),
    info={"model": stored.Record},
    sqlite_strict=True,
    # a sequence number that was given out never comes back, also when its row is gone
    sqlite_autoincrement=True,
)

signoffs = sa.Table(
    "signoffs",
    metadata,
    sa.Column("request_id", sa.Text, sa.ForeignKey("requests.id"), primary_key=True, nullable=False),
    _text("reviewer", primary_key=True),
    _text("verdict"),
    _json("fields"),
    _text("comment", null=True),
    _json("authors"),
    _text("submitted_at"),
    info={"model": stored.Signoff},
    sqlite_strict=True,
)

signings = sa.Table(
    "signings",
    metadata,
    sa.Column("request_id", sa.Text, sa.ForeignKey("requests.id"), primary_key=True, nullable=False),
    _text("reviewer"),
    _text("since"),
    info={"model": stored.Signing},
    sqlite_strict=True,
)

manifests = sa.Table(
    "manifests",
    metadata,
    _text("fingerprint", primary_key=True),
    _json("files"),
    info={"model": stored.Manifest},
    sqlite_strict=True,
)

outputs = sa.Table(
    "outputs",
    metadata,
    sa.Column("request_id", sa.Text, sa.ForeignKey("requests.id"), primary_key=True, nullable=False),
    _text("stream", primary_key=True),
    _text("text"),
    _whole("total_bytes"),
    info={"model": stored.Output},
    sqlite_strict=True,
)

claims = sa.Table(
    "claims",
    metadata,
    _text("key", primary_key=True),
    _text("owner"),
    _text("run_id"),
    _text("request_id"),
    _text("since"),
    info={"model": stored.Claim},
    sqlite_strict=True,
)

slots = sa.Table(
    "slots",
    metadata,
    _text("request_id", primary_key=True),
    _text("backend"),
    _text("owner"),
    _text("since"),
    info={"model": stored.Slot},
    sqlite_strict=True,
)

workers = sa.Table(
    "workers",
    metadata,
    _text("repository", primary_key=True),
    _text("owner"),
    sa.Column("beat", sa.REAL, nullable=False),
    _text("since"),
    info={"model": stored.Worker},
    sqlite_strict=True,
)
