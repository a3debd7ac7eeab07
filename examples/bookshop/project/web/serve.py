"""Serve the pages on loopback, as a deployment would: python3 serve.py COMMIT [PORT]

Prints `http://127.0.0.1:PORT/` on its first line. Every answer names the deployed commit in `x-commit-sha`.
"""

import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE / "src" / "pages"
PUBLIC = HERE / "public"


class Preview(SimpleHTTPRequestHandler):
    """Maps `/pricing` to `src/pages/pricing.html`, and everything else to `public/`."""

    commit = ""

    def translate_path(self, path: str) -> str:
        """The file of a route; a name that is neither a page nor public does not exist."""
        name = path.split("?")[0].split("#")[0].strip("/") or "index"
        for candidate in (PAGES / f"{name}.html", PUBLIC / name):
            if candidate.is_file() and HERE in candidate.resolve().parents:
                return str(candidate)
        return str(HERE / "no-such-page")

    def end_headers(self) -> None:
        """The deployed commit, on every answer."""
        self.send_header("x-commit-sha", self.commit)
        self.send_header("cache-control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet: the visitor keeps the record."""


def main(commit: str, port: int) -> None:
    """Serve until interrupted."""
    Preview.commit = commit
    with ThreadingHTTPServer(("127.0.0.1", port), Preview) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
