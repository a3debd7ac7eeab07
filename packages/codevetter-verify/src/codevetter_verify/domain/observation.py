"""What one visit of one route saw, as facts. Nothing here is a judgement, and nothing is masked yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from codevetter_verify.domain.revision import Statement
    from codevetter_verify.models import Contained, StageTimings

Interruption = Literal["deadline", "crashed", "refused_address", "off_site", "navigation_failed", "withheld"]


MOST_NAVIGATIONS = 5
"""Documents that one page may load in its own place, one after the other; scripts that redirect load two."""


def keeps_loading(navigations: int) -> str:
    """What is said of a page that loaded more than `MOST_NAVIGATIONS`."""
    return f"the page keeps loading itself or others: {navigations} documents"


@dataclass(frozen=True, slots=True)
class Navigation:
    """The answer to the navigation: its final response, and the addresses that redirected to it."""

    status: int
    final_url: str
    redirects: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkProblem:
    """A request that failed or was answered with 400 or more."""

    url: str
    resource: str
    detail: str
    first_party: bool


@dataclass(frozen=True, slots=True)
class ScriptError:
    """An uncaught exception, an unhandled rejection, or a line of the console at level error."""

    text: str
    url: str = ""
    line: int = 0
    column: int = 0
    first_party: bool = True

    @property
    def place(self) -> str:
        """Source and position, where they are known."""
        return f" ({self.url}:{self.line}:{self.column})" if self.url else ""


@dataclass(frozen=True, slots=True)
class PageState:
    """The document after it settled.

    `doubtful` says that no word of it surely stands out from what is behind it, `one_colour` that its picture
    was looked at for that and shows nothing.
    """

    title: str = ""
    text: str = ""
    heading: str = ""
    alert: str = ""
    has_media: bool = False
    busy: bool = False
    password_field: bool = False
    sign_in_field: bool = False
    only_banner: bool = False
    doubtful: bool = False
    one_colour: bool = False
    not_found_marker: bool = False
    overlay: str | None = None
    content_type: str = "text/html"
    statements: tuple[Statement, ...] = ()

    @property
    def blank(self) -> bool:
        """No visible text and nothing else to look at."""
        return not self.text.strip() and not self.has_media


@dataclass(frozen=True, slots=True)
class Observation:
    """One route, visited once. `interruption` says why the visit ended early, `detail` with what words.

    `watched_ms` is how long errors were listened for after the page had loaded, or, where it had not, after
    it was no longer waited for. `transferred_bytes` came over the wire in responses that had ended.
    """

    route: str
    contained: Contained
    timings: StageTimings
    duration_ms: int
    navigation: Navigation | None = None
    state: PageState | None = None
    page_errors: tuple[ScriptError, ...] = ()
    console_errors: tuple[ScriptError, ...] = ()
    network: tuple[NetworkProblem, ...] = ()
    dropped_events: int = 0
    navigations: int = 1
    transferred_bytes: int | None = None
    interruption: Interruption | None = None
    detail: str = ""
    loaded: bool = True
    watched_ms: int | None = None
    screenshot: bytes | None = field(default=None, repr=False)

    @property
    def metas(self) -> tuple[Statement, ...]:
        """The revisions that the page's `<meta>` tags state."""
        return self.state.statements if self.state else ()

    @property
    def stated(self) -> tuple[Statement, ...]:
        """Every revision that the answer states, by headers first."""
        return (*(self.navigation.statements if self.navigation else ()), *self.metas)
