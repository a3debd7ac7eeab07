"""A GitHub for tests: its REST API on a loopback port, and its git over a stand-in for ssh."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from support.repos import GitRepo

ORIGIN = "ssh://git@github.com/acme/shop.git"


@dataclass
class FakeGitHub:
    """What it answers, by path, and what it was asked: path and authorization."""

    url: str = ""
    answers: dict[str, tuple[int, object]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    def pull(self, number: int, *, head: str, base: str, base_ref: str = "main") -> None:
        """Answer for a pull request of acme/shop."""
        self.answers[f"/repos/acme/shop/pulls/{number}"] = (200, pull_answer(number, head, base, base_ref))

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables that lead prview here."""
        return {"PRVIEW_GITHUB_API": self.url, "GH_TOKEN": "token-of-ada"}


def pull_answer(number: int, head: str, base: str, base_ref: str = "main") -> dict[str, Any]:
    """The documented answer, its fields that matter."""
    return {
        "number": number,
        "title": "Add multiplication",
        "html_url": f"https://github.com/acme/shop/pull/{number}",
        "user": {"login": "ada"},
        "head": {"sha": head, "ref": "topic"},
        "base": {"sha": base, "ref": base_ref},
    }


@contextmanager
def fake_github() -> Iterator[FakeGitHub]:
    """Serve until the block ends."""
    github = FakeGitHub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            github.asked.append((self.path, self.headers["Authorization"]))
            status, answer = github.answers.get(self.path, (404, {"message": "Not Found"}))
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in github.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests read what was asked, not a log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        github.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield github
        finally:
            server.shutdown()
            thread.join()


def behind_ssh(clone: GitRepo, upstream: GitRepo, home: Path) -> None:
    """Give a clone an address at GitHub that reaches `upstream` through a program instead of ssh."""
    script = home / "ssh"
    script.write_text(f"#!/bin/sh\nexec git-upload-pack '{upstream.path}'\n")
    script.chmod(0o755)
    clone.git("remote", "set-url", "origin", ORIGIN)
    with (home / ".gitconfig").open("a") as config:
        config.write(f"[core]\n\tsshCommand = '{script}'\n[ssh]\n\tvariant = simple\n")
