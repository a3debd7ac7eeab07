"""A preview on a loopback port: pages with faults, revision headers, and a log of everything that reached it.

    with PreviewSite(revision=head) as site:
        site.page("/pricing", "<h1>Pricing</h1>")
        ...
        assert site.writes() == []

Pure standard library, so that the server of a test never shares code with what it tests.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from support.faults import add_faults
from support.pages import Answer, Logged, document, script

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

__all__ = ["Answer", "Logged", "PreviewSite", "document", "script"]

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class PreviewSite:
    """Serves `/` and `/about`, every fault of `support.faults`, and whatever `page` and `answer` add."""

    def __init__(
        self,
        *,
        revision: str | None = None,
        header: str = "x-commit-sha",
        host: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.revision = revision
        self.header = header
        self.log: list[Logged] = []
        self.arrived = threading.Condition()
        self.closing = threading.Event()
        self.fallback: Callable[[Logged], Answer] | Answer = Answer(
            document("<h1>404</h1>Page not found", title="404"), 404
        )
        self._answers: dict[str, Callable[[Logged], Answer] | Answer] = {}
        self._server = _Server((host, port), _handler(self))
        self._server.daemon_threads = True
        self._scheme = "https" if tls else "http"
        if tls is not None:
            # the handshake is made by the thread that serves the connection, which a browser may leave half made
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.host, self.port = host, self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self.page("/", "<h1>Widget</h1><p>All about the widget.</p>")
        self.page("/about", "<h1>About</h1><p>Who makes the widget.</p>")
        add_faults(self)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        return f"{self._scheme}://{self.host}:{self.port}/"

    def page(self, path: str, body: str, *, title: str = "Widget", head: str = "", **answer: Any) -> None:
        """Serve an HTML page."""
        self.answer(path, Answer(document(body, title=title, head=head), **answer))

    def answer(self, path: str, answer: Answer | Callable[[Logged], Answer]) -> None:
        """Serve anything, also something that depends on the request."""
        self._answers[path] = answer

    def respond(self, request: Logged) -> Answer:
        """Log a request and find its answer."""
        with self.arrived:
            self.log.append(request)
            self.arrived.notify_all()
        found = self._answers.get(request.path, self.fallback)
        return found if isinstance(found, Answer) else found(request)

    def wait_for(self, path: str, *, timeout: float = 20.0) -> Logged:
        """Return the first request for `path`, waiting for it if need be."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: any(r.path == path for r in self.log), timeout), (
                f"nobody asked for {path}"
            )
            return next(r for r in self.log if r.path == path)

    def writes(self) -> list[Logged]:
        """Every request that may have changed something."""
        return [request for request in self.log if request.method not in SAFE]

    def paths(self) -> list[str]:
        return [request.path for request in self.log]


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that was killed leaves broken connections: nothing to print."""


def _headers(site: PreviewSite, answer: Answer, length: int) -> dict[str, str]:
    size = {"connection": "close"} if answer.stream is not None else {"content-length": str(length)}
    stated = {} if site.revision is None else {site.header: site.revision}
    return {"content-type": "text/html; charset=utf-8", **size, **stated, **answer.headers}


def _handler(site: PreviewSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            path, _, query = self.path.partition("?")
            length = int(self.headers.get("content-length") or 0)
            self.rfile.read(length)
            answer = site.respond(
                Logged(self.command, path, query, {k.lower(): v for k, v in self.headers.items()})
            )
            if answer.hangs:
                site.closing.wait(60)
                self.close_connection = True
                return
            self._send(answer)

        def _send(self, answer: Answer) -> None:
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            headers = _headers(site, answer, len(body))
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self._write(body, answer)

        def _write(self, body: bytes, answer: Answer) -> None:
            for piece in answer.stream() if answer.stream is not None else [body]:
                self.wfile.write(piece)
                if answer.stream is not None and site.closing.wait(answer.pace_s):
                    return

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815 - names of the base class

        def log_message(self, *_: object) -> None:
            """Tests read `site.log`."""

    return Handler
