"""The faults of the preview site, one a page: what a page does wrong, and what its transport does."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from support.pages import Answer, document, script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.preview_site import PreviewSite

MUTATOR = Path(__file__).with_name("mutator.js").read_text("utf-8")


def add_faults(site: PreviewSite) -> None:
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
    _add_framework_faults(site)
    _add_restless_pages(site)
    _add_transport_faults(site)


def _add_framework_faults(site: PreviewSite) -> None:
    """Faults in the words and marks of the frameworks that make them."""
    page = site.page
    page(
        "/faults/hydration",
        script(
            "setTimeout(() => { throw new Error('Minified React error #418; visit https://react.dev/errors/418') })"
        ),
    )
    page("/faults/hydration-warning", script("console.warn('[Vue warn]: Hydration node mismatch:', 1)"))
    page(
        "/faults/slow-hydration",
        script(
            "addEventListener('load', () => setTimeout(() => { const until = performance.now() + 1500; "
            "while (performance.now() < until); setTimeout(() => { throw new TypeError('hydrated too late') }, 20) }))"
        ),
    )
    page(
        "/faults/vite-overlay",
        script(
            "const overlay = document.createElement('vite-error-overlay'); document.body.append(overlay); "
            "overlay.attachShadow({mode: 'open'}).innerHTML = '<p class=message>Failed to resolve import</p>'"
        ),
    )
    site.answer(
        "/faults/next-error",
        Answer(document("<h2>Something broke</h2>").replace("<html>", "<html id=__next_error__>")),
    )


def _add_restless_pages(site: PreviewSite) -> None:
    """Pages that never are idle, or are more than a page."""
    page = site.page
    site.answer("/api/poll", Answer("{}"))
    page("/faults/polling", script("setInterval(() => fetch('/api/poll'), 100)"))
    site.answer(
        "/faults/endless", Answer(stream=_endless, pace_s=0.05, headers={"content-type": "text/html"})
    )
    site.answer("/faults/huge", Answer(stream=_huge, headers={"content-type": "text/html"}))
    page(
        "/faults/many-lines",
        script(
            "for (let line = 0; line < 10000; line += 1) console.error('line ' + line); console.error('x'.repeat(5e6))"
        ),
    )
    page("/faults/worker-error", script("new Worker('/broken-worker.js')"))
    site.answer(
        "/broken-worker.js",
        Answer("throw new Error('worker is broken')", headers={"content-type": "text/javascript"}),
    )
    page(
        "/faults/permissions",
        script(
            "navigator.geolocation.getCurrentPosition(() => {}, () => {}); Notification.requestPermission(); "
            "navigator.mediaDevices?.getUserMedia({audio: true}).catch(() => {})"
        ),
    )
    page(
        "/faults/tabs",
        "<h1>Page</h1><a target=_blank href='/hit?via=tab'>tab</a>"
        "<script>document.querySelector('a').click(); open('/hit?via=open')</script>",
    )
    page("/faults/style-404", "<h1>Page</h1>", head="<link rel=stylesheet href='/missing.css'>")


def _endless() -> Iterator[bytes]:
    yield b"<!doctype html><title>Feed</title><h1>Feed</h1>"
    for number in itertools.count():
        yield b"<!-- %d -->\n" % number * 200


def _huge() -> Iterator[bytes]:
    """Twenty megabytes in 100,000 elements."""
    yield b"<!doctype html><title>Rows</title><h1>Rows</h1>"
    row = b"<p>row <!-- " + b"x" * 180 + b" --></p>\n"
    for _ in range(1000):
        yield row * 100


def _endless_bytes() -> Iterator[bytes]:
    return itertools.repeat(b"x" * 65536)


def _add_transport_faults(site: PreviewSite) -> None:
    site.answer("/api/broken", Answer("{}", 500))
    site.answer("/never.js", Answer(hangs=True))
    site.answer("/faults/hang", Answer(hangs=True))
    site.answer("/faults/loop", Answer(status=302, headers={"location": "/faults/loop"}))
    site.page("/faults/off-site", script("location.href = 'http://other.invalid/'"))
    site.answer(
        "/faults/redirect-off-site", Answer(status=302, headers={"location": "http://other.invalid/"})
    )
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
    site.answer(
        "/faults/endless-download",
        Answer(
            stream=_endless_bytes,
            pace_s=0.01,
            headers={
                "content-type": "application/octet-stream",
                "content-disposition": "attachment; filename=b.bin",
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
