"""The names of the files in a pack."""

from __future__ import annotations

SUMMARY = "00_summary"
RUN = f"{SUMMARY}/RUN.json"
MANIFEST = f"{SUMMARY}/MANIFEST.json"
SANITY = f"{SUMMARY}/SANITY.json"
GATE = f"{SUMMARY}/MERGE_GATE.json"
GATE_TEXT = f"{SUMMARY}/MERGE_GATE.md"
FAILURES = f"{SUMMARY}/FAILURES_SUMMARY.md"
METADATA = f"{SUMMARY}/pr-metadata.txt"
FILE_STATUS = f"{SUMMARY}/file-status.txt"
COMMITS = f"{SUMMARY}/commit-list.txt"
PATCH = "10_diff/full.patch"
REPORT = "report.json"
REVIEW = "PR_REVIEW.md"
INDEX = "AI_INDEX.md"
LOG = "run.log"
STDERR_LOG = "run.stderr.log"
LOGS = (LOG, STDERR_LOG)
"""Readable whatever became of the run."""

RUNNING = "RUNNING.json"
FAILED = "FAILED.json"
