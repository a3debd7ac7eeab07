"""A GitHub of one pull request: its REST API as documented, page by page, on a loopback port or as `gh`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from support.fake_github import FakeGitHub
    from support.repos import GitRepo

PULL = "https://github.com/acme/widget/pull/42"
ORIGIN = "git@github.com:Acme/Widget.git"
_PAGE = 100


def answers(
    repo: GitRepo, *, base: str = "main", head: str = "feature", commits: Sequence[str] | None = None
) -> dict[str, Any]:
    """Every answer about pull request 42, by the path that is asked for."""
    base_sha, head_sha = repo.resolve(base), repo.resolve(head)
    listed = list(commits or repo.ask("rev-list", "--reverse", f"{base_sha}..{head_sha}").split())
    changed = [
        line.split("\t")
        for line in repo.ask("diff", "--name-status", f"{base_sha}...{head_sha}").splitlines()
    ]
    files = [{"filename": path, "status": "removed" if kind == "D" else "modified"} for kind, path in changed]
    merge_base = repo.ask("merge-base", base_sha, head_sha)
    found: dict[str, Any] = {
        "pulls/42": {
            "number": 42,
            "head": {"sha": head_sha},
            "base": {"sha": base_sha, "ref": base},
            "commits": len(listed),
            "changed_files": len(files),
            "merge_commit_sha": "e" * 40,
        },
        f"git/trees/{head_sha}?recursive=1": {
            "tree": [
                {"path": path, "type": "blob"}
                for path in repo.ask("ls-tree", "-r", "--name-only", head).splitlines()
            ]
        },
    }
    for page in range(1, len(files) // _PAGE + 2):
        found[f"pulls/42/files?per_page=100&page={page}"] = files[(page - 1) * _PAGE : page * _PAGE]
    for page in range(1, len(listed) // _PAGE + 2):
        found[f"compare/{base_sha}...{head_sha}?per_page=100&page={page}"] = {
            "merge_base_commit": {"sha": merge_base},
            "total_commits": len(listed),
            "commits": [{"sha": sha} for sha in listed[(page - 1) * _PAGE : page * _PAGE]],
        }
    return found


def serve(github: FakeGitHub, found: dict[str, Any]) -> None:
    """Let the loopback API give these answers."""
    github.answers.update({f"/repos/acme/widget/{path}": (200, answer) for path, answer in found.items()})


def stand_in_gh(folder: Path, found: dict[str, Any], *, signed_out: bool = False) -> Path:
    """A program called `gh` that gives these answers, and the folder to put on PATH."""
    (folder / "answers").mkdir(parents=True)
    for number, (path, answer) in enumerate(found.items()):
        (folder / "answers" / str(number)).write_text(json.dumps(answer))
        (folder / "answers" / f"{number}.path").write_text(f"repos/acme/widget/{path}")
    lines = ["#!/bin/sh", "for last; do :; done", f"cd '{folder}/answers'"]
    if signed_out:
        lines += ['echo "To get started with GitHub CLI, please run:  gh auth login" >&2', "exit 4"]
    lines += [
        'for name in *.path; do if [ "$(cat "$name")" = "$last" ]; then cat "${name%.path}"; exit 0; fi; done',
        'echo "gh: Not Found (HTTP 404)" >&2',
        "exit 1",
    ]
    (folder / "gh").write_text("\n".join(lines) + "\n")
    (folder / "gh").chmod(0o755)
    return folder


def on_path(folder: Path) -> str:
    """PATH with `folder` first."""
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def asked(github: FakeGitHub) -> list[tuple[str, int]]:
    """What the loopback API was asked for: the path below the repository, and the page."""
    parts = [urlsplit(path.removeprefix("/repos/acme/widget/")) for path, _ in github.asked]
    return [(part.path, int(parse_qs(part.query).get("page", ["1"])[0])) for part in parts]
