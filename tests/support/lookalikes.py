"""Pages that are not what was asked for though they answer 200, each beside good ones that look much the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.pages import Answer, document, script

if TYPE_CHECKING:
    from support.preview_site import PreviewSite

OUTCOMES = {
    "/empty/white-on-white": ("failed", "shown in one colour"),
    "/empty/covered": ("failed", "shown in one colour"),
    "/empty/canvas": ("failed", "shown in one colour"),
    "/empty/off-screen": ("failed", "shown in one colour"),
    "/empty/clipped": ("failed", "shown in one colour"),
    "/empty/faint": ("failed", "shown in one colour"),
    "/empty/left-for-nothing": ("failed", "left itself for about:blank"),
    "/empty/written-over": ("failed", "the page is blank"),
    "/empty/cookie-banner": ("failed", "but for a question about cookies"),
    "/stranger/nginx": ("failed", "Welcome to nginx!"),
    "/stranger/apache": ("failed", "Apache2 Debian Default Page"),
    "/stranger/it-works": ("failed", "It works!"),
    "/stranger/listing": ("failed", "Index of /"),
    "/stranger/starter-404": ("failed", "says nothing but that it is not there: '404'"),
    "/stranger/soft-404": ("failed", "says nothing but that it is not there"),
    "/stranger/json": ("failed", "data instead of a page"),
    "/stranger/asks-email": ("inconclusive", "needs a session"),
    "/stranger/asks-elsewhere": ("inconclusive", "needs a session"),
    # on a busy machine it is never still for long enough to be looked at
    "/stranger/reloads": ("failed or inconclusive", "keeps"),
    "/stranger/posts-itself": ("inconclusive", "a request that T-Rex withholds"),
    "/stranger/warns": ("passed", "the page warns 'Unexpected error'"),
    "/hidden/frame": ("failed", "Error: inner"),
    "/hidden/blob-worker": ("failed", "Error: blob"),
    "/hidden/chunk": ("failed", "lazy.js: status 404"),
    "/hidden/policy": ("failed", "Content Security Policy"),
    "/good/reported-policy": ("passed", "1 state-changing request"),
    "/stranger/starter": ("passed", "nobody has changed it"),
    "/good/minimal": ("passed", ""),
    "/good/white-space": ("passed", ""),
    "/good/over-a-picture": ("passed", ""),
    "/good/over-a-box": ("passed", ""),
    "/good/drawn": ("passed", ""),
    "/good/a-form": ("passed", ""),
    "/good/made-by-styles": ("passed", ""),
    "/good/frames": ("passed", ""),
    "/good/fades-in": ("passed", ""),
    "/good/cookie-settings": ("passed", ""),
    "/stranger/emptied-late": ("failed", "the page is blank"),
    "/stranger/no-script": ("passed", "but the page says 'You need to enable JavaScript"),
    "/stranger/unrendered": ("passed", "is shown as '{{ title }}'"),
    "/good/dark": ("passed", ""),
    "/good/cookies-over-content": ("passed", ""),
    "/good/bakery": ("passed", ""),
    "/good/nginx-blog": ("passed", ""),
    "/good/index-of": ("passed", ""),
    "/good/404-article": ("passed", ""),
    "/good/json-docs": ("passed", ""),
    "/good/newsletter": ("passed", ""),
    "/good/sign-in-guide": ("passed", ""),
}
_BANNER = (
    "<div id=cookie-notice style='position:fixed;bottom:0;background:#eee'><p>We use cookies. "
    "<a href=/privacy>Privacy</a></p><button>Accept all</button><button>Reject</button></div>"
)
_PROSE = "<p>" + "A page that has something to say about its subject. " * 20 + "</p>"


def add_lookalikes(site: PreviewSite) -> None:
    """Serve them."""
    _add_empty(site)
    _add_strangers(site)
    _add_hidden(site)
    _add_good(site)


def _add_empty(site: PreviewSite) -> None:
    page = site.page
    page("/empty/white-on-white", "<h1 style='color:#fff'>Widget</h1><p style='color:#fefefe'>About it</p>")
    page("/empty/covered", "<h1>Widget</h1><div style='position:fixed;inset:0;background:#fff'></div>")
    page("/empty/canvas", "<canvas id=scene width=800 height=600></canvas>")
    page("/empty/off-screen", "<h1 style='position:absolute;left:-9999px'>Widget</h1>")
    page("/empty/clipped", "<div style='height:0;overflow:hidden'><h1>Widget</h1></div>")
    page("/empty/faint", "<h1 style='opacity:0.001'>Widget</h1>")
    page("/empty/left-for-nothing", script("location = 'about:blank'"))
    page(
        "/empty/written-over",
        script("setTimeout(() => { document.open(); document.write(''); document.close() }, 300)"),
    )
    page("/empty/cookie-banner", f"<div id=root></div>{_BANNER}")


def _add_strangers(site: PreviewSite) -> None:
    page = site.page
    page(
        "/stranger/nginx",
        "<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and "
        "working. Further configuration is required.</p>",
        title="Welcome to nginx!",
    )
    page(
        "/stranger/apache",
        "<div>Apache2 Debian Default Page</div><div>It works!</div><p>This is the default welcome page used to test "
        f"the correct operation of the Apache2 server after installation on Debian systems.</p>{_PROSE}",
        title="Apache2 Debian Default Page: It works",
    )
    page("/stranger/it-works", "<h1>It works!</h1>", title="")
    page(
        "/stranger/listing",
        "<h1>Index of /</h1><hr><pre><a href='../'>../</a>\n<a href='app.js'>app.js</a> 12-Mar-2026 10:00 120</pre>",
        title="Index of /",
    )
    page("/stranger/starter-404", "<h1>404</h1><h2>This page could not be found.</h2>", title="Create App")
    page("/stranger/soft-404", "<h1>Oops! This page could not be found</h1><a href=/>Go home</a>")
    page("/stranger/json", '{"error": "no such tenant", "code": 42}', title="")
    page("/stranger/asks-email", "<h1>Sign in</h1><input type=email><button>Next</button>")
    page("/stranger/asks-elsewhere", "<h1>Log in to Widget</h1><button>Continue with Example</button>")
    page("/stranger/reloads", script("setTimeout(() => location.reload(), 20)"))
    page(
        "/stranger/posts-itself",
        "<h1>Wait</h1><form method=post action=/hit><button id=go>Go</button></form><script>go.click()</script>",
    )
    page("/stranger/emptied-late", script("setTimeout(() => { document.body.innerHTML = '' }, 650)"))
    page("/stranger/no-script", "<p>You need to enable JavaScript to run this app.</p>")
    page("/stranger/unrendered", "<h1>{{ title }}</h1><p>{{ text }}</p>")
    page(
        "/stranger/warns",
        f"<h1>Widget</h1>{_PROSE}<div role=alert style='position:fixed;top:9px'>Unexpected error</div>",
    )
    page("/stranger/starter", "<h1>Vite + React</h1><p>Edit src/App.tsx and save to test HMR</p>")


def _add_hidden(site: PreviewSite) -> None:
    """Faults where nobody looks: in a frame, in a worker without an address, in a late chunk, in a policy."""
    site.page("/hidden/frame", "<h1>Page</h1><iframe src='/hidden/inner'></iframe>")
    site.page("/hidden/inner", script("throw new Error('inner')"))
    site.page(
        "/hidden/blob-worker",
        script("new Worker(URL.createObjectURL(new Blob(['throw new Error(\"blob\")'])))"),
    )
    site.page("/hidden/chunk", script("setTimeout(() => import('/chunks/lazy.js').catch(() => {}), 100)"))
    body = document("<h1>Page</h1><script src=/ok.js></script>")
    site.answer("/ok.js", Answer("1", headers={"content-type": "text/javascript"}))
    policy = "script-src 'none'; report-uri /hit?via=policy"
    site.answer("/hidden/policy", Answer(body, headers={"content-security-policy": policy}))
    reported = {"content-security-policy-report-only": policy}
    site.answer("/good/reported-policy", Answer(body, headers=reported))


def _add_good(site: PreviewSite) -> None:
    page = site.page
    page("/good/minimal", "<p style='color:#777'>hi</p>", title="")
    page("/good/white-space", "<div style='height:2500px'></div><p>Far below</p>")
    page(
        "/good/over-a-picture",
        "<div style='background:linear-gradient(#135,#246)'><h1 style='color:#fff'>White on a picture</h1></div>",
    )
    page(
        "/good/over-a-box",
        "<div style='position:absolute;inset:0;background:#124;z-index:-1'></div><h1 style='color:#fff'>On a box</h1>",
    )
    page(
        "/good/drawn",
        "<canvas id=scene width=800 height=600></canvas><script>const c = scene.getContext('2d'); "
        "c.fillStyle = '#135'; c.fillRect(40, 40, 300, 200)</script>",
    )
    page("/good/a-form", "<input placeholder='Search the whole web' style='width:300px'>", title="")
    page(
        "/good/made-by-styles",
        "<div class=words></div>",
        head="<style>.words::before{content:'Words made by a style sheet'}</style>",
    )
    page(
        "/good/fades-in",
        "<h1>Slowly</h1>",
        head="<style>h1{animation:in 1s 900ms both}@keyframes in{from{opacity:0.01}to{opacity:1}}</style>",
    )
    page(
        "/good/cookie-settings",
        "<div class=cookie-form><h2>Which cookies we may use</h2><button>Save preferences</button></div>",
    )
    frames = "<html><frameset cols='50%,50%'><frame src='/about'><frame src='/about'></frameset></html>"
    site.answer("/good/frames", Answer(frames))
    page("/good/dark", "<h1>Night</h1>", head="<style>body{background:#111;color:#eee}</style>")
    page("/good/cookies-over-content", f"<h1>Widget</h1><p>All about it.</p>{_BANNER}")
    page(
        "/good/bakery",
        "<div class=cookie-shop><h1>Our cookies</h1><p>Oat and almond cookies.</p><button>Order</button></div>",
    )
    page(
        "/good/nginx-blog",
        "<h1>Welcome to nginx! And what to do next</h1><p>You see the words: the nginx web server is successfully "
        "installed. Now write a server block.</p>",
        title="Welcome to nginx! And what to do next",
    )
    page("/good/index-of", "<h1>Index of /r/ topics</h1><p>Everything.</p>", title="Index of /r/ topics")
    page("/good/404-article", f"<h1>404 pages people love</h1>{_PROSE}", title="404 pages people love")
    page("/good/json-docs", '<h1>Answers</h1><pre>{"error": "no such tenant"}</pre>', title="Answers")
    page("/good/newsletter", "<h1>Sign up for news</h1><input type=email><button>Join</button>")
    page("/good/sign-in-guide", f"<h1>Sign in with a key</h1><input type=email>{_PROSE}")
