"""The words for where requests and Runs stand."""

from __future__ import annotations

from enum import StrEnum


class RequestState(StrEnum):
    """Where one eval of a Run stands."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    WAITING_HUMAN = "WAITING_HUMAN"
    WAIT_DEPENDENCY = "WAIT_DEPENDENCY"
    BLOCKED = "BLOCKED"
    GREEN = "GREEN"
    RED = "RED"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"
    STALE = "STALE"
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED"
    PROVISIONAL = "PROVISIONAL"
    DEFERRED = "DEFERRED"


class RunState(StrEnum):
    """Where a Run stands. FINISHED ones have an outcome and never change again."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"


class Outcome(StrEnum):
    """How a Run ended."""

    GREEN = "GREEN"
    RED = "RED"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"
    INCOMPLETE = "INCOMPLETE"
    SIGNOFFS_PENDING = "SIGNOFFS_PENDING"


class Source(StrEnum):
    """How a request got its state: executed, reused from a record, joined to another execution, derived."""

    EXECUTED = "executed"
    REUSED = "reused"
    JOINED = "joined"
    DERIVED = "derived"
