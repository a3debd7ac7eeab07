"""The Runs of a repository as a list that draws only the lines on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from artifactize.monitor.words import look_of, moment, selection, state_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from artifactize.store.monitoring import RunRow

_CURSOR = Style(reverse=True)
_DIM = Style(dim=True)
_SHORT = {"SIGNOFFS_PENDING": "SIGN-OFFS"}


class RunTable(ScrollView):
    """Ten thousand Runs cost what fits on the screen."""

    can_focus = True
    DEFAULT_CSS = "RunTable { overflow-x: hidden; overflow-y: scroll; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "Newest", show=False),
        Binding("end", "edge(1)", "Oldest", show=False),
        Binding("enter", "open", "Open"),
    ]

    class Highlighted(Message):
        """The cursor is on another Run."""

        def __init__(self, run: RunRow) -> None:
            super().__init__()
            self.run = run

    class Opened(Message):
        """A Run was chosen."""

        def __init__(self, run: RunRow) -> None:
            super().__init__()
            self.run = run

    def __init__(self, *, id: str) -> None:  # noqa: A002 - named as in Textual
        super().__init__(id=id)
        self._rows: Sequence[RunRow] = ()
        self._cursor = 0

    @property
    def current(self) -> RunRow | None:
        """The Run under the cursor."""
        return self._rows[self._cursor] if self._rows else None

    def show(self, rows: Sequence[RunRow], *, keep: bool) -> None:
        """Show other rows; with `keep`, the cursor stays on its Run, else it goes to the newest."""
        current = self.current if keep else None
        at = 0 if current is None or self._cursor == 0 else _index(rows, current.id, self._cursor)
        self._rows = rows
        self._cursor = max(0, min(at, len(rows) - 1))
        self.virtual_size = Size(0, max(1, len(rows)))
        self.refresh()
        found = self.current
        if found is not None and (current is None or found.id != current.id):
            self.post_message(self.Highlighted(found))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        width = self.size.width
        at = y + self.scroll_offset.y
        if not self._rows:
            text = "no Runs yet" if y == 0 else ""
            return Strip([Segment(text[:width].ljust(width), _DIM)])
        if at >= len(self._rows):
            return Strip.blank(width)
        return self._line(self._rows[at], width, chosen=at == self._cursor)

    def _line(self, row: RunRow, width: int, *, chosen: bool) -> Strip:
        state = state_of(row)
        sign, style = look_of(state)
        base = _CURSOR if chosen and self.has_focus else Style(bold=chosen)
        words = f"{moment(row.created_at)[5:16]} {selection(row.selection)}"
        head = f"{sign} {_SHORT.get(state, state):<10.10} "
        strip = Strip([Segment(head, Style.parse(style) + base), Segment(words, base)])
        return strip.adjust_cell_length(width, base)

    def action_move(self, by: int) -> None:
        """Move the cursor by lines."""
        self._go(self._cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by screens."""
        self._go(self._cursor + by * max(1, self.size.height - 1))

    def action_edge(self, end: int) -> None:
        """Move the cursor to the newest or the oldest Run."""
        self._go(len(self._rows) - 1 if end else 0)

    def action_open(self) -> None:
        """Choose the Run under the cursor."""
        if self.current is not None:
            self.post_message(self.Opened(self.current))

    def on_click(self, event: events.Click) -> None:
        """Take the clicked Run; a second click opens it."""
        at = event.y + self.scroll_offset.y
        if at >= len(self._rows):
            return
        again = at == self._cursor and event.chain > 1
        self._go(at)
        if again:
            self.action_open()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that the keys go elsewhere."""
        self.refresh()

    def _go(self, at: int) -> None:
        if not self._rows:
            return
        moved = max(0, min(at, len(self._rows) - 1))
        changed = moved != self._cursor
        self._cursor = moved
        self.scroll_to_region(Region(0, moved, 1, 1), animate=False)
        self.refresh()
        if changed:
            self.post_message(self.Highlighted(self._rows[moved]))


def _index(rows: Sequence[RunRow], run_id: str, near: int) -> int:
    """Return where a Run is now; where it was, when it is gone. New Runs come in before it."""
    for at in range(near, len(rows)):
        if rows[at].id == run_id:
            return at
    return next((at for at, row in enumerate(rows) if row.id == run_id), near)
