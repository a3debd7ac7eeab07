"""A small healthy site as a process of its own: six pages with a style, a script that fetches, and a picture.

python -m benchmarks.preview_server REVISION LATENCY_MS     (prints its port, ends with its stdin)
"""

from __future__ import annotations

import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROUTES = ("/", "/about", "/blog", "/docs", "/pricing", "/team")
_ROW = "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.</p>"
_PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='320' height='200'><rect width='320' height='200'/></svg>"
)
_SCRIPT = "fetch('/api').then(r => r.json()).then(d => { out.textContent = d.text })"
_FILES = {
    "/style.css": ("text/css", "body { font: 16px sans-serif; max-width: 60rem; margin: auto; color: #223 }"),
    "/app.js": (
        "text/javascript",
        "fetch('/api').then(r => r.json()).then(d => { out.textContent = d.text })",
    ),
    "/api": ("application/json", '{"text": "fetched"}'),
    "/picture.svg": ("image/svg+xml", _PICTURE),
}


def _page(route: str) -> str:
    head = "<meta charset=utf-8><link rel=stylesheet href=/style.css><link rel=icon href=data:,>"
    content = f"<h1>Page {route}</h1><img src=/picture.svg alt=''><p id=out></p>{_ROW * 40}"
    body = f"{content}<script src=/app.js></script>"
    return f"<!doctype html><html lang=en><head><title>{route}</title>{head}</head><body>{body}</body></html>"


def _handler(revision: str, latency_s: float) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            is_page = self.path in ROUTES
            if is_page:
                time.sleep(latency_s)
            kind, text = ("text/html", _page(self.path)) if is_page else _FILES.get(self.path, ("", ""))
            body = text.encode()
            self.send_response(200 if kind else 404)
            self.send_header("content-type", kind or "text/plain")
            self.send_header("content-length", str(len(body)))
            self.send_header("x-commit-sha", revision)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that was ended leaves broken connections: nothing to print."""


def main(revision: str, latency_ms: str) -> None:
    """Serve until standard input ends."""
    server = _Server(("127.0.0.1", 0), _handler(revision, int(latency_ms) / 1000))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
