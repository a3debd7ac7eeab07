"""The files that `prview init` offers to a project. Texts only; nothing here touches the disk."""

from __future__ import annotations

POLICY = """\
# What stands against a merge. prview reads this file from the base branch, so that a branch
# cannot weaken its own gate; see `prview explain` for what it made of a review.
version: 1

# shadow: report and never block. warn: block on severity block. block: block on warn, too.
mode: warn

# What introduced warnings mean; introduced errors (a failed test, an undefined name) block.
default_severity: warn

# One check or signal (`prview doctor` lists them): block, warn or ignore.
checks: {}
#  pytest: block
#  signal_todo: ignore

# Single rules, CHECK/RULE; they go before their check.
rules: {}
#  ruff/F401: ignore
"""

SETTINGS = """\
# What prview should know about this project; read from the base branch, like the policy.
# Patterns are those of .gitignore.

# Review only these paths (all when empty).
paths = []

# Never look at these; generated and vendored files are better marked in .gitattributes.
ignores = []

[gate]
# What a breaking change alone does: "none", "review" (at least CONDITIONAL) or "block".
breaking_escalation = "review"
"""

PRE_COMMIT = """\
repos:
  - repo: local
    hooks:
      - id: prview
        name: prview gate
        entry: prview gate
        language: system
        pass_filenames: false
        always_run: true
        stages: [pre-push]
"""

LEFTHOOK = """\
pre-push:
  commands:
    prview:
      run: prview gate
"""

HUSKY = """\
prview gate
"""

UNKNOWN_ACTION = "OWNER/REPOSITORY@main"
"""What stands in the workflow until somebody says where prview comes from."""


def workflow(action: str | None) -> str:
    """The CI job. `action`: `owner/name@ref` of the repository that prview was installed from, if known."""
    return _WORKFLOW.replace("{action}", action or UNKNOWN_ACTION)


_WORKFLOW = """\
name: prview
on: pull_request

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          # the whole history: a shallow clone has no merge base, and prview refuses to guess one
          fetch-depth: 0
          ref: ${{ github.event.pull_request.head.sha }}
          persist-credentials: false
      # prview is on no package index: this action installs it from its own repository and runs the gate
      - uses: {action}
      - if: always()
        uses: actions/upload-artifact@v5
        with:
          name: prview
          path: ${{ runner.temp }}/prview/runs
          include-hidden-files: true
"""
