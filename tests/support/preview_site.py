"""A preview on a loopback port: pages with faults, revision headers, and a log of everything that reached it.

    with PreviewSite(revision=head) as site:
        site.page("/pricing", "<h1>Pricing</h1>")
        ...
        assert site.writes() == []

Pure standard library, so that the server of a test never shares code with what it tests.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MUTATOR = Path(__file__).with_name("mutator.js").read_text("utf-8")


@dataclass(frozen=True)
class Logged:
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """A response; `hangs` never sends one, until the site closes."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False


def document(body: str, *, title: str = "Widget", head: str = "") -> str:
    """A whole HTML document."""
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


class PreviewSite:
    """Serves `/` and `/about`, the faults below, and whatever `page` and `answer` add."""

    def __init__(
        self,
        *,
        revision: str | None = None,
        header: str = "x-commit-sha",
        host: str = "127.0.0.1",
        port: int = 0,
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
        self.host, self.port = host, self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self.page("/", "<h1>Widget</h1><p>All about the widget.</p>")
        self.page("/about", "<h1>About</h1><p>Who makes the widget.</p>")
        _add_faults(self)

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
        return f"http://{self.host}:{self.port}/"

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
            headers = {
                "content-type": "text/html; charset=utf-8",
                "content-length": str(len(body)),
                **answer.headers,
            }
            if site.revision is not None and site.header not in headers:
                headers[site.header] = site.revision
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815 - names of the base class

        def log_message(self, *_: object) -> None:
            """Tests read `site.log`."""

    return Handler


def script(code: str) -> str:
    """A page that shows itself and runs `code`."""
    return f"<h1>Page</h1><p>With a script.</p><script>{code}</script>"


def _add_faults(site: PreviewSite) -> None:
    page = site.page
    page("/faults/uncaught", script("setTimeout(() => { throw new TypeError('widget is undefined') })"))
    page("/faults/rejection", script("Promise.reject(new Error('no widget'))"))
    page("/faults/console-error", script("console.error('widget broke', {code: 7})"))
    page("/faults/blank", "<div id='root'></div>")
    page("/faults/status-500", "<h1>Server error</h1>", status=500)
    page("/faults/script-404", "<h1>Page</h1><script src='/missing.js'></script>")
    page("/faults/fetch-500", script("fetch('/api/broken')"))
    page("/faults/image-404", "<h1>Page</h1><img src='/missing.png' width=9 height=9>")
    page("/faults/slow-script", "<h1>Page</h1><script src='/never.js' defer></script>")
    page(
        "/faults/next-not-found",
        "<h1>404</h1>",
        title="404: This page could not be found",
        head="<meta name=robots content=noindex>",
    )
    page("/faults/soft-404", "<h1>Page not found</h1><p>Try the home page.</p>")
    page(
        "/faults/spinner",
        "<main aria-busy=true><div role=progressbar style='width:9px;height:9px'></div>Loading…</main>",
    )
    page(
        "/faults/overlay",
        "<h2>Application error: a client-side exception has occurred (see the console)</h2>",
    )
    page("/faults/busy-loop", script("for (;;) {}"))
    page(
        "/faults/late",
        script("setTimeout(() => document.querySelector('p').textContent = 'Now it is there', 400)"),
    )
    page(
        "/faults/dialogs",
        script("alert(1); confirm(2); onbeforeunload = (e) => { e.preventDefault(); return 'stay' }"),
    )
    page(
        "/faults/blocked-write",
        script("fetch('/api/query', {method: 'POST', body: '{}'}).catch(e => { throw e })"),
    )
    page("/faults/mutator", f"<h1>Mutator</h1><script>{MUTATOR}</script>")
    page(
        "/faults/components",
        "<x-page></x-page><script>customElements.define('x-page', class extends HTMLElement { connectedCallback() "
        "{ this.attachShadow({mode: 'open'}).innerHTML = '<p>Made of components</p>' } })</script>",
    )
    page(
        "/faults/invisible",
        "<p style='visibility:hidden'>Nobody sees this</p><p style='opacity:0'>Nor this</p>",
    )
    page("/login", "<h1>Sign in</h1><input type=password>")
    _add_transport_faults(site)


def _add_transport_faults(site: PreviewSite) -> None:
    site.answer("/api/broken", Answer("{}", 500))
    site.answer("/never.js", Answer(hangs=True))
    site.answer("/faults/hang", Answer(hangs=True))
    site.answer("/faults/loop", Answer(status=302, headers={"location": "/faults/loop"}))
    site.answer("/faults/to-login", Answer(status=302, headers={"location": "/login"}))
    site.answer(
        "/faults/to-metadata",
        Answer(status=302, headers={"location": "http://169.254.169.254/latest/meta-data/"}),
    )
    site.answer("/faults/to-slash", Answer(status=308, headers={"location": "/faults/to-slash/"}))
    site.page("/faults/to-slash/", "<h1>With a slash</h1>")
    site.answer(
        "/faults/download",
        Answer(
            b"x" * 1000,
            headers={
                "content-type": "application/octet-stream",
                "content-disposition": "attachment; filename=a.bin",
            },
        ),
    )
    for status in (401, 403, 429, 503):
        site.page(f"/faults/status-{status}", f"<h1>{status}</h1>", status=status)
    site.answer(
        "/worker.js",
        Answer(
            "fetch('/hit?via=worker-post', {method: 'POST', body: 'x'}).catch(() => {}); const x = new XMLHttpRequest(); try { x.open('POST', '/hit?via=worker-sync', false); x.send('x') } catch {}",
            headers={"content-type": "text/javascript"},
        ),
    )
    site.answer(
        "/sw.js",
        Answer(
            "self.addEventListener('install', () => fetch('/hit?via=sw', {method: 'POST'}))",
            headers={"content-type": "text/javascript"},
        ),
    )
